#include "pair/fill.h"

#include "benchmarks/input.h"
#include "os/paths.h"
#include "pair/numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"mixed", "uniform", "normal", "ramp", "constant", "permutation"};

xb_code xb_fill_parse(const char *where, const char *text, const char *folder, xb_arena *arena, xb_fill *fill,
                      xb_error *err)
{
  const size_t length = strcspn(text, "(");
  char *end = NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (strlen(names[i]) != length || strncmp(text, names[i], length) != 0)
      continue;
    static const double defaults[][2] = {{-1, 1}, {-1, 1}, {0, 1}, {0, 1}, {0, 0}, {0, 0}};
    fill->kind = (xb_fill_kind)i;
    fill->a = defaults[i][0];
    fill->b = defaults[i][1];
    fill->ranged = text[length];
    if (fill->ranged && fill->kind == XB_FILL_MIXED)
      return xb_fail(err, XB_INVALID, where, "'%s': mixed takes no range; use uniform(0, 2)", text);
    if (!fill->ranged && fill->kind != XB_FILL_CONSTANT)
      return XB_OK;
    if (fill->ranged)
      fill->a = strtod(text + length + 1, &end);
    if (end && *end == ',')
      fill->b = strtod(end + 1, &end);
    if (end && end > text + length + 1 && !strcmp(end, ")") && isfinite(fill->a) && isfinite(fill->b))
      return XB_OK;
    return xb_fail(err, XB_INVALID, where, "'%s': expected numbers in parentheses, such as %s(0, 2)", text, names[i]);
  }
  if (!xb_is_npy(text))
    return xb_fail(err, XB_INVALID, where,
                   "'%s': expected mixed, uniform, normal, ramp, constant, permutation, or the name of an .npy file",
                   text);
  fill->kind = XB_FILL_ARRAY;
  const char *path = xb_arena_text(arena, "%s%s", xb_is_absolute(text) ? "" : folder, text);
  return path ? xb_npy_read(path, fill->element, arena, &fill->array, err)
              : xb_fail(err, XB_NOMEM, where, "out of host memory");
}

/* ---- Random numbers --------------------------------------------------------------------------------------------- */

static uint64_t random_bits(uint64_t key, uint64_t i)
{
  return xb_mix(key + (i + 1) * 0x9E3779B97F4A7C15ull);
}

/* In (0, 1). */
static double unit(uint64_t bits)
{
  return ((double)(bits >> 12) + 0.5) * 0x1p-52;
}

/* A bijection of [0, length): a Feistel network over the next even power of two, repeated until the value fits. */
static uint64_t permuted(uint64_t key, uint64_t i, uint64_t length)
{
  unsigned half = 1;
  while (half < 32 && length > 1ull << 2 * half)
    half++;
  const uint64_t mask = (1ull << half) - 1;
  do {
    uint64_t left = i >> half, right = i & mask;
    for (unsigned round = 0; round < 4; round++) {
      const uint64_t next = left ^ (random_bits(key + round, right) & mask);
      left = right;
      right = next;
    }
    i = left << half | right;
  } while (i >= length);
  return i;
}

/* ---- Elements --------------------------------------------------------------------------------------------------- */

/* Half of the numbers are special ones: a flag is often 0, elements are often equal. False: number i is none. */
static bool put_special(xb_dtype dtype, uint64_t key, uint64_t i, void *to)
{
  const uint64_t bits = random_bits(key, i);
  const int few = (int)(bits >> 8 & 7);
  switch (bits & 15) {
  case 0:
  case 1:
  case 2: return xb_put_number(dtype, 0, to), true;
  case 3:
  case 4: return xb_put_number(dtype, 1, to), true;
  case 5: return xb_put_number(dtype, -1, to), true; /* unsigned: all bits */
  case 6:
  case 7: return xb_put_number(dtype, xb_is_float(dtype) ? (few - 3) / 8.0 : few, to), true;
  default: return false;
  }
}

/* Number i of the buffer, counted over all numbers of its elements. */
static void put(const xb_fill *f, xb_dtype dtype, uint64_t key, uint64_t i, void *to)
{
  const uint64_t bits = random_bits(key, i);
  switch (f->kind) {
  case XB_FILL_MIXED:
  case XB_FILL_UNIFORM:
    if (!f->ranged && !xb_is_float(dtype))
      xb_put_integer(dtype, bits, to);
    else if (xb_is_float(dtype)) /* 24 bits, or fewer: no rounding up to b */
      xb_put_number(dtype,
                    f->a + (f->b - f->a) * (double)(bits >> (dtype == XB_FLOAT16 ? 54 : 40)) *
                               (dtype == XB_FLOAT16 ? 0x1p-10 : 0x1p-24),
                    to);
    else
      xb_put_number(dtype, floor(f->a + (f->b - f->a) * unit(bits)), to);
    break;
  case XB_FILL_NORMAL: /* Box, Muller */
    xb_put_number(dtype, f->a + f->b * sqrt(-2 * log(unit(bits))) * cos(6.283185307179586 * unit(xb_mix(~bits))), to);
    break;
  case XB_FILL_RAMP: xb_put_number(dtype, f->a + f->b * (double)i, to); break;
  case XB_FILL_CONSTANT: xb_put_number(dtype, f->a, to); break;
  default: xb_put_integer(dtype, i < f->length ? permuted(key, i, f->length) : i, to);
  }
}

enum { RUN = 8 }; /* elements, of which a quarter of the runs has equal ones */

/* The numbers in the layout of the pair's buffer. */
static void generate(const xb_fill *f, uint64_t seed, uint64_t first, uint64_t count, void *out)
{
  const xb_element *e = f->element;
  const uint64_t key = xb_mix(seed * 0xD1342543DE82EF95ull + f->number + 1);
  char *to = out;
  memset(out, 0, count * e->bytes); /* gaps between members, and what is behind a short array */
  if (f->kind == XB_FILL_ARRAY) {
    const uint64_t left = first < f->array.length ? f->array.length - first : 0;
    memcpy(out, (const char *)f->array.data + first * e->bytes, (left < count ? left : count) * e->bytes);
    return;
  }
  xb_number numbers[XB_MOST_NUMBERS];
  const uint32_t number_count = xb_numbers_of(e, numbers);
  for (uint64_t i = first; i != first + count; i++, to += e->bytes) { /* elements before the first are at the end */
    const bool repeats = f->kind == XB_FILL_MIXED && random_bits(~key, i / RUN) % 4 == 0;
    const uint64_t like = repeats ? i / RUN * RUN : i;
    for (uint32_t k = 0; k < number_count; k++)
      if (f->kind != XB_FILL_MIXED || !like || /* the first one may be the only one, and is not 0 */
          !put_special(numbers[k].member->dtype, ~key, like * number_count + k, to + numbers[k].offset))
        put(f, numbers[k].member->dtype, key, like * number_count + k, to + numbers[k].offset);
  }
}

void xb_fill_generate(const void *user, uint64_t seed, uint64_t first, uint64_t count, void *out)
{
  enum { AT_ONCE = 1024, MOST_BYTES = 256 };
  const xb_fill *f = user;
  char numbers[AT_ONCE * MOST_BYTES];
  if (!f->as || !xb_elements_differ(f->element, f->as)) {
    generate(f, seed, first, count, out);
    return;
  }
  for (uint64_t done = 0, some; done < count; done += some) {
    some = count - done < AT_ONCE ? count - done : AT_ONCE;
    generate(f, seed, first + done, some, numbers);
    xb_repack(f->element, numbers, some, f->as, (char *)out + done * f->as->bytes);
  }
}

/* ---- Words ------------------------------------------------------------------------------------------------------ */

const char *xb_fill_describe(const xb_fill *f, const xb_member *m, char text[96])
{
  enum { MOST = 4096 };
  const uint64_t count = f->kind == XB_FILL_ARRAY && f->array.length < MOST ? f->array.length : MOST;
  const bool known = f->kind == XB_FILL_RAMP || f->kind == XB_FILL_CONSTANT || f->kind == XB_FILL_PERMUTATION;
  const uint32_t bytes = f->element->bytes, width = xb_dtype_bytes(m->dtype);
  char *data = known || !count ? NULL : calloc(count, bytes);
  uint64_t zeros = 0, repeated = 0, odd = 0, of = 0;
  double low = INFINITY, high = -INFINITY;
  *text = 0;
  if (!data)
    return text;
  generate(f, 1, 0, count, data);
  for (uint64_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < m->count; k++, of++) {
      const char *at = data + i * bytes + m->offset + xb_number_offset(m, k);
      const double value = xb_get_number(m->dtype, at);
      low = value < low ? value : low;
      high = value > high ? value : high;
      zeros += value == 0;
      odd += !isfinite(value);
      repeated += i && !memcmp(at, at - bytes, width);
    }
  free(data);
  const double part = 100.0 / (double)of;
  const int digits = xb_is_float(m->dtype) ? 4 : 20;
  const size_t at = (size_t)snprintf(text, 96, " (%.*g to %.*g, %.0f %% zeros, %.0f %% repeated", digits, low, digits,
                                     high, (double)zeros * part, (double)repeated * part);
  snprintf(text + at, 96 - at, odd ? ", %.2g %% not finite)" : ")", (double)odd * part);
  return text;
}
