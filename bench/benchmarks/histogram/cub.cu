// C functions that call CUB: see xb_cub in benchmarks/library.h.
#include <cstdint>

#include <cub/device/device_histogram.cuh>

// Bins of equal width between 0 and `levels_end`.
template <typename T, typename Level>
static cudaError_t even(int bins, Level levels_end, void *temporary, size_t &bytes, uint64_t in, uint64_t out,
                        uint64_t n, cudaStream_t stream)
{
  return cub::DeviceHistogram::HistogramEven(temporary, bytes, reinterpret_cast<const T *>(in),
                                             reinterpret_cast<uint32_t *>(out), bins + 1, Level(0), levels_end,
                                             static_cast<int64_t>(n), stream);
}

static const char *histogram(int keys, void *temporary, size_t &bytes, uint64_t in, uint64_t out, uint64_t n,
                             cudaStream_t stream)
{
  const cudaError_t error =
      keys ? even<uint32_t, uint64_t>(65536, uint64_t(1) << 32, temporary, bytes, in, out, n, stream)
           : even<uint8_t, int>(256, 256, temporary, bytes, in, out, n, stream);
  return error ? cudaGetErrorString(error) : nullptr;
}

extern "C" const char *xb_histogram_cub_bytes(int keys, uint64_t n, uint64_t *bytes)
{
  size_t needed = 0;
  const char *why = histogram(keys, nullptr, needed, 0, 0, n, nullptr);
  *bytes = needed;
  return why;
}

extern "C" const char *xb_histogram_cub(int keys, uint64_t n, uint64_t in, uint64_t out, uint64_t temporary,
                                        uint64_t bytes, void *stream)
{
  size_t given = bytes;
  return histogram(keys, reinterpret_cast<void *>(temporary), given, in, out, n, static_cast<cudaStream_t>(stream));
}
