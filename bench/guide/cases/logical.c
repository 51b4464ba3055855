#include "guide/guide.h"

enum { WORDS = 16 };

void xb_guide_case_logical(xb_guide *g)
{
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
                    "glslc runs both sides: of && %u times, of || %u, of ?: %u, where CUDA does not", out[0], out[1],
                    out[2]);
  else
    xb_guide_seen(g, "operands that CUDA skips are evaluated: of && %u times, of || %u, of ?: %u", out[0], out[1],
                  out[2]);
  xb_guide_keep(g, "side effects of &&, || and ?:", out, WORDS);
}
