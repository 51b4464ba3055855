#include "guide/guide.h"

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
