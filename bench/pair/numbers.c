#include "pair/numbers.h"

#include "base/half.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

bool xb_is_float(xb_dtype dtype)
{
  return dtype == XB_FLOAT16 || dtype == XB_FLOAT32 || dtype == XB_FLOAT64;
}

static bool is_signed(xb_dtype dtype)
{
  return dtype == XB_INT8 || dtype == XB_INT16 || dtype == XB_INT32 || dtype == XB_INT64;
}

bool xb_dtype_find(const char *name, size_t length, xb_dtype *dtype)
{
  for (int d = 0; d < XB_ALL_DTYPES; d++)
    if (strlen(xb_dtype_name((xb_dtype)d)) == length && !strncasecmp(name, xb_dtype_name((xb_dtype)d), length)) {
      *dtype = (xb_dtype)d;
      return true;
    }
  return false;
}

bool xb_dtype_of(const char *kind, uint32_t bytes, xb_dtype *dtype)
{
  char name[24];
  snprintf(name, sizeof name, "%.8s%u", kind, 8 * bytes);
  return xb_dtype_find(name, strlen(name), dtype);
}

/* ---- Memory ----------------------------------------------------------------------------------------------------- */

static uint64_t bits_of(xb_dtype dtype, const void *from)
{
  uint64_t bits = 0;
  memcpy(&bits, from, xb_dtype_bytes(dtype)); /* little-endian, as .npy files and GPUs are */
  return bits;
}

void xb_put_integer(xb_dtype dtype, uint64_t value, void *to)
{
  if (xb_is_float(dtype))
    xb_put_number(dtype, (double)value, to);
  else
    memcpy(to, &value, xb_dtype_bytes(dtype));
}

int64_t xb_get_integer(xb_dtype dtype, const void *from)
{
  const unsigned unused = 64 - 8 * xb_dtype_bytes(dtype);
  const uint64_t bits = bits_of(dtype, from) << unused;
  return is_signed(dtype) ? (int64_t)bits >> unused : (int64_t)(bits >> unused);
}

double xb_get_number(xb_dtype dtype, const void *from)
{
  float f;
  double d;
  switch (dtype) {
  case XB_FLOAT16: return xb_half_value((uint32_t)bits_of(dtype, from));
  case XB_FLOAT32: return memcpy(&f, from, sizeof f), (double)f;
  case XB_FLOAT64: return memcpy(&d, from, sizeof d), d;
  case XB_UINT64: return (double)bits_of(dtype, from);
  default: return (double)xb_get_integer(dtype, from);
  }
}

void xb_put_number(xb_dtype dtype, double value, void *to)
{
  const float f = (float)value;
  const uint16_t h = (uint16_t)xb_half_bits(value);
  switch (dtype) {
  case XB_FLOAT16: memcpy(to, &h, sizeof h); break;
  case XB_FLOAT32: memcpy(to, &f, sizeof f); break;
  case XB_FLOAT64: memcpy(to, &value, sizeof value); break;
  default:
    xb_put_integer(
        dtype, value < 0 ? (uint64_t)(int64_t)fmax(value, -0x1p63) : (uint64_t)fmin(value, 0x1.fffffffffffffp63), to);
  }
}

/* ---- Comparing -------------------------------------------------------------------------------------------------- */

/* Neighbouring numbers of a float type are neighbouring integers here. */
static int64_t ordered(xb_dtype dtype, const void *from)
{
  const unsigned width = 8 * xb_dtype_bytes(dtype);
  const uint64_t bits = bits_of(dtype, from), sign = 1ull << (width - 1);
  return bits & sign ? -(int64_t)(bits & ~sign) : (int64_t)bits;
}

uint64_t xb_ulps(xb_dtype dtype, const void *a, const void *b)
{
  const bool floats = xb_is_float(dtype), wide = dtype == XB_UINT64;
  if (floats && (isnan(xb_get_number(dtype, a)) || isnan(xb_get_number(dtype, b))))
    return isnan(xb_get_number(dtype, a)) && isnan(xb_get_number(dtype, b)) ? 0 : UINT64_MAX;
  const int64_t x = floats ? ordered(dtype, a) : xb_get_integer(dtype, a);
  const int64_t y = floats ? ordered(dtype, b) : xb_get_integer(dtype, b);
  const bool less = wide ? (uint64_t)x < (uint64_t)y : x < y;
  return less ? (uint64_t)y - (uint64_t)x : (uint64_t)x - (uint64_t)y;
}

const char *xb_print_number(xb_dtype dtype, const void *from, char out[32])
{
  const int digits = dtype == XB_FLOAT64 ? 17 : dtype == XB_FLOAT32 ? 9 : 5;
  if (xb_is_float(dtype))
    snprintf(out, 32, "%.*g", digits, xb_get_number(dtype, from));
  else if (is_signed(dtype))
    snprintf(out, 32, "%" PRId64, xb_get_integer(dtype, from));
  else
    snprintf(out, 32, "%" PRIu64, bits_of(dtype, from));
  return out;
}
