#include "pair/family.h"

#include "pair/numbers.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Numbers without gaps: the first word of the poison that is left. */
static bool find_poisoned_words(const xb_pair_buffer *b, const xb_chunk *chunk, uint64_t count, uint64_t *element)
{
  const xb_dtype dtype = b->element.members[0].dtype;
  const uint64_t words = count * b->element.bytes / 4;
  const uint64_t needed = (xb_is_float(dtype) && dtype != XB_FLOAT16) || words < 2 ? 1 : 2;
  const uint32_t *word = chunk->data;
  uint64_t run = 0;
  for (uint64_t i = 0; i < words; i++) {
    run = word[i] == chunk->poison ? run + 1 : 0;
    if (run < needed)
      continue;
    *element = (i + 1 - run) * 4 / b->element.bytes;
    return true;
  }
  return false;
}

/* A struct: the first element all of whose members are poison; gaps between them are never written. */
static bool find_poisoned_struct(const xb_pair_buffer *b, const xb_chunk *chunk, uint64_t count, uint64_t *element)
{
  const uint32_t words[2] = {chunk->poison, chunk->poison};
  xb_number numbers[XB_MOST_NUMBERS];
  const uint32_t number_count = xb_numbers_of(&b->element, numbers);
  for (uint64_t i = 0; i < count; i++) {
    bool poisoned = true;
    for (const xb_number *n = numbers; n < numbers + number_count && poisoned; n++) {
      const uint64_t at = i * b->element.bytes + n->offset;
      const uint32_t bytes = xb_dtype_bytes(n->member->dtype);
      poisoned = !memcmp((const char *)chunk->data + at, (const char *)words + at % 4, bytes < 4 ? bytes : 4);
    }
    *element = i;
    if (poisoned)
      return true;
  }
  return false;
}

bool xb_is_all_written(const xb_pair_buffer *b, const xb_chunk *chunk, uint64_t count, char why[XB_WHY_BYTES])
{
  uint64_t element;
  if (!(xb_is_plain(&b->element) ? find_poisoned_words : find_poisoned_struct)(b, chunk, count, &element))
    return true;
  snprintf(why, XB_WHY_BYTES, "%s[%" PRIu64 "] was not written: it still has the poison from before the run", b->name,
           chunk->first + element);
  return false;
}

/* The poison's bytes from a byte of the buffer on. */
static void fill_poison(uint32_t poison, uint64_t from, uint32_t bytes, char *out)
{
  for (uint32_t i = 0; i < bytes; i++)
    out[i] = (char)(poison >> 8 * ((from + i) % 4));
}

void xb_adopt_poison(const xb_pair_buffer *b, const xb_chunk *chunk, uint64_t count, uint32_t poison, void *wanted)
{
  const uint32_t bytes = b->element.bytes;
  char old[XB_PAIR_ELEMENT_BYTES], now[XB_PAIR_ELEMENT_BYTES], *at = wanted;
  const char *got = chunk->data;
  for (uint64_t i = 0; i < count; i++, at += bytes, got += bytes) {
    fill_poison(poison, (chunk->first + i) * bytes, bytes, old);
    fill_poison(chunk->poison, (chunk->first + i) * bytes, bytes, now);
    if (!memcmp(at, old, bytes) && !memcmp(got, now, bytes)) /* one alone may be a result: of bytes, one in 256 is */
      memcpy(at, now, bytes);
  }
}

static bool differs(const xb_pair_buffer *b, xb_dtype dtype, const void *got, const void *wanted)
{
  const uint64_t ulps = xb_ulps(dtype, got, wanted);
  const double difference = xb_get_number(dtype, got) - xb_get_number(dtype, wanted);
  switch (b->rule) {
  case XB_PAIR_EXACT:
    return ulps || (xb_is_float(dtype) && !isnan(difference) && memcmp(got, wanted, xb_dtype_bytes(dtype)) != 0);
  case XB_PAIR_ULP: return (double)ulps > (xb_is_float(dtype) ? b->limit : 0);
  default: return ulps && !(fabs(difference) <= b->limit);
  }
}

/* Of number k of an element. */
static uint64_t bit_of(uint32_t k)
{
  return UINT64_C(1) << (k < 63 ? k : 63);
}

void xb_weigh_tolerance(xb_pair_buffer *b, uint64_t count, const void *wanted)
{
  static const char zero[8];
  xb_number numbers[XB_MOST_NUMBERS];
  const uint32_t number_count = xb_numbers_of(&b->element, numbers);
  const char *want = wanted;
  uint64_t all = 0;
  for (uint64_t i = 0; i < count && (!all || b->refuses_zero != all); i++, want += b->element.bytes)
    for (uint32_t k = 0; k < number_count; k++) {
      const xb_dtype dtype = numbers[k].member->dtype;
      const char *number = want + numbers[k].offset;
      const uint64_t nonzero = xb_ulps(dtype, number, zero) ? bit_of(k) : 0;
      all |= bit_of(k);
      b->nonzero |= nonzero;
      b->refuses_zero |= nonzero && differs(b, dtype, zero, number) ? bit_of(k) : 0;
    }
}

/* Where zeros would pass: "y", or the first such number of its elements: "y[i].scale", "y[i][1]". False: nowhere. */
static bool takes_zeros(const xb_pair_buffer *b, char out[96])
{
  const uint64_t loose = b->nonzero & ~b->refuses_zero;
  xb_number numbers[XB_MOST_NUMBERS];
  uint32_t k = 0;
  snprintf(out, 96, "%.40s", b->name);
  if (!loose)
    return false;
  xb_numbers_of(&b->element, numbers);
  while (!(loose & bit_of(k)))
    k++;
  const xb_member *m = numbers[k].member;
  const bool vector = m->count > 1 && loose != b->nonzero;
  char place[16] = "";
  if (vector)
    snprintf(place, sizeof place, "[%u]", numbers[k].index);
  snprintf(out, 96, "%.40s%s%.40s%s", b->name, m->name ? "[i]." : vector ? "[i]" : "", m->name ? m->name : "", place);
  return true;
}

/* From so many ULP on, one number may be twice the other. */
static double doubling_ulps(xb_dtype dtype)
{
  return dtype == XB_FLOAT16 ? 0x1p10 : dtype == XB_FLOAT32 ? 0x1p23 : 0x1p52;
}

const char *xb_pair_remark(const xb_case *c)
{
  static char text[480];
  const xb_pair *pair = xb_pair_of(c);
  const xb_pair_side *side = xb_pair_side_of(c);
  for (uint32_t k = 0; side && k < side->kernel_count; k++)
    if (side->codes[k].reflection.unwatched) {
      snprintf(text, sizeof text, "--check does not see the structs that these functions take by value: %.380s",
               side->codes[k].reflection.unwatched);
      return text;
    }
  for (const xb_pair_buffer *b = pair->buffers; b < pair->buffers + pair->buffer_count; b++) {
    bool doubled = false;
    for (uint32_t m = 0; m < b->element.member_count; m++)
      doubled |= b->rule == XB_PAIR_ULP && xb_is_float(b->element.members[m].dtype) &&
                 b->limit >= doubling_ulps(b->element.members[m].dtype);
    char where[96];
    const bool zeros = takes_zeros(b, where), loose = (zeros || doubled) && !pair->unchecked;
    if (loose)
      snprintf(text, sizeof text, "loose tolerance: %s would pass for %s", zeros ? "zeros" : "twice the values", where);
    else if (b->nans)
      snprintf(text, sizeof text, "%" PRIu64 " of %" PRIu64 " elements of %.40s are NaN", b->nans, b->of, b->name);
    if (loose || b->nans)
      return text;
  }
  return NULL;
}

/* Adds "y[5].position[1] (row 0, column 5) is 1.5, a.cu has 1.25 (3 ulp)". */
static void describe(const xb_pair_buffer *b, const xb_chunk *chunk, uint64_t element, const xb_number *n,
                     const char *got, const char *wanted, const char *who, char why[XB_WHY_BYTES])
{
  const xb_member *m = n->member;
  const uint32_t bytes = xb_dtype_bytes(m->dtype);
  char poison[8];
  fill_poison(chunk->poison, element * b->element.bytes + n->offset, bytes, poison);
  const bool unwritten = bytes >= 4 && !memcmp(got, poison, bytes); /* fewer bytes may be a result */
  const size_t at = strlen(why);
  const uint64_t ulps = xb_ulps(m->dtype, got, wanted);
  char is[32], has[32], part[80] = "", ulp[40] = "", place[64] = "";
  if (m->count > 1)
    snprintf(part, sizeof part, "%s%.40s[%u]", m->name ? "." : "", m->name ? m->name : "", n->index);
  else if (m->name)
    snprintf(part, sizeof part, ".%.60s", m->name);
  if (xb_is_float(m->dtype) && ulps != UINT64_MAX)
    snprintf(ulp, sizeof ulp, " (%" PRIu64 " ulp)", ulps);
  if (b->columns)
    snprintf(place, sizeof place, " (row %" PRIu64 ", column %" PRIu64 ")", element / b->columns, element % b->columns);
  snprintf(why + at, XB_WHY_BYTES - at, "%s%.40s[%" PRIu64 "]%s%s %s%s, %s has %s%s", at ? "; " : "", b->name, element,
           part, place, unwritten ? "was not written" : "is ", unwritten ? "" : xb_print_number(m->dtype, got, is), who,
           xb_print_number(m->dtype, wanted, has), unwritten ? "" : ulp);
}

bool xb_is_same(xb_pair_buffer *b, const xb_chunk *chunk, uint64_t count, const void *wanted, const char *who,
                char why[XB_WHY_BYTES])
{
  enum { SHOWN = 2 };
  xb_number numbers[XB_MOST_NUMBERS];
  const uint32_t number_count = xb_numbers_of(&b->element, numbers), bytes = b->element.bytes;
  const char *got = chunk->data, *want = wanted;
  uint64_t wrong = 0;
  b->compared += count;
  if (!memcmp(got, want, count * bytes))
    return true;
  *why = 0;
  for (uint64_t i = 0; i < count; i++, got += bytes, want += bytes) {
    const xb_number *n = numbers, *end = numbers + number_count;
    while (n < end && !differs(b, n->member->dtype, got + n->offset, want + n->offset))
      n++;
    for (const xb_number *m = n; m < end; m++) {
      const uint64_t ulps =
          xb_is_float(m->member->dtype) ? xb_ulps(m->member->dtype, got + m->offset, want + m->offset) : 0;
      if (ulps == UINT64_MAX || ulps <= b->most_ulps)
        continue;
      b->most_ulps = ulps;
      b->most_at = chunk->first + i;
    }
    if (n < end && wrong++ < SHOWN)
      describe(b, chunk, chunk->first + i, n, got + n->offset, want + n->offset, who, why);
  }
  b->wrong += wrong;
  return !wrong;
}

void xb_pair_explain(const xb_case *c, uint32_t slot, char why[XB_WHY_BYTES])
{
  const xb_pair_buffer *b = slot < xb_pair_of(c)->buffer_count ? &xb_pair_of(c)->buffers[slot] : NULL;
  const size_t length = strlen(why);
  char rule[48] = "", most[128] = "";
  if (!b || !b->wrong)
    return;
  const bool exact = b->rule == XB_PAIR_EXACT || (b->rule == XB_PAIR_ULP && !xb_is_float(b->element.members[0].dtype));
  const char *how = b->rule != XB_PAIR_ULP ? "--tolerance"
                    : exact                ? "ulp are for floats: --tolerance 1"
                                           : "--tolerance, or ULPT of its result";
  if (!exact)
    snprintf(rule, sizeof rule, " by more than %g%s", b->limit, b->rule == XB_PAIR_ULP ? " ulp" : "");
  if (b->most_ulps && b->wrong > 2) /* the first two are shown with theirs */
    snprintf(most, sizeof most, "; the largest difference: %.40s[%" PRIu64 "], %" PRIu64 " ulp", b->name, b->most_at,
             b->most_ulps);
  snprintf(why + length, XB_WHY_BYTES - length, "; %" PRIu64 " of %" PRIu64 " elements differ%s (%s)%s", b->wrong,
           b->compared, rule, how, most);
  xb_pair_dispute(c, why + length);
}
