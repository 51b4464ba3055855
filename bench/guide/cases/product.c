#include "guide/guide.h"

enum { N = 256, FIXED = 4 };

void xb_guide_case_product(xb_guide *g)
{
  static const uint32_t fixed[2 * FIXED] = {0, 0xffffffff, 0xffffffff, 0xffffffff, 0x10000, 0x10000, 0xffff, 0x10001};
  uint32_t in[2 * N], out[N] = {0}, expected[N];
  for (uint32_t i = 0; i < 2 * N; i++)
    in[i] = i < 2 * FIXED ? fixed[i] : xb_guide_random(i);
  for (uint32_t i = 0; i < N; i++)
    expected[i] = (uint32_t)((uint64_t)in[2 * i] * in[2 * i + 1] >> 32);
  xb_guide_job job = {.entry = "halves", XB_GUIDE_IN(in), XB_GUIDE_OUT(out), .args = {.n = N}};
  if (!xb_guide_expect(g, &job, "the high half from 16-bit halves", expected))
    return;
  xb_guide_cost(g, "from 16-bit halves", &job);
  if (!g->cuda && xb_guide_lacks(g->of)) {
    xb_guide_seen(
        g, "the instruction is left out: this program was built without DXC; run script/fetch dxc, and build again");
    return;
  }
  job.entry = "instruction";
  for (uint32_t i = 0; i < N; i++)
    out[i] = 0;
  if (xb_guide_expect(g, &job, "the high half by one instruction", expected))
    xb_guide_cost(g, "by one instruction", &job);
}
