// Probes: the runtime API. These are functions of the host: nvcc checks that they compile.
#include "declarations.cuh"

// probe: runtime_memory
void runtime_memory(float *host, size_t bytes, cudaStream_t stream)
{
  void *device;
  cudaMalloc(&device, bytes);
  cudaMemset(device, 0, bytes);
  cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice);
  cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream);
  cudaFree(device);
}

// probe: runtime_symbol
__constant__ float coefficients[16];
void runtime_symbol(const float *host)
{
  cudaMemcpyToSymbol(coefficients, host, sizeof coefficients);
}

// probe: runtime_launch
void runtime_launch(const void *kernel, void **args, cudaStream_t stream)
{
  cudaLaunchKernel(kernel, dim3(16), dim3(64), args, 0, stream);
}

// probe: runtime_stream
void runtime_stream(float *ms)
{
  cudaStream_t stream;
  cudaEvent_t begin, end;
  cudaStreamCreate(&stream);
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  cudaEventRecord(begin, stream);
  cudaEventRecord(end, stream);
  cudaStreamSynchronize(stream);
  cudaEventElapsedTime(ms, begin, end);
  cudaDeviceSynchronize();
}

// probe: runtime_properties
void runtime_properties(const void *kernel)
{
  cudaDeviceProp properties;
  int processors, blocks, threads;
  size_t available, total;
  cudaGetDeviceProperties(&properties, 0);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  cudaMemGetInfo(&available, &total);
  cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, kernel);
  cudaGetErrorString(cudaGetLastError());
}

// probe: runtime_peer
void runtime_peer(void *here, const void *there, size_t bytes, cudaIpcMemHandle_t *handle)
{
  cudaDeviceEnablePeerAccess(1, 0);
  cudaMemcpyPeer(here, 0, there, 1, bytes);
  cudaIpcGetMemHandle(handle, here);
}
