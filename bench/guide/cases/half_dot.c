#include "guide/guide.h"

#include <math.h>

enum { N = 500 };

/* A normal half of random bits: exponents 8 to 23 of 31, so that nothing overflows or becomes denormal. */
static uint32_t random_half(uint32_t i)
{
  const uint32_t bits = xb_guide_random(i);
  return (bits & 0x83ff) | (8 + (bits >> 16) % 16) << 10;
}

static float value_of(uint32_t half)
{
  const float size = ldexpf((float)(1024 + (half & 0x3ff)), (int)(half >> 10 & 31) - 25);
  return half & 0x8000 ? -size : size;
}

void xb_guide_case_half_dot(xb_guide *g)
{
  uint32_t in[2 * N], out[N] = {0}, expected[N];
  for (uint32_t i = 0; i < N; i++) {
    const uint32_t a = random_half(4 * i), b = random_half(4 * i + 1), c = random_half(4 * i + 2);
    const uint32_t d = random_half(4 * i + 3);
    in[2 * i] = a | b << 16;
    in[2 * i + 1] = c | d << 16;
    expected[i] = xb_guide_bits((float)((double)value_of(a) * value_of(c) + (double)value_of(b) * value_of(d)));
  }
  const xb_guide_job job = {.entry = "dots", XB_GUIDE_IN(in), XB_GUIDE_OUT(out), .args = {.n = N}};
  if (xb_guide_expect(g, &job, "a dot product of packed halves", expected))
    xb_guide_cost(g, "packed halves", &job);
}
