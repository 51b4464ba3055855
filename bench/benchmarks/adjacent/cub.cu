// C functions that call CUB: see xb_cub in benchmarks/library.h.
#include <cstdint>

#include <cub/device/device_adjacent_difference.cuh>

template <typename T>
static cudaError_t subtract(void *temporary, size_t &bytes, uint64_t in, uint64_t out, uint64_t n, cudaStream_t stream)
{
  return cub::DeviceAdjacentDifference::SubtractLeftCopy(temporary, bytes, reinterpret_cast<const T *>(in),
                                                         reinterpret_cast<T *>(out), static_cast<int64_t>(n),
                                                         cuda::std::minus<>(), stream);
}

static const char *subtract_of(int dtype, void *temporary, size_t &bytes, uint64_t in, uint64_t out, uint64_t n,
                               cudaStream_t stream)
{
  // xb_dtype: 0 is float32; int32 differences wrap around, so they are computed as unsigned.
  const cudaError_t error = dtype == 0 ? subtract<float>(temporary, bytes, in, out, n, stream)
                                       : subtract<uint32_t>(temporary, bytes, in, out, n, stream);
  return error ? cudaGetErrorString(error) : nullptr;
}

extern "C" const char *xb_adjacent_cub_bytes(int dtype, uint64_t n, uint64_t *bytes)
{
  size_t needed = 0;
  const char *why = subtract_of(dtype, nullptr, needed, 0, 0, n, nullptr);
  *bytes = needed;
  return why;
}

extern "C" const char *xb_adjacent_cub(int dtype, uint64_t n, uint64_t in, uint64_t out, uint64_t temporary,
                                       uint64_t bytes, void *stream)
{
  size_t given = bytes;
  return subtract_of(dtype, reinterpret_cast<void *>(temporary), given, in, out, n, static_cast<cudaStream_t>(stream));
}
