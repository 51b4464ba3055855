#include "guide/guide.h"

enum { N = 1000, GROUPS = (N + GUIDE_BLOCK - 1) / GUIDE_BLOCK };

void xb_guide_case_stay(xb_guide *g)
{
  uint32_t in[N], out[GROUPS] = {0}, expected[GROUPS] = {0};
  for (uint32_t i = 0; i < N; i++)
    expected[i / GUIDE_BLOCK] += in[i] = xb_guide_random(i);
  xb_guide_job job = {.entry = "stays", XB_GUIDE_IN(in), XB_GUIDE_OUT(out), .groups = {GROUPS, 1, 1}, .args = {.n = N}};
  if (!xb_guide_expect(g, &job, "sums of groups: all threads reach the barrier", expected) || !g->cuda)
    return;
  job.entry = "leaves";
  xb_guide_expect(g, &job, "sums of groups: threads that have returned do not count at the barrier", expected);
}
