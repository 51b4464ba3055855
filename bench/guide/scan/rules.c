#include "guide/scan/rules.h"

#include <string.h>
#include <strings.h>

void xb_rule_found(const xb_rule_input *in, const xb_token *t, const char *text)
{
  xb_finding_add(in->findings, text, strlen(text), t->line, true);
}

bool xb_token_has_one(const xb_token *t, const char *list)
{
  for (size_t length; (length = strcspn(list, " ")); list += length + (list[length] != 0))
    for (size_t i = 0; i + length <= t->length; i++)
      if (!strncasecmp(t->text + i, list, length))
        return true;
  return false;
}

static void add_launch(const xb_rule_input *in, const xb_token *t)
{
  const bool on_device = t->scope >= XB_SCOPE_DEVICE;
  const char *text = on_device ? "launch in a kernel" : "<<<";
  xb_finding_add(in->findings, text, strlen(text), t->line, on_device);
}

static void add_unroll(const xb_rule_input *in, size_t at)
{
  const xb_token *count = xb_token_at(in->tokens, at + 2);
  if (xb_token_is(count, "("))
    count = xb_token_at(in->tokens, at + 3);
  xb_rule_found(in, &in->tokens->list[at], xb_token_is(count, "1") ? "#pragma unroll 1" : "#pragma unroll");
}

/* A number that C++ takes for a double: 0.5, 1e3. */
static bool is_double(const xb_token *t)
{
  const bool hexadecimal = t->length > 1 && t->text[0] == '0' && (t->text[1] == 'x' || t->text[1] == 'X');
  bool point = false, suffix = false;
  for (size_t i = 0; i < t->length; i++) {
    point |= t->text[i] == '.' || t->text[i] == 'e' || t->text[i] == 'E';
    suffix |= t->text[i] == 'f' || t->text[i] == 'F' || t->text[i] == '_';
  }
  return point && !suffix && !hexadecimal;
}

/* 1ull, 2LL */
static bool is_of_64_bits(const xb_token *t)
{
  size_t marks = 0;
  for (size_t i = t->length; i-- > 0 && strchr("uUlL", t->text[i]);)
    marks += t->text[i] == 'l' || t->text[i] == 'L';
  return marks == 2;
}

/* True if `open` and `name` before it begin the arguments of a function of a warp, of which the mask is the first. */
static bool begins_mask(const xb_token *open, const xb_token *name)
{
  return xb_token_is(open, "(") && name->length > 5 && !memcmp(name->text + name->length - 5, "_sync", 5);
}

/* FULL_MASK and ~0u as the mask of a function of a warp. A name that the source does not define counts by what it says.
 */
static void find_mask(const xb_rule_input *in, size_t at)
{
  const xb_token *t = &in->tokens->list[at];
  if (at < 3 || t->scope < XB_SCOPE_DEVICE)
    return;
  const bool inverse = t->kind == XB_TOKEN_NUMBER && xb_token_is(t - 1, "~") && begins_mask(t - 2, t - 3);
  const bool named = t->kind == XB_TOKEN_NAME && begins_mask(t - 1, t - 2);
  const xb_mask mask = named || inverse ? xb_mask_of(in->masks, in->tokens, at - inverse, at + 1) : XB_MASK_UNKNOWN;
  const bool says = named && xb_token_has(t, "mask") && xb_token_has_one(t, "full all warp");
  if (mask == XB_MASK_FULL || (mask == XB_MASK_UNKNOWN && says))
    xb_rule_found(in, t, "mask of all lanes");
}

/* 0xffffffff */
static bool is_full_mask(const xb_rule_input *in, size_t at)
{
  return in->tokens->list[at].length >= 10 && xb_mask_of(in->masks, in->tokens, at, at + 1) == XB_MASK_FULL;
}

static void add_number(const xb_rule_input *in, size_t at)
{
  const xb_token *t = &in->tokens->list[at], *name = at > 1 ? t - 2 : NULL, *before = at ? t - 1 : NULL;
  if (t->scope >= XB_SCOPE_DEVICE && is_double(t))
    xb_rule_found(in, t, "number without f");
  if (t->scope >= XB_SCOPE_DEVICE && is_of_64_bits(t))
    xb_rule_found(in, t, "64-bit number");
  if (before && t->in_directive && is_full_mask(in, at) &&
      xb_token_has(before, "mask")) /* #define FULL_MASK 0xffffffff */
    xb_rule_found(in, t, "0xffffffff");
  if (t->scope < XB_SCOPE_DEVICE || !is_full_mask(in, at) || !before)
    return;
  const bool to_function = name && begins_mask(before, name);
  const bool to_mask = xb_token_is(before, "=") && name && xb_token_has(name, "mask");
  if (to_function || to_mask)
    xb_rule_found(in, t, "0xffffffff");
  const xb_symbol *left = xb_token_is(before, "&") && name ? xb_symbol_of(in->symbols, name) : NULL;
  if (left && (left->type == XB_TYPE_INT64 || left->type == XB_TYPE_UINT64))
    xb_rule_found(in, t, "64-bit & 0xffffffff");
}

void xb_rules_apply(const xb_rule_input *in, size_t at)
{
  const xb_token *t = &in->tokens->list[at];
  find_mask(in, at);
  switch (t->kind) {
  case XB_TOKEN_NAME:
    xb_rule_of_statement(in, at);
    xb_rule_of_shared(in, at);
    if (!xb_rule_of_word(in, at) && !xb_rule_of_call(in, at))
      xb_rule_of_name(in, at);
    break;
  case XB_TOKEN_NUMBER: add_number(in, at); break;
  case XB_TOKEN_OPERATOR: xb_rule_of_operator(in, at); break;
  case XB_TOKEN_LAUNCH: add_launch(in, t); break;
  case XB_TOKEN_DIRECTIVE:
    if (xb_token_is(t, "pragma") && xb_token_is(xb_token_at(in->tokens, at + 1), "unroll"))
      add_unroll(in, at);
    break;
  case XB_TOKEN_TEXT:
  case XB_TOKEN_COMMENT: break;
  }
}
