#include "source/values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

uint32_t xb_source_number(const xb_tokens *t, const xb_token *name)
{
  for (size_t i = xb_token_alike(t, name->text, name->length); i; i = t->list[i - 1].alike) {
    const xb_token *here = &t->list[i - 1], *next = xb_token_at(t, i);
    const bool same = here->kind == XB_TOKEN_NAME && here->text != name->text && xb_token_equals(here, name);
    if (same && i > 1 && xb_token_is(here - 1, "define") && next->in_directive && next->kind == XB_TOKEN_NUMBER)
      return (uint32_t)strtoul(next->text, NULL, 0);
    if (same && xb_token_is(next, "=") && xb_token_at(t, i + 1)->kind == XB_TOKEN_NUMBER &&
        strchr(";,}", *xb_token_at(t, i + 2)->text))
      return (uint32_t)strtoul(next[1].text, NULL, 0);
  }
  return 0;
}

/* ---- Masks ------------------------------------------------------------------------------------------------------ */

/* "(unsigned)-1" as it stands there, without blanks. False: it is longer. */
static bool spell(const xb_tokens *t, size_t from, size_t to, char text[32])
{
  size_t length = 0;
  for (size_t i = from; i < to; i++) {
    if (length + t->list[i].length >= 32)
      return false;
    memcpy(text + length, t->list[i].text, t->list[i].length);
    length += t->list[i].length;
  }
  text[length] = 0;
  return length;
}

/* A number without names. */
static xb_mask mask_of_number(const xb_tokens *t, size_t from, size_t to)
{
  static const char *const full[] = {"0xffffffff", "~0", "-1", "(unsigned)-1", "4294967295"};
  char text[32];
  while (to > from + 2 && xb_token_is(&t->list[from], "(") && xb_token_close(t, from) == to - 1)
    from++, to--;
  if (!spell(t, from, to, text))
    return XB_MASK_UNKNOWN;
  const size_t digits = strlen(text);
  size_t length = digits;
  while (length && strchr("uUlL", text[length - 1]))
    length--;
  for (size_t i = 0; i < sizeof full / sizeof *full; i++)
    if (strlen(full[i]) == length && !strncasecmp(text, full[i], length))
      return XB_MASK_FULL;
  return to == from + 1 && t->list[from].kind == XB_TOKEN_NUMBER ? XB_MASK_PARTIAL : XB_MASK_UNKNOWN;
}

/* Behind the definition whose value begins at `at`. */
static size_t end_of_value(const xb_tokens *t, size_t at, bool macro, size_t line)
{
  const size_t end = xb_token_reach(t, at);
  while (at < end && (macro ? t->list[at].in_directive && t->list[at].line == line : !xb_token_in(&t->list[at], "; ,")))
    at++;
  return at;
}

static bool is_constant(const xb_tokens *t, size_t name)
{
  const size_t end = name > XB_TOKEN_REACH ? name - XB_TOKEN_REACH : 0;
  for (; name > end && t->list[name - 1].kind == XB_TOKEN_NAME; name--)
    if (xb_token_in(&t->list[name - 1], "const constexpr __constant__"))
      return true;
  return false;
}

unsigned char *xb_mask_names_read(const xb_tokens *t)
{
  unsigned char *names = calloc(t->count + 1, 1);
  for (size_t i = 1; names && i + 1 < t->count; i++) {
    const bool macro = xb_token_is(&t->list[i - 1], "define");
    if (t->list[i].kind != XB_TOKEN_NAME || !(macro || xb_token_is(&t->list[i + 1], "=")))
      continue;
    const size_t value = i + 1 + !macro;
    const xb_mask mask = macro || is_constant(t, i)
                             ? mask_of_number(t, value, end_of_value(t, value, macro, t->list[i].line))
                             : XB_MASK_UNKNOWN;
    names[t->list[i].first] |= (unsigned char)(1u << mask);
  }
  return names;
}

xb_mask xb_mask_of(const unsigned char *names, const xb_tokens *t, size_t from, size_t to)
{
  if (to != from + 1 || t->list[from].kind != XB_TOKEN_NAME)
    return mask_of_number(t, from, to);
  const unsigned found = names[t->list[from].first];
  return found >> XB_MASK_UNKNOWN & 1   ? XB_MASK_UNKNOWN
         : found >> XB_MASK_PARTIAL & 1 ? XB_MASK_PARTIAL
         : found                        ? XB_MASK_FULL
                                        : XB_MASK_UNKNOWN;
}
