#include "benchmarks/pattern.h"
#include "benchmarks/input.h"

#include <inttypes.h>
#include <stdio.h>

enum { SEGMENT_WORDS = 8 }; /* 32 bytes, the unit in which a GPU's memory moves data */

/* ---- Check ------------------------------------------------------------------------------------------------------ */

typedef struct question {
  xb_pattern pattern;
  xb_dtype dtype;
  uint64_t seed;
} question;

static void expect(const void *user, uint64_t first, uint64_t count, uint32_t *expected)
{
  const question *q = user;
  const xb_pattern p = q->pattern;
  const uint64_t thread = first <= p.first ? 0 : xb_ceil_div(first - p.first, p.step); /* the first thread in here */
  for (uint64_t k = 0; k < count; k++)
    expected[k] = XB_POISON;
  for (uint64_t i = thread, at = p.first + i * p.step; i < p.count && at < first + count; i++, at += p.step)
    xb_bits(q->dtype, q->seed, at, 1, &expected[at - first]);
}

static bool touches(xb_pattern p, uint64_t element)
{
  return element >= p.first && (element - p.first) % p.step == 0 && (element - p.first) / p.step < p.count;
}

bool xb_pattern_check(const xb_case *c, xb_pattern pattern, const xb_chunk *chunk, char why[XB_WHY_BYTES])
{
  const question q = {pattern, c->dtype, c->seed};
  uint64_t element;
  char bits[64];
  return xb_words_match(chunk, expect, &q, &element, bits) ||
         xb_wrong(why, "element %" PRIu64 " %s%s", element, bits,
                  touches(pattern, element) ? "" : ", unchanged: the kernel must not write there");
}

/* ---- Model ------------------------------------------------------------------------------------------------------ */

/* The mean over as many waves as a segment has words. Later waves repeat the alignment of these. */
static double segments(uint32_t threads, xb_pattern p)
{
  uint64_t sum = 0;
  for (uint64_t wave = 0; wave < SEGMENT_WORDS; wave++) {
    const uint64_t first = p.first + wave * threads * p.step, last = first + (threads - 1) * p.step;
    sum += p.step >= SEGMENT_WORDS ? threads : last / SEGMENT_WORDS - first / SEGMENT_WORDS + 1;
  }
  return (double)sum / SEGMENT_WORDS;
}

uint32_t xb_model_lanes(const xb_device_info *device)
{
  return device->type == XB_DEVICE_CPU ? 32 : device->subgroup_size;
}

xb_model xb_pattern_model(const xb_case *c, xb_pattern pattern, xb_pattern base)
{
  const uint32_t threads = xb_model_lanes(c->device);
  const double value = segments(threads, pattern);
  return (xb_model){"segments", "32-byte segments a wave", value, segments(threads, base) / value};
}
