#include "benchmarks/cub.cuh"

#include <cub/device/device_reduce.cuh>

template <typename T> static cudaError_t largest(const xb_peer_call &c, void *workspace, size_t &bytes)
{
  return cub::DeviceReduce::Max(workspace, bytes, array<const T>(c.address[0]), array<T>(c.address[1]),
                                static_cast<int64_t>(c.n), static_cast<cudaStream_t>(c.stream));
}

static cudaError_t largest_of(const xb_peer_call &c, void *workspace, size_t &bytes)
{
  // xb_dtype: 0 is float32.
  return c.what == 0 ? largest<float>(c, workspace, bytes) : largest<int32_t>(c, workspace, bytes);
}

XB_CUB(xb_maximum_cub, largest_of)
