// Probes: the runtime API. These are functions of the host: nvcc checks that they compile.
#include "declarations.cuh"

#include <cuda.h>

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

// probe: runtime_graph
void runtime_graph(cudaStream_t stream, cudaKernelNodeParams *kernel, cudaHostFn_t function)
{
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaGraphNode_t node, host;
  cudaHostNodeParams call = {function, nullptr};
  cudaGraphExecUpdateResultInfo result;
  cudaGraphCreate(&graph, 0);
  cudaGraphAddKernelNode(&node, graph, nullptr, 0, kernel);
  cudaGraphAddHostNode(&host, graph, &node, 1, &call);
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphExecKernelNodeSetParams(executable, node, kernel);
  cudaGraphExecUpdate(executable, graph, &result);
  cudaGraphLaunch(executable, stream);
  cudaLaunchHostFunc(stream, function, nullptr);
}

// probe: runtime_pool
void runtime_pool(size_t bytes, cudaStream_t stream)
{
  void *device;
  cudaMemPool_t pool;
  unsigned long long kept = ~0ull;
  cudaDeviceGetDefaultMemPool(&pool, 0);
  cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept);
  cudaMallocAsync(&device, bytes, stream);
  cudaFreeAsync(device, stream);
  cudaMemPoolTrimTo(pool, 0);
}

// probe: runtime_pitch
void runtime_pitch(const float *host, size_t width, size_t height, const cudaMemcpy3DParms *box)
{
  void *device;
  size_t pitch;
  cudaMallocPitch(&device, &pitch, width * sizeof(float), height);
  cudaMemcpy2D(device, pitch, host, width * sizeof(float), width * sizeof(float), height, cudaMemcpyHostToDevice);
  cudaMemcpy3D(box);
}

// probe: runtime_arrays
void runtime_arrays(cudaExtent extent)
{
  cudaArray_t layers, level;
  cudaMipmappedArray_t levels;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMalloc3DArray(&layers, &format, extent, cudaArrayLayered | cudaArrayCubemap);
  cudaMallocMipmappedArray(&levels, &format, extent, 4, 0);
  cudaGetMipmappedArrayLevel(&level, levels, 1);
}

// probe: runtime_conditional
__global__ void while_positive(cudaGraphConditionalHandle handle, const int *left)
{
  cudaGraphSetConditional(handle, *left > 0);
}
void runtime_conditional(cudaGraph_t graph, cudaGraphNode_t *node)
{
  cudaGraphNodeParams loop = {cudaGraphNodeTypeConditional};
  cudaGraphConditionalHandleCreate(&loop.conditional.handle, graph, 1, cudaGraphCondAssignDefault);
  loop.conditional.type = cudaGraphCondTypeWhile;
  loop.conditional.size = 1;
#if CUDART_VERSION >= 13000
  cudaGraphAddNode(node, graph, nullptr, nullptr, 0, &loop);
#else
  cudaGraphAddNode(node, graph, nullptr, 0, &loop);
#endif
}

// probe: runtime_green
void runtime_green(CUdevice device, CUgreenCtx *context, CUstream *stream)
{
  CUdevResource all, part, rest;
  CUdevResourceDesc description;
  unsigned count = 1;
  cuDeviceGetDevResource(device, &all, CU_DEV_RESOURCE_TYPE_SM);
  cuDevSmResourceSplitByCount(&part, &count, &all, &rest, 0, 16);
  cuDevResourceGenerateDesc(&description, &part, 1);
  cuGreenCtxCreate(context, description, device, CU_GREEN_CTX_DEFAULT_STREAM);
  cuGreenCtxStreamCreate(stream, *context, CU_STREAM_NON_BLOCKING, 0);
}
