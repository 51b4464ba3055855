// The CUDA runtime's own copy: see cuda_memcpy.h.
#include "benchmarks/transfers/cuda_memcpy.h"

#include <cuda_runtime.h>

static const char *name_of(cudaError_t error)
{
  return error ? cudaGetErrorString(error) : nullptr;
}

extern "C" const char *xb_transfers_cuda_memcpy(uint64_t device, void *host, uint64_t bytes, int up)
{
  void *address = reinterpret_cast<void *>(device);
  return name_of(up ? cudaMemcpy(address, host, bytes, cudaMemcpyHostToDevice)
                    : cudaMemcpy(host, address, bytes, cudaMemcpyDeviceToHost));
}

extern "C" const char *xb_transfers_cuda_wait()
{
  return name_of(cudaDeviceSynchronize());
}
