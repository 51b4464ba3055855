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
  const xb_guide_job branch = {.entry = "branch", XB_GUIDE_IN(in), XB_GUIDE_OUT(sums), .args = {.n = N, .a = MARK}};
  const xb_guide_job vote = {.entry = "votes", XB_GUIDE_IN(in), XB_GUIDE_OUT(votes), .args = {.n = N, .a = MARK}};
  if (xb_guide_expect(g, &branch, "counts and sums over the lanes of each side of a branch", expected))
    xb_guide_expect(g, &vote, "ballot, any and all", expected_votes);
}
