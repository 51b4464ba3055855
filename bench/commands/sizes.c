#include "commands/values.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

static const char *const EXPECTED =
    "expected a whole number, 1 or more, such as 4194304, 2^22, 4Mi, 1500e3, 2^16..2^28, 1Ki,1Mi; or rows x columns";

static const char units[] = "KMGT";

/* Accepts digits only: strtoull would also accept a sign and blanks. */
static const char *parse_digits(const char *p, uint64_t *value)
{
  const char *begin = p;
  for (*value = 0; isdigit((unsigned char)*p); p++) {
    const uint64_t digit = (uint64_t)(*p - '0');
    if (*value > (UINT64_MAX - digit) / 10)
      return NULL;
    *value = *value * 10 + digit;
  }
  return p > begin ? p : NULL;
}

/* Returns the first character after the size; NULL if it is invalid. */
static const char *parse_size(const char *p, uint64_t *size)
{
  uint64_t exponent;
  p = parse_digits(p, size);
  if (!p)
    return NULL;
  if (*p == '^') {
    p = parse_digits(p + 1, &exponent);
    if (!p || *size != 2 || exponent > 60)
      return NULL;
    *size = 1ull << exponent;
    return p;
  }
  if (*p == 'e') {
    p = parse_digits(p + 1, &exponent);
    for (; p && exponent && *size && *size <= 1ull << 60; exponent--)
      *size *= 10;
    return p && *size && *size <= 1ull << 60 ? p : NULL;
  }
  const char *unit = *p ? strchr(units, *p) : NULL;
  if (unit && p[1] == 'i') {
    const unsigned shift = 10 * (unsigned)(unit - units + 1);
    if (*size > (1ull << 60) >> shift)
      return NULL;
    *size <<= shift;
    p += 2;
  }
  return *size && *size <= 1ull << 60 ? p : NULL;
}

/* "1M" may mean 10^6 or 2^20, so it is refused, and the message names both. */
static xb_code refuse(const char *text, xb_error *err)
{
  const size_t digits = strspn(text, "0123456789");
  const char *unit = digits && text[digits] ? strchr(units, toupper((unsigned char)text[digits])) : NULL;
  if (!unit || text[digits + 1] == 'i')
    return xb_fail(err, XB_INVALID, "--size", "'%s': %s", text, EXPECTED);
  const int power = (int)(unit - units) + 1, n = (int)digits;
  return xb_fail(err, XB_INVALID, "--size", "'%s': expected %.*s%ci (%.*s x 2^%d) or %.*se%d (%.*s x 10^%d)", text, n,
                 text, *unit, n, text, 10 * power, n, text, 3 * power, n, text, 3 * power);
}

xb_code xb_parse_sizes(const char *text, xb_size sizes[XB_MAX_SIZES], size_t *count, xb_error *err)
{
  const char *const where = "--size";
  for (const char *p = text;;) {
    uint64_t first, last, rows = 0, inner = 0;
    p = parse_size(p, &first);
    last = first;
    if (p && *p == 'x') {
      rows = first;
      p = parse_size(p + 1, &first);
      last = first;
      if (p && *p == 'x')
        p = parse_size(p + 1, &inner);
    } else if (p && !strncmp(p, "..", 2)) {
      p = parse_size(p + 2, &last);
      if (p && last < first)
        return xb_fail(err, XB_INVALID, where, "'%s': the end of the range is below its start", text);
    }
    if (!p || (*p && *p != ','))
      return refuse(text, err);
    for (uint64_t size = first; size <= last; size *= 2) {
      if (*count == XB_MAX_SIZES)
        return xb_fail(err, XB_INVALID, where, "'%s': more than %d sizes", text, XB_MAX_SIZES);
      sizes[(*count)++] = (xb_size){.rows = rows, .columns = size, .inner = inner};
    }
    if (!*p)
      return XB_OK;
    p++;
  }
}
