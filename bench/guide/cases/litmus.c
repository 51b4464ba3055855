#include "guide/guide.h"

#include <string.h>

/* STRIDE: words from one pair of threads to the next, so that pairs share no cache line. */
enum { GROUPS = 256, PAIRS = GROUPS / 2 * GUIDE_BLOCK, STRIDE = 32, RUNS = 8 };

/* How often the two words of a pair were 0 and 0, 0 and 1, 1 and 0, 1 and 1; or anything else. */
enum { NEITHER, SECOND, FIRST, BOTH, OTHER, OUTCOMES };

/* Runs a test RUNS times, and counts the outcomes of all pairs. False: an error of the device. */
static bool run(xb_guide *g, const char *entry, bool fences, uint32_t outcomes[OUTCOMES])
{
  uint32_t out[2 * PAIRS];
  const xb_guide_job job = {.entry = entry,
                            XB_GUIDE_OUT(out),
                            .scratch_bytes = 4 * STRIDE * PAIRS,
                            .groups = {GROUPS, 1, 1},
                            .args = {.n = GROUPS * GUIDE_BLOCK, .a = STRIDE, .b = fences}};
  memset(outcomes, 0, OUTCOMES * sizeof *outcomes);
  for (uint32_t i = 0; i < RUNS; i++) {
    memset(out, 0xee, sizeof out);
    if (!xb_guide_run(g, &job))
      return false;
    for (uint32_t p = 0; p < PAIRS; p++)
      outcomes[out[2 * p] < 2 && out[2 * p + 1] < 2 ? 2 * out[2 * p] + out[2 * p + 1] : OTHER]++;
  }
  xb_guide_seen(g, "%s%s: of %u pairs %u are 0 0, %u are 0 1, %u are 1 0, %u are 1 1", entry,
                fences ? ", with fences" : "", RUNS * PAIRS, outcomes[NEITHER], outcomes[SECOND], outcomes[FIRST],
                outcomes[BOTH]);
  return true;
}

void xb_guide_case_litmus(xb_guide *g)
{
  uint32_t n[OUTCOMES];
  if (!run(g, "message", false, n) || !run(g, "message", true, n))
    return;
  xb_guide_assert(g, !n[FIRST] && !n[OTHER], "message passing: with fences the flag was never seen without the data");
  if (!run(g, "buffering", false, n) || !run(g, "buffering", true, n))
    return;
  if (g->cuda)
    xb_guide_assert(g, !n[NEITHER] && !n[OTHER], "store buffering: with fences one side at least read the other's 1");
  else
    xb_guide_seen(g, "store buffering: with fences both sides read 0 in %u pairs; Vulkan allows it", n[NEITHER]);
  if (!run(g, "coherence", false, n))
    return;
  xb_guide_assert(g, !n[FIRST] && !n[OTHER], "coherence: a word was never older at the second look, without fences");
  if (!run(g, "decide", false, n))
    return;
  xb_guide_assert(g, n[FIRST] + n[SECOND] == RUNS * PAIRS, "deciding by one exchange: exactly one side was first");
}
