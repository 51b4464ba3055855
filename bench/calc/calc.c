#include "calc/calc.h"

#include "measure/occupancy.h"

#include <string.h>

enum { WORD = 4, SERVED = 32, SEGMENT = 32, OLD_SEGMENT = 128 };

#define SPEC "NVIDIA's data sheet"
/* clang-format off */
const xb_calc_gpu xb_calc_gpus[] = {
    {"g80", "GeForce 8800 GTX", "Young, slide 'What is Our Optimization Goal?'; CS 677, slide 'How about performance on GPU?'", 10, 900, 384, 2, 346.5, false},
    {"gt200", "GeForce GTX 280", "Optimizing CUDA, slide 'Theoretical Bandwidth'; peak: " SPEC, 13, 1107, 512, 2, 622, false},
    {"c1060", "Tesla C1060", "Optimizing CUDA, slide 'Host-Device Data Transfers': 102 GB/s; the rest: " SPEC, 13, 800, 512, 2, 622, false},
    {"k20x", "Tesla K20x", "National Tsing Hua University, slide 'Example: Matrix Multiply': 250 GB/s, 3950 GFLOPS; the rest: " SPEC, 35, 2600, 384, 2, 3950, false},
    {"v100", "Tesla V100", "Best Practices Guide, section 8.2.1; peak: " SPEC, 70, 877, 4096, 2, 15700, true},
    {"a100", "A100 40 GB", SPEC, 80, 1215, 5120, 2, 19500, true},
    {"h100", "H100 SXM", SPEC, 90, 2619, 5120, 2, 66900, true},
    {"h200", "H200 SXM", SPEC, 90, 3201, 6144, 2, 66900, true},
    {NULL, NULL, NULL, 0, 0, 0, 0, 0, false}};
/* clang-format on */

double xb_calc_bandwidth(double clock_mhz, double bits, double rate)
{
  return clock_mhz * 1e6 * (bits / 8) * rate / 1e9;
}

xb_calc_rules xb_calc_rules_of(uint32_t capability)
{
  if (capability < 20)
    return (xb_calc_rules){.threads = 16, .banks = 16, .segment = OLD_SEGMENT, .in_order = capability < 12};
  return (xb_calc_rules){.threads = SERVED, .banks = 32, .segment = SEGMENT};
}

uint32_t xb_calc_ways(const xb_calc_rules *r, uint64_t stride)
{
  uint32_t most = 0;
  for (uint32_t bank = 0; bank < r->banks; bank++) {
    uint32_t asked = 0;
    for (uint32_t k = 0; k < r->threads; k++)
      asked += k * stride % r->banks == bank && (stride || !k);
    most = asked > most ? asked : most;
  }
  return most;
}

/* Of 1.2 and 1.3: a segment of 128 bytes is halved, twice at most, as long as only one half is used. */
static uint64_t reduced(uint64_t segment, const uint64_t *first, const uint64_t *last, uint32_t threads)
{
  uint64_t low = UINT64_MAX, high = 0, begin = segment * OLD_SEGMENT, bytes = OLD_SEGMENT;
  for (uint32_t k = 0; k < threads; k++)
    if (first[k] / OLD_SEGMENT == segment) {
      low = first[k] < low ? first[k] : low;
      high = last[k] > high ? last[k] : high;
    }
  while (bytes > SEGMENT && (high < begin + bytes / 2 || low >= begin + bytes / 2)) {
    bytes /= 2;
    begin += low >= begin + bytes ? bytes : 0;
  }
  return bytes;
}

xb_calc_segments xb_calc_segments_of(const xb_calc_rules *r, uint64_t offset, uint64_t stride, uint32_t bytes)
{
  uint64_t first[SERVED], last[SERVED];
  xb_calc_segments s = {.asked = (uint64_t)r->threads * bytes};
  for (uint32_t k = 0; k < r->threads; k++) {
    first[k] = (offset + k * stride) * bytes;
    last[k] = first[k] + bytes - 1;
  }
  if (r->in_order) { /* of 1.0 and 1.1: one transaction for each 128 bytes, or one for each thread */
    const bool coalesced = stride == 1 && first[0] % s.asked == 0;
    s.count = coalesced ? (uint32_t)((s.asked + OLD_SEGMENT - 1) / OLD_SEGMENT) : r->threads;
    s.moved = coalesced ? s.asked : (uint64_t)r->threads * SEGMENT;
    return s;
  }
  for (uint32_t k = 0; k < r->threads; k++) {
    bool seen = false;
    for (uint32_t before = 0; before < k; before++)
      seen |= first[before] / r->segment == first[k] / r->segment;
    s.count += !seen;
    s.moved += seen ? 0 : r->segment == SEGMENT ? SEGMENT : reduced(first[k] / r->segment, first, last, r->threads);
  }
  return s;
}

xb_calc_tile xb_calc_tile_of(const xb_calc_gpu *gpu, uint64_t tile, uint64_t width)
{
  const xb_multiprocessor *m = &xb_capability_of(gpu->capability)->has;
  const double bandwidth = xb_calc_bandwidth(gpu->clock_mhz, gpu->bits, gpu->rate);
  xb_calc_tile t = {.threads = tile * tile, .shared_bytes = 2 * tile * tile * WORD, .cgma = (double)tile};
  t.blocks = (width + tile - 1) / tile * ((width + tile - 1) / tile);
  t.loads = 2 * t.threads;
  t.operations = 2 * t.threads * tile;
  t.by_threads = t.threads <= m->most_group ? (uint32_t)(m->threads / t.threads) : 0;
  t.by_shared = (uint32_t)(m->shared_bytes / t.shared_bytes);
  t.resident = t.by_threads < t.by_shared ? t.by_threads : t.by_shared;
  t.resident = t.resident < m->groups ? t.resident : m->groups;
  t.bound_gflops = bandwidth / WORD * t.cgma;
  t.needed_gbps = gpu->peak_gflops * WORD;
  t.balance = t.needed_gbps / bandwidth;
  return t;
}
