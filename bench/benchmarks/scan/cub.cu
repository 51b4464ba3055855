// C functions that call CUB: see cub.h.
#include "benchmarks/scan/cub.h"

#include <cub/device/device_scan.cuh>

template <typename T>
static cudaError_t scan(bool exclusive, void *temporary, size_t &bytes, uint64_t in, uint64_t out, uint64_t n,
                        cudaStream_t stream)
{
  const T *from = reinterpret_cast<const T *>(in);
  T *to = reinterpret_cast<T *>(out);
  return exclusive ? cub::DeviceScan::ExclusiveSum(temporary, bytes, from, to, static_cast<int64_t>(n), stream)
                   : cub::DeviceScan::InclusiveSum(temporary, bytes, from, to, static_cast<int64_t>(n), stream);
}

static const char *scan_of(int dtype, bool exclusive, void *temporary, size_t &bytes, uint64_t in, uint64_t out,
                           uint64_t n, cudaStream_t stream)
{
  // xb_dtype: 0 is float32; int32 sums wrap around, so they are computed as unsigned.
  const cudaError_t error = dtype == 0 ? scan<float>(exclusive, temporary, bytes, in, out, n, stream)
                                       : scan<uint32_t>(exclusive, temporary, bytes, in, out, n, stream);
  return error ? cudaGetErrorString(error) : nullptr;
}

extern "C" const char *xb_scan_cub_bytes(int dtype, int exclusive, uint64_t n, uint64_t *bytes)
{
  size_t needed = 0;
  const char *why = scan_of(dtype, exclusive, nullptr, needed, 0, 0, n, nullptr);
  *bytes = needed;
  return why;
}

extern "C" const char *xb_scan_cub(int dtype, int exclusive, uint64_t n, uint64_t in, uint64_t out, uint64_t temporary,
                                   uint64_t bytes, void *stream)
{
  size_t given = bytes;
  return scan_of(dtype, exclusive, reinterpret_cast<void *>(temporary), given, in, out, n,
                 static_cast<cudaStream_t>(stream));
}
