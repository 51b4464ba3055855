#include "guide/guide.h"

enum { N = 400, TABLES = 4, LENGTH = N / TABLES, GAP = 3 };

void xb_guide_case_tables(xb_guide *g)
{
  uint32_t in[TABLES * (LENGTH + GAP + 1)] = {0}, out[N] = {0}, expected[N];
  for (uint32_t t = 0; t < TABLES; t++) {
    in[t] = TABLES + t * (LENGTH + GAP);
    for (uint32_t i = 0; i < LENGTH; i++)
      expected[i * TABLES + t] = in[in[t] + i] = xb_guide_random(t * LENGTH + i);
  }
  const xb_guide_job job = {.entry = "gather", XB_GUIDE_IN(in), XB_GUIDE_OUT(out), .args = {.n = N}};
  xb_guide_expect(g, &job, "an array of pointers, as offsets into one buffer", expected);
}
