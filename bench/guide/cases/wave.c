#include "guide/guide.h"

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
    xb_guide_assert(g, wrong[0] == total, "the sum that takes the wave for 32 is right here: the wave has 32 lanes");
  else
    xb_guide_assert(g, wrong[0] != total, "the sum that takes the wave for 32 is wrong here: %u, not %u%s", wrong[0],
                    total, wrong[0] == sum_by_32(in, wave) ? "; it adds up the waves of every 32nd thread" : "");
}
