/* Cases of the guide: branches, barriers and the threads around them, and waves. */
#include "guide/guide.h"

void xb_guide_case_divergence(xb_guide *g)
{
  enum { N = 1000, MARK = 12345 };
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

void xb_guide_case_logical(xb_guide *g)
{
  enum { WORDS = 16 };
  static const uint32_t expected[WORDS] = {[9] = 1, [10] = 5};
  uint32_t out[WORDS] = {0}, nested[WORDS] = {0};
  xb_guide_job job = {.entry = "nested", XB_GUIDE_OUT(nested), .group_size = {1, 1, 1}, .groups = {1, 1, 1}};
  if (!xb_guide_expect(g, &job, "nested statements: nothing runs that should not", expected))
    return;
  job.entry = "both_sides";
  job.out = out;
  if (!xb_guide_run(g, &job))
    return;
  xb_guide_assert(g, out[8] == 0 && out[9] == 1 && out[10] == 5, "&&, || and ?: have the right value");
  if (g->cuda)
    xb_guide_assert(g, !out[0] && !out[1] && !out[2], "&&, || and ?: skip operands that are not needed");
  else if (g->glslc)
    xb_guide_assert(g, out[0] && out[1] && out[2],
                    "glslc runs both sides, which CUDA does not: && %u times, || %u, ?: %u", out[0], out[1], out[2]);
  else
    xb_guide_seen(g, "operands that CUDA skips are evaluated: && %u times, || %u, ?: %u", out[0], out[1], out[2]);
  xb_guide_keep(g, "side effects of &&, || and ?:", out, WORDS);
}

void xb_guide_case_stay(xb_guide *g)
{
  enum { N = 1000, GROUPS = (N + GUIDE_BLOCK - 1) / GUIDE_BLOCK };
  uint32_t in[N], out[GROUPS] = {0}, expected[GROUPS] = {0};
  for (uint32_t i = 0; i < N; i++)
    expected[i / GUIDE_BLOCK] += in[i] = xb_guide_random(i);
  xb_guide_job job = {.entry = "stays", XB_GUIDE_IN(in), XB_GUIDE_OUT(out), .groups = {GROUPS, 1, 1}, .args = {.n = N}};
  if (!xb_guide_expect(g, &job, "sums of groups: all threads reach the barrier", expected) || !g->cuda)
    return;
  job.entry = "leaves";
  xb_guide_expect(g, &job, "sums of groups: threads that have returned do not count at the barrier", expected);
}

void xb_guide_case_tiles(xb_guide *g)
{
  enum { N = 1000, TILE = 8, TILES = N / TILE };
  uint32_t in[N], out[2 * TILES] = {0}, expected[2 * TILES] = {0};
  for (uint32_t i = 0; i < N; i++)
    expected[i / TILE * 2] += in[i] = xb_guide_random(i);
  for (uint32_t i = 0; i < TILES; i++)
    expected[2 * i + 1] = expected[2 * i];
  const xb_guide_job job = {.entry = "tiles", XB_GUIDE_IN(in), XB_GUIDE_OUT(out), .full_waves = true, .args = {.n = N}};
  if (xb_guide_optional(g, &job, "full waves"))
    xb_guide_same(g, "sums of tiles of 8, by lanes and by memory", out, expected, 2 * TILES);
}

void xb_guide_case_finish(xb_guide *g)
{
  enum { N = 20000, GROUPS = (N + GUIDE_BLOCK - 1) / GUIDE_BLOCK, RUNS = 25 };
  uint32_t in[N];
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

enum { N = GUIDE_WAVE_BLOCK };

/* The result of the port that assumes waves of 32 lanes: the sum of the waves that contain every 32nd thread. It is
 * exact only if waves are neighbouring threads, which no specification guarantees. */
static uint32_t sum_by_32(const uint32_t *in, uint32_t wave)
{
  uint32_t sum = 0;
  for (uint32_t tid = 0; tid < N; tid += 32)
    for (uint32_t i = tid / wave * wave; i < tid / wave * wave + wave && i < N; i++)
      sum += in[i];
  return sum;
}

void xb_guide_case_wave(xb_guide *g)
{
  uint32_t in[N], total = 0, right[4] = {0}, wrong[4] = {0};
  for (uint32_t i = 0; i < N; i++)
    total += in[i] = 1 + xb_guide_random(i) % 1000;
  xb_guide_job job = {.entry = "any_size",
                      XB_GUIDE_IN(in),
                      XB_GUIDE_OUT(right),
                      .group_size = {N, 1, 1},
                      .groups = {1, 1, 1},
                      .args = {.n = N}};
  if (!xb_guide_run(g, &job))
    return;
  const uint32_t wave = right[1];
  xb_guide_assert(g, wave == g->info->subgroup_size && (!g->cuda || wave == 32),
                  "the wave has %u lanes, as the API says%s", wave, g->cuda ? ": 32 in CUDA" : "");
  xb_guide_assert(g, wave >= 1 && right[2] * wave >= N, "%u waves in a group of %u threads", right[2], N);
  if (right[3] == wave)
    xb_guide_assert(g, right[2] * wave == N, "%u lanes, counted by a ballot, and all waves are full", right[3]);
  else
    xb_guide_seen(g, "%u lanes, counted by a ballot: the API's number is not what runs", right[3]);
  xb_guide_same(g, "a sum that works for any wave size", right, &total, 1);

  job.entry = "assumes_32";
  job.out = wrong;
  if (!xb_guide_run(g, &job))
    return;
  if (wave == 32)
    xb_guide_assert(g, wrong[0] == total, "the sum that assumes 32 lanes is right here: the wave has 32 lanes");
  else
    xb_guide_assert(g, wrong[0] != total, "the sum that assumes 32 lanes is wrong here: %u, not %u%s", wrong[0], total,
                    wrong[0] == sum_by_32(in, wave) ? "; it adds up the waves of every 32nd thread" : "");
}
