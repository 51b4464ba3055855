#include "guide/guide.h"

#include <math.h>

enum { N = 1000 };

static uint32_t key_of(float x)
{
  const uint32_t bits = xb_guide_bits(x);
  return bits >> 31 ? ~bits : bits | 0x80000000;
}

void xb_guide_case_maximum(xb_guide *g)
{
  uint32_t in[N], out = 0, expected;
  float most = -INFINITY;
  for (uint32_t i = 0; i < N; i++) {
    const float x = xb_guide_random_float(i, -900, -100);
    in[i] = xb_guide_bits(x);
    most = fmaxf(most, x);
  }
  expected = key_of(most);
  xb_guide_job job = {.entry = "largest", XB_GUIDE_IN(in), .out = &out, .out_bytes = sizeof out, .args = {.n = N}};
  if (!xb_guide_expect(g, &job, "the largest float of negative ones", &expected))
    return;
  in[N - 1] = xb_guide_bits(INFINITY);
  expected = key_of(INFINITY);
  xb_guide_expect(g, &job, "the largest float is infinite", &expected);
}
