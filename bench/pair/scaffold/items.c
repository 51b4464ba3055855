/* The declarations of a source, and which of them a kernel needs. */
#include "pair/scaffold/scaffold.h"
#include "source/declarations.h"

#include <stdlib.h>
#include <string.h>

/* True if the token is one of these words. */
static bool is(const xb_tokens *t, size_t at, const char *words)
{
  return xb_token_in(xb_token_at(t, at), words);
}

static void find_items(xb_scaffold *s)
{
  const xb_tokens *t = &s->tokens;
  for (size_t i = 0, end, body; i < t->count; i = end) {
    const bool directive = t->list[i].in_directive;
    end = directive ? i + 1 : xb_namespace_open(t, i);
    if (!directive && end)
      continue;
    end = i + 1;
    if (is(t, i, "} ;"))
      continue;
    while (directive && end < t->count && t->list[end].in_directive && t->list[end].kind != XB_TOKEN_DIRECTIVE)
      end++;
    end = directive ? end : xb_declaration_end(t, i, &body);
    s->items[s->item_count++] =
        (xb_scaffold_item){i, end, xb_declaration_name(t, i, end), s->kernel.name >= i && s->kernel.name < end};
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
