#include "benchmarks/cub.cuh"

#include <cub/device/device_adjacent_difference.cuh>

template <typename T> static cudaError_t subtract(const xb_peer_call &c, void *workspace, size_t &bytes)
{
  return cub::DeviceAdjacentDifference::SubtractLeftCopy(workspace, bytes, array<const T>(c.address[0]),
                                                         array<T>(c.address[1]), static_cast<int64_t>(c.n),
                                                         cuda::std::minus<>(), static_cast<cudaStream_t>(c.stream));
}

static cudaError_t subtract_of(const xb_peer_call &c, void *workspace, size_t &bytes)
{
  // xb_dtype: 0 is float32; int32 differences wrap around, so they are computed as unsigned.
  return c.what == 0 ? subtract<float>(c, workspace, bytes) : subtract<uint32_t>(c, workspace, bytes);
}

XB_CUB(xb_adjacent_cub, subtract_of)
