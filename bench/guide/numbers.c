#include "guide/guide.h"

#include <math.h>
#include <string.h>

uint32_t xb_guide_bits(float x)
{
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

float xb_guide_float(uint32_t bits)
{
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* Wellons' 32-bit hash. */
uint32_t xb_guide_random(uint32_t i)
{
  i = (i ^ i >> 16) * 0x7feb352du;
  i = (i ^ i >> 15) * 0x846ca68bu;
  return i ^ i >> 16;
}

float xb_guide_random_float(uint32_t i, float low, float high)
{
  return low + (float)(xb_guide_random(i) >> 8) / 16777216.0f * (high - low);
}

double xb_guide_ulp(float got, double exact)
{
  int exponent;
  frexp(exact, &exponent); /* exact is in [2^(exponent - 1), 2^exponent) */
  const int last_place = exponent - 24 < -149 ? -149 : exponent - 24;
  return fabs((double)got - exact) / ldexp(1, last_place);
}
