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

/* ---- Elements, and their numbers in another layout -------------------------------------------------------------- */

uint32_t xb_number_offset(const xb_member *m, uint32_t i)
{
  const uint32_t bytes = xb_dtype_bytes(m->dtype);
  return m->row ? i / m->row * m->stride + i % m->row * bytes : i * bytes;
}

uint32_t xb_member_bytes(const xb_member *m)
{
  return m->count ? xb_number_offset(m, m->count - 1) + xb_dtype_bytes(m->dtype) : 0;
}

void xb_describe_members(const xb_element *e, char *text, size_t bytes)
{
  *text = 0;
  for (const xb_member *m = e->members; m < e->members + e->member_count; m++) {
    const size_t at = strlen(text);
    char many[16] = "";
    if (m->count > 1)
      snprintf(many, sizeof many, "x%u", m->count);
    snprintf(text + at, bytes - at, "%s%s%s %s", at ? ", " : "", xb_dtype_name(m->dtype), many, m->name ? m->name : "");
  }
}

bool xb_elements_differ(const xb_element *a, const xb_element *b)
{
  bool same = a->bytes == b->bytes && a->member_count == b->member_count;
  for (uint32_t i = 0; i < a->member_count && same; i++)
    same = a->members[i].dtype == b->members[i].dtype && a->members[i].count == b->members[i].count &&
           a->members[i].offset == b->members[i].offset && a->members[i].fractions == b->members[i].fractions;
  return !same;
}

bool xb_is_plain(const xb_element *e)
{
  return e->member_count == 1 && e->bytes == e->members[0].count * xb_dtype_bytes(e->members[0].dtype);
}

uint32_t xb_numbers_of(const xb_element *e, xb_number numbers[XB_MOST_NUMBERS])
{
  uint32_t count = 0;
  for (const xb_member *m = e->members; m < e->members + e->member_count; m++)
    for (uint32_t k = 0; k < m->count && count < XB_MOST_NUMBERS; k++)
      numbers[count++] = (xb_number){m, k, m->offset + xb_number_offset(m, k)};
  return count;
}

static void convert(const xb_number *from, const char *in, const xb_number *to, char *out)
{
  const xb_dtype was = from->member->dtype, is = to->member->dtype;
  in += from->offset;
  out += to->offset;
  if (from->member->fractions != to->member->fractions) { /* 255 is 1 */
    const double number = xb_get_number(was, in);
    xb_put_number(is, to->member->fractions ? rint(fmin(fmax(number, 0), 1) * 255) : number / 255, out);
  } else if (was == is)
    memcpy(out, in, xb_dtype_bytes(was));
  else if (xb_is_float(was) || xb_is_float(is))
    xb_put_number(is, xb_get_number(was, in), out);
  else /* all digits of 64-bit integers */
    xb_put_integer(is, (uint64_t)xb_get_integer(was, in), out);
}

bool xb_is_other_layout(const xb_element *a, const xb_element *b)
{
  xb_number of_a[XB_MOST_NUMBERS], of_b[XB_MOST_NUMBERS];
  const uint32_t count = xb_numbers_of(a, of_a);
  bool same = count && count == xb_numbers_of(b, of_b), moved = a->bytes != b->bytes;
  for (uint32_t i = 0; i < count && same; i++) {
    same = xb_dtype_bytes(of_a[i].member->dtype) == xb_dtype_bytes(of_b[i].member->dtype);
    moved |= of_a[i].offset != of_b[i].offset;
  }
  return same && moved;
}

/* The number of `from` that becomes number `w` of an element; `there_count`: there is none. */
static uint32_t find_number(const xb_number *there, uint32_t there_count, bool named, const xb_number *wanted,
                            uint32_t w)
{
  uint32_t t = named ? 0 : w;
  while (named && t < there_count &&
         (there[t].index != wanted[w].index || strcmp(there[t].member->name, wanted[w].member->name) != 0))
    t++;
  return t < there_count ? t : there_count;
}

bool xb_has_numbers(const xb_element *from, const xb_element *to)
{
  xb_number there[XB_MOST_NUMBERS], wanted[XB_MOST_NUMBERS];
  const uint32_t there_count = xb_numbers_of(from, there), wanted_count = xb_numbers_of(to, wanted);
  const bool named = from->members[0].name && to->members[0].name;
  uint32_t w = 0;
  while (w < wanted_count && find_number(there, there_count, named, wanted, w) < there_count)
    w++;
  return w == wanted_count;
}

void xb_repack(const xb_element *from, const void *data, uint64_t count, const xb_element *to, void *out)
{
  xb_number there[XB_MOST_NUMBERS], wanted[XB_MOST_NUMBERS];
  const uint32_t there_count = xb_numbers_of(from, there), wanted_count = xb_numbers_of(to, wanted);
  const bool named = from->members[0].name && to->members[0].name;
  memset(out, 0, count * to->bytes);
  for (uint32_t w = 0; w < wanted_count; w++) {
    const uint32_t t = find_number(there, there_count, named, wanted, w);
    for (uint64_t i = 0; i < count && t < there_count; i++)
      convert(&there[t], (const char *)data + i * from->bytes, &wanted[w], (char *)out + i * to->bytes);
  }
}
