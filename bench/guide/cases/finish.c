#include "guide/guide.h"

enum { N = 20000, GROUPS = (N + GUIDE_BLOCK - 1) / GUIDE_BLOCK, RUNS = 25 };

void xb_guide_case_finish(xb_guide *g)
{
  static uint32_t in[N];
  uint32_t got[2] = {0}, expected[2] = {0, RUNS};
  for (uint32_t i = 0; i < N; i++) {
    in[i] = xb_guide_random(i);
    expected[0] += in[i];
  }
  const xb_guide_job job = {.entry = "last_group",
                            XB_GUIDE_IN(in),
                            XB_GUIDE_OUT(got),
                            .scratch_bytes = 4 + 4 * GROUPS,
                            .groups = {GROUPS, 1, 1},
                            .times = RUNS,
                            .args = {.n = N, .a = GROUPS}};
  if (!xb_guide_run(g, &job))
    return;
  xb_guide_seen(g, "%u groups, %u dispatches; in each, one group adds the results of the others", GROUPS, RUNS);
  xb_guide_same(g, "the sum, and one last group in each dispatch (the counter was reset)", got, expected, 2);
}
