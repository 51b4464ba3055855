#include "benchmarks/cub.cuh"

#include <cub/device/device_reduce.cuh>

template <typename T> static cudaError_t sum(const xb_peer_call &c, void *workspace, size_t &bytes)
{
  return cub::DeviceReduce::Sum(workspace, bytes, array<const T>(c.address[0]), array<T>(c.address[1]),
                                static_cast<int64_t>(c.n), static_cast<cudaStream_t>(c.stream));
}

static cudaError_t sum_of(const xb_peer_call &c, void *workspace, size_t &bytes)
{
  // xb_dtype: 0 is float32; int32 sums wrap around, so they are computed as unsigned.
  return c.what == 0 ? sum<float>(c, workspace, bytes) : sum<uint32_t>(c, workspace, bytes);
}

XB_CUB(xb_reduce_cub, sum_of)
