#include "benchmarks/cub.cuh"

#include <cub/device/device_histogram.cuh>

// Bins of equal width between 0 and `levels_end`.
template <typename T, typename Level>
static cudaError_t even(int bins, Level levels_end, const xb_peer_call &c, void *workspace, size_t &bytes)
{
  return cub::DeviceHistogram::HistogramEven(workspace, bytes, array<const T>(c.address[0]),
                                             array<uint32_t>(c.address[1]), bins + 1, Level(0), levels_end,
                                             static_cast<int64_t>(c.n), static_cast<cudaStream_t>(c.stream));
}

// `what`: the elements are keys, not bytes.
static cudaError_t histogram(const xb_peer_call &c, void *workspace, size_t &bytes)
{
  return c.what ? even<uint32_t, uint64_t>(65536, uint64_t(1) << 32, c, workspace, bytes)
                : even<uint8_t, int>(256, 256, c, workspace, bytes);
}

XB_CUB(xb_histogram_cub, histogram)
