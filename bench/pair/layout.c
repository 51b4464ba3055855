#include "pair/layout.h"

#include "pair/numbers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

typedef struct place {
  xb_dtype dtype;
  uint32_t offset;
  bool fractions;
} place;

/* Number k of the member of this name; without a name, number k of the element. */
static bool find(const xb_element *e, const char *name, uint32_t k, place *found)
{
  for (const xb_member *m = e->members; m < e->members + e->member_count; m++) {
    if (name && (!m->name || strcmp(m->name, name) != 0))
      continue;
    if (k < m->count) {
      *found = (place){m->dtype, m->offset + k * xb_dtype_bytes(m->dtype), m->fractions};
      return true;
    }
    k -= m->count;
    if (name)
      return false;
  }
  return false;
}

static void convert(place from, const char *in, place to, char *out)
{
  char wide[8] = {0};
  const bool whole = !xb_is_float(from.dtype) && !xb_is_float(to.dtype);
  if (from.fractions != to.fractions) { /* 255 is 1 */
    const double number = xb_get_number(from.dtype, in + from.offset);
    xb_put_number(to.dtype, to.fractions ? rint(fmin(fmax(number, 0), 1) * 255) : number / 255, out + to.offset);
  } else if (from.dtype == to.dtype)
    memcpy(out + to.offset, in + from.offset, xb_dtype_bytes(from.dtype));
  else if (!whole)
    xb_put_number(to.dtype, xb_get_number(from.dtype, in + from.offset), out + to.offset);
  else { /* all digits of 64-bit integers */
    memset(wide, xb_get_number(from.dtype, in + from.offset) < 0 ? 0xFF : 0, sizeof wide);
    memcpy(wide, in + from.offset, xb_dtype_bytes(from.dtype));
    memcpy(out + to.offset, wide, xb_dtype_bytes(to.dtype));
  }
}

void xb_repack(const xb_element *from, const void *data, uint64_t count, const xb_element *to, void *out)
{
  enum { MOST_NUMBERS = 256 };
  place pairs[MOST_NUMBERS][2];
  uint32_t known = 0, number = 0;
  const bool named = from->members[0].name && to->members[0].name;
  for (const xb_member *m = to->members; m < to->members + to->member_count; m++)
    for (uint32_t k = 0; k < m->count && known < MOST_NUMBERS; k++, number++) {
      pairs[known][1] = (place){m->dtype, m->offset + k * xb_dtype_bytes(m->dtype), m->fractions};
      known += find(from, named ? m->name : NULL, named ? k : number, &pairs[known][0]);
    }
  memset(out, 0, count * to->bytes);
  for (uint64_t i = 0; i < count; i++)
    for (uint32_t p = 0; p < known; p++)
      convert(pairs[p][0], (const char *)data + i * from->bytes, pairs[p][1], (char *)out + i * to->bytes);
}
