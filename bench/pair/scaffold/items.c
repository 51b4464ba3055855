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

/* True if the token is the name, or ends in it. */
static bool ends_in(const xb_token *t, const xb_token *name)
{
  return t->length >= name->length && !memcmp(t->text + t->length - name->length, name->text, name->length) &&
         (t->length == name->length || t->text[t->length - name->length - 1] == ':');
}

static bool declares_kernel(const xb_tokens *t, const xb_scaffold_item *item)
{
  for (size_t i = item->begin; i < item->name; i++)
    if (is(t, i, "__global__"))
      return true;
  return false;
}

static bool may_be_named(const xb_scaffold *s, const xb_scaffold_item *item)
{
  const xb_token *t = &s->tokens.list[item->begin];
  const bool macro = xb_token_is(t, "define");
  const xb_token_scope scope = s->tokens.list[item->name].scope;
  const bool host = !macro && (scope == XB_SCOPE_HOST || declares_kernel(&s->tokens, item));
  return (t->kind != XB_TOKEN_DIRECTIVE || macro) && !host;
}

/* Wants the kernel, and what wanted tokens name, each name once. False: out of memory. */
static bool want_all(xb_scaffold *s)
{
  const xb_tokens *t = &s->tokens;
  size_t count = 0;
  const xb_scaffold_item **queue = xb_arena_take(s->arena, s->item_count + 1, sizeof *queue);
  const xb_scaffold_item **named = xb_arena_take(s->arena, t->count + 1, sizeof *named); /* by its name's token */
  bool *seen = xb_arena_take(s->arena, t->count + 1, sizeof *seen), good = queue && named && seen; /* names */
  for (const xb_scaffold_item *item = s->items; good && item < s->items + s->item_count; item++) {
    named[item->name] = item;
    if (item->of_kernel && want(s, item))
      queue[count++] = item;
  }
  for (size_t done = 0; good && done < count; done++)
    for (size_t i = queue[done]->begin; i < queue[done]->end; i++) {
      const xb_token *name = &t->list[i];
      if (name->kind != XB_TOKEN_NAME || seen[name->first])
        continue;
      seen[name->first] = true;
      for (size_t k = xb_token_alike(t, name->text, name->length); k; k = t->list[k - 1].alike) {
        const xb_scaffold_item *item = named[k - 1];
        if (item && ends_in(name, &t->list[k - 1]) && may_be_named(s, item) && want(s, item))
          queue[count++] = item;
      }
    }
  return good;
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
  const bool good = want_all(s);
  want_conditions(s);
  return good;
}
