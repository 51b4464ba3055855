/* A recursive descent over the text: formulas are short, and evaluated a few times. */
#include "base/formula.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MOST_DEPTH = 64 };

typedef struct parser {
  const char *where, *text, *p;
  const xb_names *names;
  xb_error *err;
  xb_code code;
  bool up; /* divisions round up */
  int depth;
} parser;

static uint64_t sum(parser *f);

/* Keeps the first mistake. Returns 0, a value to go on with. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static uint64_t
refuse(parser *f, const char *format, ...)
{
  char text[400];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (!f->code)
    f->code = xb_fail(f->err, XB_INVALID, f->where, "%s", text);
  return 0;
}

static bool take(parser *f, char c)
{
  f->p += strspn(f->p, " \t");
  if (*f->p != c)
    return false;
  f->p++;
  return true;
}

static uint64_t limit(parser *f, bool overflow, uint64_t value)
{
  if (overflow || value > INT64_MAX)
    return refuse(f, "'%s' is larger than 2^63 - 1", f->text);
  return value;
}

static uint64_t divide(parser *f, uint64_t a, uint64_t b, const char *from, const char *to)
{
  if (!b)
    return refuse(f, "'%s' divides by zero", f->text);
  if (f->up)
    return a / b + (a % b != 0);
  if (a % b)
    return refuse(f, "%" PRIu64 " is not divisible by %" PRIu64 ": write ceil(%.*s) to round up", a, b,
                  (int)(to - from), from);
  return a / b;
}

static uint64_t call(parser *f, const char *name, int length)
{
  const bool ceil = length == 4 && !strncmp(name, "ceil", 4), up = f->up;
  const bool least = length == 3 && !strncmp(name, "min", 3), most = length == 3 && !strncmp(name, "max", 3);
  if (!ceil && !least && !most)
    return refuse(f, "'%s': unknown function '%.*s': expected ceil, min or max", f->text, length, name);
  f->up |= ceil; /* also in the arguments of min and max */
  uint64_t value = sum(f);
  while (!ceil && take(f, ',')) {
    const uint64_t other = sum(f);
    value = least == (other < value) ? other : value;
  }
  f->up = up;
  return take(f, ')') ? value : refuse(f, "'%s': expected ')' at '%s'", f->text, f->p);
}

static uint64_t named(parser *f)
{
  const char *name = f->p;
  while (isalnum((unsigned char)*f->p) || *f->p == '_')
    f->p++;
  const int length = (int)(f->p - name);
  char all[200] = "";
  if (take(f, '('))
    return call(f, name, length);
  for (size_t i = 0; i < f->names->count; i++) {
    const char *other = f->names->names[i].name;
    if (!strncmp(other, name, (size_t)length) && !other[length])
      return f->names->names[i].value;
    if (strlen(all) + strlen(other) + 3 < sizeof all)
      strcat(strcat(all, i ? ", " : ""), other);
  }
  return refuse(f, "'%s': unknown name '%.*s': expected one of %s", f->text, length, name, all);
}

static uint64_t number(parser *f)
{
  uint64_t value = 0;
  bool overflow = false;
  for (; isdigit((unsigned char)*f->p); f->p++) {
    const uint64_t digit = (uint64_t)(*f->p - '0');
    overflow |= value > (INT64_MAX - digit) / 10;
    value = value * 10 + digit;
  }
  return limit(f, overflow, value);
}

static uint64_t atom(parser *f)
{
  uint64_t value;
  if (f->depth == MOST_DEPTH)
    return refuse(f, "'%.40s...' is nested too deeply", f->text);
  f->depth++;
  if (take(f, '(')) {
    value = sum(f);
    if (!take(f, ')'))
      value = refuse(f, "'%s': expected ')' at '%s'", f->text, f->p);
  } else if (isdigit((unsigned char)*f->p)) {
    value = number(f);
  } else if (isalpha((unsigned char)*f->p) || *f->p == '_') {
    value = named(f);
  } else {
    value = refuse(f, "'%s': expected a number or a name at '%s'", f->text, f->p);
  }
  f->depth--;
  return value;
}

static uint64_t power(parser *f)
{
  const uint64_t base = atom(f);
  if (f->code || !take(f, '^'))
    return base;
  const uint64_t exponent = atom(f);
  uint64_t value = 1;
  if (exponent > 63)
    return limit(f, base > 1, base);
  for (uint64_t i = 0; i < exponent && !f->code; i++)
    value = limit(f, base && value > INT64_MAX / base, value * base);
  return value;
}

static uint64_t product(parser *f)
{
  const char *from = f->p + strspn(f->p, " \t");
  uint64_t value = power(f);
  while (!f->code) {
    if (take(f, '*')) {
      const uint64_t other = power(f);
      value = limit(f, other && value > INT64_MAX / other, value * other);
    } else if (take(f, '/')) {
      const uint64_t other = power(f);
      value = f->code ? 0 : divide(f, value, other, from, f->p);
    } else if (take(f, '%')) {
      const uint64_t other = power(f);
      value = f->code ? 0 : other ? value % other : refuse(f, "'%s' divides by zero", f->text);
    } else {
      break;
    }
  }
  return value;
}

static uint64_t sum(parser *f)
{
  uint64_t value = product(f);
  while (!f->code) {
    if (take(f, '+')) {
      value = limit(f, false, value + product(f));
    } else if (take(f, '-')) {
      const uint64_t other = product(f);
      if (other > value)
        return refuse(f, "'%s' is negative: %" PRIu64 " - %" PRIu64, f->text, value, other);
      value -= other;
    } else {
      break;
    }
  }
  return value;
}

xb_code xb_formula(const char *where, const char *text, const xb_names *names, uint64_t *value, xb_error *err)
{
  parser f = {.where = where, .text = text, .p = text, .names = names, .err = err};
  *value = sum(&f);
  f.p += strspn(f.p, " \t");
  if (!f.code && *f.p)
    refuse(&f, "'%s': unexpected '%s'", text, f.p);
  return f.code;
}
