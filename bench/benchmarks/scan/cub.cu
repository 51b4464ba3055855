#include "benchmarks/cub.cuh"

#include <cub/device/device_scan.cuh>

template <typename T> static cudaError_t scan(const xb_peer_call &c, void *workspace, size_t &bytes)
{
  const T *from = array<const T>(c.address[0]);
  T *to = array<T>(c.address[1]);
  const int64_t n = static_cast<int64_t>(c.n);
  const cudaStream_t stream = static_cast<cudaStream_t>(c.stream);
  return c.what < 2 ? cub::DeviceScan::InclusiveSum(workspace, bytes, from, to, n, stream)
                    : cub::DeviceScan::ExclusiveSum(workspace, bytes, from, to, n, stream);
}

// `what`: xb_dtype, where 0 is float32, and 2 more if an output does not contain its own element.
static cudaError_t scan_of(const xb_peer_call &c, void *workspace, size_t &bytes)
{
  // int32 sums wrap around, so they are computed as unsigned.
  return c.what % 2 == 0 ? scan<float>(c, workspace, bytes) : scan<uint32_t>(c, workspace, bytes);
}

XB_CUB(xb_scan_cub, scan_of)
