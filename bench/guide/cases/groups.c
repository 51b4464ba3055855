/* Cases of the guide: grids of groups, an array of pointers, and a dispatch whose size the device decides. */
#include "guide/guide.h"

#include <stdlib.h>
#include <string.h>

enum { X = 3, Y = 5, Z = 2, THREADS = 24, IDS = X * Y * Z * THREADS * 4 };
enum { PROMISED = 65535, MANY = PROMISED + 38, GRID_X = 300 };

/* From HLSL's definition of SV_GroupIndex and SV_DispatchThreadID. */
static void expected_ids(uint32_t *ids)
{
  static const uint32_t size[3] = {4, 2, 3};
  for (uint32_t i = 0; i < IDS / 4; i++) {
    const uint32_t group = i / THREADS, thread = i % THREADS;
    ids[4 * i] = thread;
    ids[4 * i + 1] = group % X * size[0] + thread % 4;
    ids[4 * i + 2] = group / X % Y * size[1] + thread / 4 % 2;
    ids[4 * i + 3] = group / X / Y * size[2] + thread / 8;
  }
}

static bool run_ids(xb_guide *g)
{
  uint32_t got[IDS] = {0}, expected[IDS];
  expected_ids(expected);
  const xb_guide_job job = {
      .entry = "ids", XB_GUIDE_OUT(got), .group_size = {4, 2, 3}, .groups = {X, Y, Z}, .args = {.grid_x = X, .a = Y}};
  return xb_guide_expect(g, &job, "ids of threads in a 3 x 5 x 2 grid of 4 x 2 x 3 groups", expected);
}

static bool run_folded(xb_guide *g, uint32_t *got, const uint32_t *expected)
{
  const xb_guide_job job = {.entry = "fold",
                            .out = got,
                            .out_bytes = MANY * sizeof *got,
                            .groups = {GRID_X, (MANY + GRID_X - 1) / GRID_X, 1},
                            .args = {.n = MANY, .grid_x = GRID_X}};
  memset(got, 0, job.out_bytes);
  return xb_guide_expect(g, &job, "65,573 groups folded into x and y: each index comes once", expected);
}

/* One group more than allowed: core has to refuse it, because Vulkan and CUDA do not have to. */
static void run_beyond(xb_guide *g, uint32_t *got)
{
  xb_error error;
  const uint32_t most = g->info->max_groups[1];
  const xb_guide_job job = {.entry = "fold",
                            .out = got,
                            .out_bytes = MANY * sizeof *got,
                            .groups = {1, most + 1, 1},
                            .args = {.n = MANY, .grid_x = 1}};
  const xb_code code = xb_guide_try(g, &job, &error);
  xb_guide_assert(g, code == XB_INVALID, "%u groups in y, one more than allowed: %s", most + 1,
                  code ? error.message : "ran");
}

void xb_guide_case_groups(xb_guide *g)
{
  const uint32_t *most = g->info->max_groups;
  uint32_t *words = malloc(2 * MANY * sizeof *words);
  if (!words) {
    g->code = xb_fail(&g->error, XB_NOMEM, g->of->name, "out of host memory");
    return;
  }
  for (uint32_t i = 0; i < MANY; i++)
    words[MANY + i] = 1;
  xb_guide_seen(g, "allows %u x %u x %u groups", most[0], most[1], most[2]);
  xb_guide_assert(g, most[0] >= PROMISED && most[1] >= PROMISED && most[2] >= PROMISED,
                  "each dimension allows 65,535 groups, as guaranteed");
  if (g->cuda)
    xb_guide_assert(g, most[0] == 0x7fffffff && most[1] == PROMISED && most[2] == PROMISED,
                    "CUDA allows 2^31 - 1 groups in x and 65,535 in y and z");
  if (run_ids(g) && run_folded(g, words, words + MANY) && most[1] < 0xffffffff)
    run_beyond(g, words);
  free(words);
}

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
