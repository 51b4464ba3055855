#include "benchmarks/cub.cuh"

#include <cub/device/device_radix_sort.cuh>

// Keys, values, sorted keys and sorted values, by all bits of the keys.
template <typename T> static cudaError_t sort(const xb_peer_call &c, void *workspace, size_t &bytes)
{
  const T *keys = array<const T>(c.address[0]);
  T *sorted = array<T>(c.address[2]);
  const int count = static_cast<int>(c.n); // at most 2^29: see the plan
  const cudaStream_t stream = static_cast<cudaStream_t>(c.stream);
  return c.what < 2 ? cub::DeviceRadixSort::SortKeys(workspace, bytes, keys, sorted, count, 0, 32, stream)
                    : cub::DeviceRadixSort::SortPairs(workspace, bytes, keys, sorted,
                                                      array<const uint32_t>(c.address[1]),
                                                      array<uint32_t>(c.address[3]), count, 0, 32, stream);
}

// `what`: xb_dtype, where 0 is float32, and 2 more with values.
static cudaError_t sort_of(const xb_peer_call &c, void *workspace, size_t &bytes)
{
  return c.what % 2 == 0 ? sort<float>(c, workspace, bytes) : sort<int32_t>(c, workspace, bytes);
}

XB_CUB(xb_sort_cub, sort_of)
