#include "guide/guide.h"

#include <float.h>
#include <math.h>

enum { N = 4000, GROUPS = (N + GUIDE_BLOCK - 1) / GUIDE_BLOCK };

static bool add(xb_guide *g, const char *entry, const uint32_t *in, uint32_t n, uint32_t *out, uint32_t words,
                const char *cost)
{
  const xb_guide_job job = {
      .entry = entry, .in = in, .in_bytes = n * 4, .out = out, .out_bytes = words * 4, .args = {.n = n}};
  for (uint32_t i = 0; i < words; i++)
    out[i] = 0;
  if (!xb_guide_run(g, &job))
    return false;
  if (cost)
    xb_guide_cost(g, cost, &job);
  return true;
}

/* The kernel's summation tree for one group. */
static float tree(const uint32_t *in, uint32_t n)
{
  float tile[GUIDE_BLOCK] = {0};
  for (uint32_t i = 0; i < n; i++)
    tile[i] = xb_guide_float(in[i]);
  for (uint32_t s = GUIDE_BLOCK / 2; s > 0; s >>= 1)
    for (uint32_t i = 0; i < s; i++)
      tile[i] += tile[i + s];
  return tile[0];
}

static bool run_two_phases(xb_guide *g, const uint32_t *in)
{
  uint32_t sums[GROUPS], total, expected[GROUPS];
  if (!add(g, "two_phase", in, N, sums, GROUPS, "the first of two phases") ||
      !add(g, "two_phase", sums, GROUPS, &total, 1, "the second of two phases"))
    return false;
  for (uint32_t k = 0; k < GROUPS; k++) {
    const uint32_t left = N - k * GUIDE_BLOCK;
    expected[k] = xb_guide_bits(tree(in + k * GUIDE_BLOCK, left < GUIDE_BLOCK ? left : GUIDE_BLOCK));
  }
  const uint32_t expected_total = xb_guide_bits(tree(expected, GROUPS));
  xb_guide_same(g, "two phases, always in the same order", &total, &expected_total, 1);
  return true;
}

/* (1e30 + 1) - 1e30 is 0, (1e30 - 1e30) + 1 is 1. The tree adds elements 0 and 2 first. */
static bool run_orders(xb_guide *g)
{
  const float big = 1e30f;
  const uint32_t small_first[] = {xb_guide_bits(big), xb_guide_bits(-big), xb_guide_bits(1)};
  const uint32_t big_first[] = {xb_guide_bits(big), xb_guide_bits(1), xb_guide_bits(-big)};
  uint32_t sums[2], expected[] = {xb_guide_bits(0), xb_guide_bits(1)};
  if (!add(g, "two_phase", small_first, 3, &sums[0], 1, NULL) || !add(g, "two_phase", big_first, 3, &sums[1], 1, NULL))
    return false;
  xb_guide_same(g, "1e30 + 1 - 1e30 in two orders: 0 and 1", sums, expected, 2);
  return true;
}

void xb_guide_case_float_add(xb_guide *g)
{
  uint32_t in[N], whole[N], got, fixed = 0;
  double sum = 0, magnitudes = 0;
  uint32_t whole_sum = 0;
  for (uint32_t i = 0; i < N; i++) {
    const float x = xb_guide_random_float(i, -0.5f, 1);
    in[i] = xb_guide_bits(x);
    sum += x;
    magnitudes += fabs(x);
    fixed += (uint32_t)(int32_t)(x * 1048576.0f);
    whole_sum += xb_guide_random(i) % 1000;
    whole[i] = xb_guide_bits((float)(xb_guide_random(i) % 1000));
  }
  const double bound = (N - 1) * (FLT_EPSILON / 2.0) * magnitudes; /* for N - 1 rounded additions in any order */
  const uint32_t exact = xb_guide_bits((float)whole_sum);          /* all sums are below 2^24, so nothing is rounded */
  if (!add(g, "cas", in, N, &got, 1, "a loop around compare-exchange"))
    return;
  xb_guide_near(g, "a loop around compare-exchange, any order", xb_guide_float(got), sum, bound);
  if (!add(g, "cas", whole, N, &got, 1, NULL))
    return;
  xb_guide_same(g, "the same over whole numbers", &got, &exact, 1);
  if (!add(g, "fixed_point", in, N, &got, 1, "fixed point"))
    return;
  xb_guide_same(g, "fixed point: whole multiples of 2^-20 in an integer atomic", &got, &fixed, 1);
  if (!run_two_phases(g, in) || !run_orders(g))
    return;
  if (!g->cuda) {
    xb_guide_seen(g, "a native atomic is left out: glslc 2023.2 and DXC have no word for it");
    return;
  }
  if (!add(g, "native", in, N, &got, 1, "CUDA's own atomicAdd"))
    return;
  xb_guide_near(g, "CUDA's own atomicAdd, any order", xb_guide_float(got), sum, bound);
}
