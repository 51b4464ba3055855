/* The declarations of a source, and which of them a kernel needs. */
#include "pair/scaffold/scaffold.h"

#include <stdlib.h>
#include <string.h>

/* True if the token is one of these words. */
static bool is(const xb_tokens *t, size_t at, const char *words)
{
  return xb_token_in(xb_token_at(t, at), words);
}

/* One behind `template <...>`. */
static size_t behind_template(const xb_tokens *t, size_t at)
{
  size_t depth = 0;
  if (!is(t, at, "template"))
    return at;
  for (at++; at < t->count; at++) {
    depth += is(t, at, "<");
    depth -= is(t, at, ">");
    if (!depth)
      return at + 1;
  }
  return at;
}

/* The name that [begin, end) declares: of a macro, a type, a function or a variable. */
static size_t name_of(const xb_tokens *t, size_t begin, size_t end)
{
  size_t at = behind_template(t, begin), name = begin;
  if (t->list[begin].kind == XB_TOKEN_DIRECTIVE)
    return begin + 1 < end ? begin + 1 : begin;
  if (is(t, at, "using"))
    return at + 1;
  const bool type = is(t, at, "struct class union enum");
  for (; at < end; at++) {
    const xb_token *token = &t->list[at];
    if (is(t, at, "__launch_bounds__ __align__ alignas") && is(t, at + 1, "("))
      at = xb_token_close(t, at + 1);
    else if (is(t, begin, "typedef") && xb_token_is(token, "{"))
      at = xb_token_close(t, at);
    else if (token->kind == XB_TOKEN_NAME)
      name = at;
    else if (strchr("(=;[{", *token->text))
      return name;
    if (type && name > begin && token->kind == XB_TOKEN_NAME && is(t, at + 1, "{"))
      return name;
  }
  return name;
}

/* One behind the declaration that begins at `at`. */
static size_t end_of(const xb_tokens *t, size_t at)
{
  bool function = false, type = false;
  for (; at < t->count; at++) {
    type |= is(t, at, "struct class union enum =");
    if (is(t, at, "( [")) {
      function |= is(t, at, "(") && !is(t, at - 1, "alignas __align__");
      at = xb_token_close(t, at);
    } else if (is(t, at, "{")) {
      at = xb_token_close(t, at);
      if (function && !type)
        return at + 1;
    } else if (is(t, at, ";"))
      return at + 1;
  }
  return t->count;
}

static void find_items(xb_scaffold *s)
{
  const xb_tokens *t = &s->tokens;
  for (size_t i = 0, end; i < t->count; i = end) {
    const bool outer = is(t, i, "namespace") || (is(t, i, "extern") && t->list[i + 1].kind == XB_TOKEN_TEXT);
    end = i + 1;
    if (outer) {
      while (end < t->count && (t->list[end].kind == XB_TOKEN_TEXT || (is(t, i, "namespace") && !is(t, end, "{"))))
        end++;
      end += is(t, end, "{");
      continue;
    }
    if (is(t, i, "} ;"))
      continue;
    if (t->list[i].in_directive)
      while (end < t->count && t->list[end].in_directive && t->list[end].kind != XB_TOKEN_DIRECTIVE)
        end++;
    else
      end = end_of(t, i);
    s->items[s->item_count++] =
        (xb_scaffold_item){i, end, name_of(t, i, end), s->kernel.name >= i && s->kernel.name < end};
  }
}

static bool want(xb_scaffold *s, const xb_scaffold_item *item)
{
  if (s->wanted[item->begin])
    return false;
  memset(s->wanted + item->begin, true, item->end - item->begin);
  return true;
}

/* True if a wanted token, in another declaration, has the name. */
static bool is_named(const xb_scaffold *s, const xb_scaffold_item *item)
{
  const xb_token *name = &s->tokens.list[item->name];
  for (size_t i = 0; i < s->tokens.count; i++) {
    const xb_token *t = &s->tokens.list[i];
    if (s->wanted[i] && t->kind == XB_TOKEN_NAME && t->length >= name->length &&
        !memcmp(t->text + t->length - name->length, name->text, name->length) &&
        (t->length == name->length || t->text[t->length - name->length - 1] == ':'))
      return true;
  }
  return false;
}

static bool declares_kernel(const xb_tokens *t, const xb_scaffold_item *item)
{
  for (size_t i = item->begin; i < item->name; i++)
    if (is(t, i, "__global__"))
      return true;
  return false;
}

/* #if, #else and #endif around something that is wanted. */
static void want_conditions(xb_scaffold *s)
{
  const xb_scaffold_item *items = s->items;
  enum { MOST_DEPTH = 32 };
  size_t open[MOST_DEPTH], depth = 0;
  for (size_t i = 0; i < s->item_count; i++) {
    const xb_token *t = &s->tokens.list[items[i].begin];
    if (t->kind != XB_TOKEN_DIRECTIVE)
      continue;
    if (!strncmp(t->text, "if", 2) && depth < MOST_DEPTH)
      open[depth++] = i;
    if (!xb_token_is(t, "endif") || !depth)
      continue;
    const size_t begin = open[--depth];
    size_t inner = 0;
    bool any = false;
    for (size_t k = begin + 1; k < i; k++)
      any |= s->wanted[items[k].begin];
    for (size_t k = begin; k <= i && any; k++) {
      const xb_token *inside = &s->tokens.list[items[k].begin];
      const bool directive = inside->kind == XB_TOKEN_DIRECTIVE;
      inner -= directive && k > begin && xb_token_is(inside, "endif") && inner;
      if (k == begin || k == i || (!inner && directive && !strncmp(inside->text, "el", 2)))
        want(s, &items[k]);
      inner += directive && k > begin && !strncmp(inside->text, "if", 2);
    }
  }
}

bool xb_scaffold_choose(xb_scaffold *s)
{
  const size_t most = s->tokens.count + 1;
  s->items = xb_arena_take(s->arena, most, sizeof *s->items);
  s->wanted = xb_arena_take(s->arena, most, sizeof *s->wanted);
  s->as = xb_arena_take(s->arena, most, sizeof *s->as);
  if (!s->items || !s->wanted || !s->as)
    return false;
  find_items(s);
  for (bool more = true; more;) {
    more = false;
    for (const xb_scaffold_item *item = s->items; item < s->items + s->item_count; item++) {
      const xb_token *t = &s->tokens.list[item->begin];
      const bool macro = xb_token_is(t, "define");
      const xb_token_scope scope = s->tokens.list[item->name].scope;
      const bool host = !macro && (scope == XB_SCOPE_HOST || declares_kernel(&s->tokens, item));
      const bool named = (t->kind != XB_TOKEN_DIRECTIVE || macro) && !host && is_named(s, item);
      if ((item->of_kernel || named) && want(s, item))
        more = true;
    }
  }
  want_conditions(s);
  return true;
}
