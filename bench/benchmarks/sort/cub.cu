// C functions that call CUB: see cub.h.
#include "benchmarks/sort/cub.h"

#include <cub/device/device_radix_sort.cuh>

template <typename T>
static cudaError_t sort(void *temporary, size_t &bytes, bool values, const xb_sort_cub_arrays *a, uint64_t n,
                        cudaStream_t stream)
{
  const T *keys = reinterpret_cast<const T *>(a->keys);
  T *sorted_keys = reinterpret_cast<T *>(a->sorted_keys);
  const uint32_t *from = reinterpret_cast<const uint32_t *>(a->values);
  uint32_t *to = reinterpret_cast<uint32_t *>(a->sorted_values);
  const int count = static_cast<int>(n); // at most 2^29: see the plan
  return values ? cub::DeviceRadixSort::SortPairs(temporary, bytes, keys, sorted_keys, from, to, count, 0, 32, stream)
                : cub::DeviceRadixSort::SortKeys(temporary, bytes, keys, sorted_keys, count, 0, 32, stream);
}

static const char *sort_of(int dtype, void *temporary, size_t &bytes, bool values, const xb_sort_cub_arrays *arrays,
                           uint64_t n, cudaStream_t stream)
{
  // xb_dtype: 0 is float32
  const cudaError_t error = dtype == 0 ? sort<float>(temporary, bytes, values, arrays, n, stream)
                                       : sort<int32_t>(temporary, bytes, values, arrays, n, stream);
  return error ? cudaGetErrorString(error) : nullptr;
}

extern "C" const char *xb_sort_cub_bytes(int dtype, int values, uint64_t n, uint64_t *bytes)
{
  const xb_sort_cub_arrays none = {};
  size_t needed = 0;
  const char *why = sort_of(dtype, nullptr, needed, values, &none, n, nullptr);
  *bytes = needed;
  return why;
}

extern "C" const char *xb_sort_cub(int dtype, uint64_t n, const xb_sort_cub_arrays *arrays, uint64_t temporary,
                                   uint64_t bytes, void *stream)
{
  size_t given = bytes;
  return sort_of(dtype, reinterpret_cast<void *>(temporary), given, arrays->values != 0, arrays, n,
                 static_cast<cudaStream_t>(stream));
}
