#include "guide/guide.h"

enum { N = 1000, TILE = 8, TILES = N / TILE };

void xb_guide_case_tiles(xb_guide *g)
{
  uint32_t in[N], out[2 * TILES] = {0}, expected[2 * TILES] = {0};
  for (uint32_t i = 0; i < N; i++)
    expected[i / TILE * 2] += in[i] = xb_guide_random(i);
  for (uint32_t i = 0; i < TILES; i++)
    expected[2 * i + 1] = expected[2 * i];
  const xb_guide_job job = {.entry = "tiles", XB_GUIDE_IN(in), XB_GUIDE_OUT(out), .full_waves = true, .args = {.n = N}};
  if (xb_guide_optional(g, &job, "full waves"))
    xb_guide_same(g, "sums of tiles of 8, by lanes and by memory", out, expected, 2 * TILES);
}
