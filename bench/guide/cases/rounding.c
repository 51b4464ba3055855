#include "guide/guide.h"

/* x, roundf(x), and what cutting x + 0.5 gives if additions are rounded to nearest. No result is -0. */
static const struct {
  float x, expected, by_adding;
} TABLE[] = {
    {0, 0, 0},
    {0.49999997f, 0, 1},
    {0.5f, 1, 1},
    {-0.5f, -1, -1},
    {1.5f, 2, 2},
    {2.5f, 3, 3},
    {-2.5f, -3, -3},
    {2.49999976f, 2, 2},
    {8388607.5f, 8388608, 8388608},
    {8388609, 8388609, 8388610},
    {-8388609, -8388609, -8388610},
    {16777216, 16777216, 16777216},
    {1e30f, 1e30f, 1e30f},
};
enum { N = sizeof TABLE / sizeof *TABLE };

void xb_guide_case_rounding(xb_guide *g)
{
  uint32_t in[N], out[N] = {0}, expected[N], wrong = 0, as_told = 0;
  for (uint32_t i = 0; i < N; i++) {
    in[i] = xb_guide_bits(TABLE[i].x);
    expected[i] = xb_guide_bits(TABLE[i].expected);
  }
  xb_guide_job job = {.entry = "half_away", XB_GUIDE_IN(in), XB_GUIDE_OUT(out), .args = {.n = N}};
  if (!xb_guide_expect(g, &job, "halves away from 0", expected))
    return;
  job.entry = "by_adding";
  if (!xb_guide_run(g, &job))
    return;
  for (uint32_t i = 0; i < N; i++) {
    wrong += out[i] != expected[i];
    as_told += out[i] == xb_guide_bits(TABLE[i].by_adding);
  }
  if (g->cuda || as_told == N)
    xb_guide_assert(g, as_told == N,
                    "trunc(x + 0.5) is wrong for %u of %u numbers: 0.49999997 becomes 1, 8388609 becomes 8388610",
                    wrong, (unsigned)N);
  else
    xb_guide_seen(g, "trunc(x + 0.5) is wrong for %u of %u numbers; this device does not round to nearest", wrong,
                  (unsigned)N);
}
