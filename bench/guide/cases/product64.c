#include "guide/guide.h"

#include <string.h>

enum { N = 256, FIXED = 4 };

static uint64_t high_of(uint64_t x, uint64_t y)
{
  const uint64_t xl = (uint32_t)x, xh = x >> 32, yl = (uint32_t)y, yh = y >> 32;
  const uint64_t middle = xh * yl + (xl * yl >> 32), carry = (uint32_t)middle + xl * yh;
  return xh * yh + (middle >> 32) + (carry >> 32);
}

void xb_guide_case_product64(xb_guide *g)
{
  static const uint64_t fixed[FIXED] = {0, UINT64_MAX, 0xffffffff, 0x100000000};
  uint64_t in[2 * N], out[N] = {0}, expected[N];
  for (uint32_t i = 0; i < 2 * N; i++)
    in[i] = i < 2 * FIXED * FIXED ? fixed[i % 2 ? i / 2 / FIXED : i / 2 % FIXED]
                                  : (uint64_t)xb_guide_random(i) << 32 | xb_guide_random(i + 2 * N);
  for (uint32_t i = 0; i < N; i++)
    expected[i] = high_of(in[2 * i], in[2 * i + 1]);
  xb_guide_job job = {.entry = "words", XB_GUIDE_IN(in), XB_GUIDE_OUT(out), .args = {.n = N}};
  if (!xb_guide_expect(g, &job, "the high 64 bits from 32-bit words", expected))
    return;
  xb_guide_cost(g, "from 32-bit words", &job);
  job.entry = "wide";
  memset(out, 0, sizeof out);
  if (xb_guide_optional(g, &job, "64-bit integers"))
    xb_guide_same(g, "the high 64 bits by 64-bit integers", (const uint32_t *)out, (const uint32_t *)expected, 2 * N);
}
