#include "source/declarations.h"

#include <string.h>

/* True if the token is one of these words. */
static bool is(const xb_tokens *t, size_t at, const char *words)
{
  return xb_token_in(xb_token_at(t, at), words);
}

bool xb_is_attribute(const xb_tokens *t, size_t at)
{
  if (!is(t, at + 1, "("))
    return false;
  return is(t, at, "__launch_bounds__ __align__ alignas __attribute__ __declspec register packoffset") ||
         (is(t, at, "layout") && xb_token_at(t, xb_token_close(t, at + 1) + 1)->kind == XB_TOKEN_NAME);
}

size_t xb_namespace_open(const xb_tokens *t, size_t at)
{
  const bool is_namespace = is(t, at, "namespace");
  if (is(t, at, "inline") && is(t, at + 1, "namespace"))
    return xb_namespace_open(t, at + 1);
  if (!is_namespace && !(is(t, at, "extern") && xb_token_at(t, at + 1)->kind == XB_TOKEN_TEXT))
    return 0;
  for (at += 1 + !is_namespace; at < t->count && is_namespace && !is(t, at, "{ = ;"); at++)
    continue;
  return is(t, at, "{") ? at + 1 : 0;
}

/* One behind the `<...>` that begins at `at`; `at` if none does. */
static size_t behind_angles(const xb_tokens *t, size_t at)
{
  return is(t, at, "<") ? xb_token_angle(t, at) + 1 : at;
}

static size_t behind_template(const xb_tokens *t, size_t at)
{
  return is(t, at, "template") ? behind_angles(t, at + 1) : at;
}

size_t xb_declaration_end(const xb_tokens *t, size_t at, size_t *body)
{
  bool function = false, type = false, value = false, block = false;
  *body = 0;
  for (at = behind_template(t, at); at < t->count; at++) {
    const xb_token *token = &t->list[at];
    if (token->in_directive)
      continue;
    type |= is(t, at, "struct class union enum");
    block |= is(t, at, "cbuffer tbuffer"); /* no `;` has to follow it */
    value |= is(t, at, "=") && !is(t, at - 1, "operator");
    if (is(t, at, "( [")) {
      function |= is(t, at, "(") && at && !xb_is_attribute(t, at - 1);
      at = xb_token_close(t, at);
    } else if (is(t, at, "{")) {
      const bool head = function && !value && (!type || (at && is(t, at - 1, ") const noexcept override")));
      *body = head ? at : 0;
      at = xb_token_close(t, at);
      if (head || block)
        return at + 1;
    } else if (is(t, at, ";"))
      return at + 1;
  }
  return t->count;
}

size_t xb_declaration_name(const xb_tokens *t, size_t begin, size_t end)
{
  size_t at = behind_template(t, begin), name = begin;
  if (t->list[begin].kind == XB_TOKEN_DIRECTIVE)
    return begin + 1 < end ? begin + 1 : begin;
  if (is(t, at, "using"))
    return at + 1;
  const bool type = is(t, at, "struct class union enum");
  for (; at < end; at++) {
    const xb_token *token = &t->list[at];
    if (token->in_directive)
      continue;
    if (name == begin && xb_token_is(token, "[")) /* attributes before a declaration of HLSL, or [[...]] */
      at = xb_token_close(t, at);
    else if (xb_is_attribute(t, at))
      at = xb_token_close(t, at + 1);
    else if (is(t, begin, "typedef") && xb_token_is(token, "{"))
      at = xb_token_close(t, at);
    else if (token->kind == XB_TOKEN_NAME) {
      name = at;
      at = behind_angles(t, at + 1) - 1; /* its arguments, if it is a template */
    } else if (strchr("(=;[{", *token->text))
      return name;
    if (type && name > begin && token->kind == XB_TOKEN_NAME && is(t, at + 1, "{"))
      return name;
  }
  return name;
}
