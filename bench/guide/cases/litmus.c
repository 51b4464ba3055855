#include "guide/guide.h"

#include <string.h>

/* STRIDE: words from one pair of threads to the next, so that pairs share no cache line. */
enum { GROUPS = 256, PAIRS = GROUPS / 2 * GUIDE_BLOCK, STRIDE = 32, RUNS = 8 };

static uint32_t out[2 * PAIRS];

/* Runs a test RUNS times, and counts the pairs whose two words are `first` and `second`. False: an error of the device.
 */
static bool count(xb_guide *g, const char *entry, uint32_t fence, uint32_t first, uint32_t second, uint32_t *found)
{
  const xb_guide_job job = {.entry = entry,
                            XB_GUIDE_OUT(out),
                            .scratch_bytes = 4 * STRIDE * PAIRS,
                            .groups = {GROUPS, 1, 1},
                            .args = {.n = GROUPS * GUIDE_BLOCK, .a = STRIDE, .b = fence}};
  *found = 0;
  for (uint32_t run = 0; run < RUNS; run++) {
    memset(out, 0xee, sizeof out);
    if (!xb_guide_run(g, &job))
      return false;
    for (uint32_t i = 0; i < PAIRS; i++)
      *found += out[2 * i] == first && out[2 * i + 1] == second;
  }
  return true;
}

void xb_guide_case_litmus(xb_guide *g)
{
  uint32_t arrived, lost, fenced, bare;
  if (!count(g, "message", 1, 1, 1, &arrived) || !count(g, "message", 1, 1, 0, &lost) ||
      !count(g, "buffering", 1, 0, 0, &fenced) || !count(g, "buffering", 0, 0, 0, &bare))
    return;
  xb_guide_assert(g, !lost, "message passing: the flag was never seen without the data (%u of %u with it, %u without)",
                  arrived, RUNS * PAIRS, lost);
  if (g->cuda)
    xb_guide_assert(g, !fenced, "store buffering: with a fence between, both sides read 0 in %u of %u pairs", fenced,
                    RUNS * PAIRS);
  else
    xb_guide_seen(g, "store buffering: with a fence between, both sides read 0 in %u of %u pairs; Vulkan allows it",
                  fenced, RUNS * PAIRS);
  xb_guide_seen(g, "store buffering: without a fence, both sides read 0 in %u pairs", bare);
}
