#include "benchmarks/pattern.h"
#include "benchmarks/input.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SEGMENT_WORDS = 8 }; /* 32 bytes: what a GPU's memory moves at once */

void xb_pattern_input(xb_dtype dtype, uint64_t seed, uint64_t first, uint64_t count, void *out)
{
  (void)dtype;
  xb_input(XB_INT32, seed, first, count, out);
}

/* ---- Check ------------------------------------------------------------------------------------------------------ */

enum { AT_ONCE = 4096 };

/* What elements [first, first + count) hold. */
static void expect(const xb_case *c, xb_pattern p, uint64_t first, uint64_t count, uint32_t expected[AT_ONCE])
{
  uint32_t words[AT_ONCE];
  const uint64_t i = first <= p.first ? 0 : (first - p.first + p.step - 1) / p.step; /* the first thread in here */
  const uint64_t from = p.first + i * p.step;
  uint64_t some = i < p.count && from < first + count ? (first + count - from - 1) / p.step + 1 : 0;
  if (some > p.count - i)
    some = p.count - i;
  for (uint64_t k = 0; k < count; k++)
    expected[k] = XB_POISON;
  xb_input_strided(XB_INT32, c->seed, from, p.step, some, words);
  for (uint64_t k = 0; k < some; k++)
    expected[from - first + k * p.step] = words[k];
}

static bool touches(xb_pattern p, uint64_t element)
{
  return element >= p.first && (element - p.first) % p.step == 0 && (element - p.first) / p.step < p.count;
}

bool xb_pattern_check(const xb_case *c, xb_pattern pattern, const xb_chunk *chunk, char why[XB_WHY_BYTES])
{
  uint32_t expected[AT_ONCE];
  const uint32_t *got = chunk->data;
  for (uint64_t done = 0; done < chunk->count; done += AT_ONCE) {
    const uint64_t some = chunk->count - done < AT_ONCE ? chunk->count - done : AT_ONCE;
    expect(c, pattern, chunk->first + done, some, expected);
    if (!memcmp(got + done, expected, some * sizeof *got))
      continue;
    uint64_t i = 0;
    while (got[done + i] == expected[i])
      i++;
    const uint64_t element = chunk->first + done + i;
    snprintf(why, XB_WHY_BYTES, "element %" PRIu64 " has the bits 0x%08" PRIx32 ", expected 0x%08" PRIx32 "%s", element,
             got[done + i], expected[i],
             touches(pattern, element) ? "" : ", as before: nothing is to be written there");
    return false;
  }
  return true;
}

/* ---- Model ------------------------------------------------------------------------------------------------------ */

/* The mean over as many waves as a segment has words: from there on, waves lie to the segments as the first ones do. */
static double segments(uint32_t threads, xb_pattern p)
{
  uint64_t sum = 0;
  for (uint64_t wave = 0; wave < SEGMENT_WORDS; wave++) {
    const uint64_t first = p.first + wave * threads * p.step, last = first + (threads - 1) * p.step;
    sum += p.step >= SEGMENT_WORDS ? threads : last / SEGMENT_WORDS - first / SEGMENT_WORDS + 1;
  }
  return (double)sum / SEGMENT_WORDS;
}

xb_model xb_pattern_model(const xb_case *c, xb_pattern pattern, xb_pattern base)
{
  const uint32_t threads = c->device->subgroup_size;
  const double value = segments(threads, pattern);
  return (xb_model){.name = "segments",
                    .unit = "32-byte segments a wave",
                    .value = value,
                    .relative = segments(threads, base) / value};
}
