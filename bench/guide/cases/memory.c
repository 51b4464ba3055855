/* Cases of the guide: atomics, and what threads see of each other's writes. */
#include "guide/guide.h"

#include <string.h>

enum { N = 1000, OLD = 16, LIMIT = 36 };

static bool run_operations(xb_guide *g)
{
  static const uint32_t mask = 0x0ff00ff0;
  uint32_t in[N], out[OLD + N] = {0}, expected[OLD + N] = {0};
  out[1] = out[3] = expected[1] = expected[3] = 0xffffffff;
  uint32_t exchanged = 0;
  for (uint32_t i = 0; i < N; i++) {
    const uint32_t x = in[i] = xb_guide_random(i);
    expected[0] += x;
    expected[1] = x < expected[1] ? x : expected[1];
    expected[2] = x > expected[2] ? x : expected[2];
    expected[3] &= x | mask;
    expected[4] |= x & mask;
    expected[5] ^= x;
    exchanged += x;
    expected[OLD + i] = 1;
  }
  expected[7] = 1;
  expected[8] = exchanged;
  expected[10] = N;
  const xb_guide_job job = {.entry = "operations", XB_GUIDE_IN(in), XB_GUIDE_OUT(out), .args = {.n = N, .a = mask}};
  if (!xb_guide_run(g, &job))
    return false;
  xb_guide_assert(g, out[6] >= 1 && out[6] <= N, "compare-exchange: thread %u of %u came first", out[6] - 1, N);
  out[6] = 0;
  out[8] += out[9]; /* the old values, and the last one */
  out[9] = 0;
  xb_guide_same(g, "add, min, max, and, or, xor, exchange, compare-exchange; each old value once", out, expected,
                OLD + N);
  return true;
}

void xb_guide_case_atomics(xb_guide *g)
{
  uint32_t out[OLD + LIMIT + 1] = {0}, expected[OLD + LIMIT + 1] = {0};
  if (!run_operations(g))
    return;
  for (uint32_t i = 0; i < N; i++) { /* the order does not matter */
    expected[OLD + expected[0]]++;
    expected[0] = expected[0] >= LIMIT ? 0 : expected[0] + 1;
  }
  const xb_guide_job job = {.entry = "wrap", XB_GUIDE_OUT(out), .args = {.n = N, .a = LIMIT}};
  if (!xb_guide_run(g, &job))
    return;
  xb_guide_cost(g, "a counter that wraps", &job);
  xb_guide_same(g, "a counter that wraps (CUDA: atomicInc; HLSL: a loop around compare-exchange)", out, expected,
                OLD + LIMIT + 1);
}

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
  xb_guide_assert(g, !n[FIRST] && !n[OTHER], "coherence: without fences, a second load never returned an older value");
  if (!run(g, "decide", false, n))
    return;
  xb_guide_assert(g, n[FIRST] + n[SECOND] == RUNS * PAIRS,
                  "mutual exclusion by one exchange: exactly one side came first");
}
