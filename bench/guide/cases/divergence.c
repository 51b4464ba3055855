#include "guide/guide.h"

enum { N = 1000, MARK = 12345 };

void xb_guide_case_divergence(xb_guide *g)
{
  uint32_t in[N], sums[4] = {0}, expected[4] = {0}, votes[3] = {0, 0, 1}, expected_votes[3] = {0, 1, 0};
  for (uint32_t i = 0; i < N; i++) {
    const uint32_t x = in[i] = i == N / 2 ? MARK : xb_guide_random(i) % 10000;
    const uint32_t slot = x % 3 == 0 ? 0 : 2;
    expected[slot]++;
    expected[slot + 1] += x;
  }
  expected_votes[0] = expected[0];
  xb_guide_job job = {.entry = "branch",
                      .in = in,
                      .in_bytes = sizeof in,
                      .out = sums,
                      .out_bytes = sizeof sums,
                      .args = {.n = N, .a = MARK}};
  if (!xb_guide_run(g, &job))
    return;
  xb_guide_same(g, "counts and sums over the lanes of each side of a branch", sums, expected, 4);
  job.entry = "votes";
  job.out = votes;
  job.out_bytes = sizeof votes;
  if (xb_guide_run(g, &job))
    xb_guide_same(g, "ballot, any and all", votes, expected_votes, 3);
}
