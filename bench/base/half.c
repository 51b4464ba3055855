#include "base/half.h"

#include <math.h>
#include <string.h>

double xb_half_value(uint32_t bits)
{
  enum { BIAS = 15, WIDE_BIAS = 1023 };
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const uint64_t wide = (uint64_t)(exponent - BIAS + WIDE_BIAS) << 52 | (uint64_t)fraction << 42;
  double size;
  memcpy(&size, &wide, sizeof size);
  if (exponent == 0)
    size = fraction * 0x1p-24;
  else if (exponent == 31)
    size = fraction ? NAN : INFINITY;
  return bits & 0x8000 ? -size : size;
}

/* To the nearest multiple of a unit in the last place, by adding and subtracting a number whose own is that unit. */
static double half_round(double value)
{
  enum { BIAS = 1023, FRACTION = 52, HALF_FRACTION = 10, LEAST = -14 };
  uint64_t bits;
  double shift;
  memcpy(&bits, &value, sizeof bits);
  const int exponent = (int)(bits >> FRACTION & 2047) - BIAS;
  if (!isfinite(value) || exponent > 16)
    return isnan(value) ? value : copysign(INFINITY, value);
  bits = (uint64_t)((exponent < LEAST ? LEAST : exponent) - HALF_FRACTION + FRACTION + BIAS) << FRACTION |
         1ull << (FRACTION - 1);
  memcpy(&shift, &bits, sizeof shift);
  const double rounded = value + shift - shift;
  return fabs(rounded) > 65504 ? copysign(INFINITY, value) : copysign(rounded, value);
}

uint32_t xb_half_bits(double value)
{
  const double rounded = fabs(half_round(value));
  const uint32_t sign = signbit(value) ? 0x8000 : 0;
  if (!isfinite(rounded))
    return sign | 0x7C00 | (isnan(rounded) ? 0x200 : 0);
  if (rounded < 0x1p-14)
    return sign | (uint32_t)ldexp(rounded, 24);
  const int exponent = ilogb(rounded);
  return sign | (uint32_t)(exponent + 15) << 10 | ((uint32_t)ldexp(rounded, 10 - exponent) & 1023);
}
