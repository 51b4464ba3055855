/* Cases of the guide: an array of pointers, and a dispatch whose size the device decides. */
#include "guide/guide.h"

#include <string.h>

void xb_guide_case_tables(xb_guide *g)
{
  enum { N = 400, TABLES = 4, LENGTH = N / TABLES, GAP = 3 };
  uint32_t in[TABLES * (LENGTH + GAP + 1)] = {0}, out[N] = {0}, expected[N];
  for (uint32_t t = 0; t < TABLES; t++) {
    in[t] = TABLES + t * (LENGTH + GAP);
    for (uint32_t i = 0; i < LENGTH; i++)
      expected[i * TABLES + t] = in[in[t] + i] = xb_guide_random(t * LENGTH + i);
  }
  const xb_guide_job job = {.entry = "gather", XB_GUIDE_IN(in), XB_GUIDE_OUT(out), .args = {.n = N}};
  xb_guide_expect(g, &job, "an array of pointers, as offsets into one buffer", expected);
}

enum { N = 1000, FIXED_GROUPS = 2, COUNT = 3, LIST = 4 };

static void run(xb_guide *g, const char *what, uint32_t divisor)
{
  uint32_t in[N], out[N + 1], expected[N], chosen = 0;
  for (uint32_t i = 0; i < N; i++) {
    in[i] = xb_guide_random(i) | 1;
    expected[i] = in[i] % divisor ? 0 : in[i] / divisor + 1;
    chosen += in[i] % divisor == 0;
  }
  memset(out, 0xee, N * sizeof *out);
  out[N] = 0;
  const bool indirect = g->info->features & XB_FEATURE_INDIRECT;
  const xb_guide_job job = {.entry = "choose",
                            .then = "process",
                            .then_groups = indirect ? 0 : FIXED_GROUPS,
                            XB_GUIDE_IN(in),
                            XB_GUIDE_OUT(out),
                            .scratch_bytes = (LIST + N) * sizeof(uint32_t),
                            .args = {.n = N, .a = divisor}};
  if (!xb_guide_run(g, &job))
    return;
  xb_guide_same(g, what, out, expected, N);
  const uint32_t groups = indirect ? (chosen + GUIDE_BLOCK - 1) / GUIDE_BLOCK : FIXED_GROUPS;
  xb_guide_assert(g, out[N] == groups, "%u of %u elements are chosen: %u groups ran, %s", chosen, N, out[N],
                  indirect ? "as many as the device counted" : "a fixed number, which loop over the list");
}

void xb_guide_case_indirect(xb_guide *g)
{
  run(g, "a list that the device made, processed", 3);
  if (!g->code)
    run(g, "an empty list, processed", 2);
}
