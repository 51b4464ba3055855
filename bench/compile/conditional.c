/* g++ turns (c ? a : b)[i] into (c ? a[i] : b[i]) and evaluates `i` once: where it has a temporary object, as threadIdx
 * is one in the emulation, or a value that an instrumentation keeps, only `a` gets it (GCC's bug c++/120471). No option
 * prevents that. Behind a function that returns its argument, g++ sees no `?:`. */
#include "compile/conditional.h"

#include "source/tokens.h"

#include <stdlib.h>
#include <string.h>

#define OPEN "xb_cpu::same((" /* twice: the comma operator stays one */
#define CLOSE "))"

static bool has_conditional(const xb_tokens *t, size_t from, size_t to)
{
  while (from < to && !(t->list[from].kind == XB_TOKEN_OPERATOR && xb_token_is(&t->list[from], "?")))
    from++;
  return from < to;
}

/* True for a macro of this source that is an expression in brackets with a `?`. */
static bool is_conditional_macro(const xb_tokens *t, const xb_token *name)
{
  if (name->kind != XB_TOKEN_NAME)
    return false;
  for (size_t i = xb_token_alike(t, name->text, name->length); i; i = t->list[i - 1].alike) {
    const xb_token *next = xb_token_at(t, i);
    size_t body = i;
    if (i < 2 || t->list[i - 2].kind != XB_TOKEN_DIRECTIVE || !xb_token_is(&t->list[i - 2], "define") ||
        !xb_token_equals(&t->list[i - 1], name))
      continue;
    if (xb_token_is(next, "(") && next->text == t->list[i - 1].text + name->length)
      body = next->close + 1;
    const size_t last = xb_token_close(t, body);
    const xb_token *behind = xb_token_at(t, last + 1);
    if (xb_token_is(xb_token_at(t, body), "(") && has_conditional(t, body, last) &&
        (!behind->in_directive || behind->kind == XB_TOKEN_DIRECTIVE))
      return true;
  }
  return false;
}

/* False for what are or may be arguments of a call, or the condition of a statement: f(c ? 1 : 2)[i], if (c ? 1 : 2)
 * [&] { }(). Behind `)` may stand either: what has no comma stays the same. */
static bool is_expression(const xb_tokens *t, size_t open, size_t close)
{
  const xb_token *before = xb_token_at(t, open - 1);
  if (!open || before->kind == XB_TOKEN_DIRECTIVE)
    return true;
  if (before->kind == XB_TOKEN_NAME)
    return xb_token_at(t, open - 2)->kind == XB_TOKEN_DIRECTIVE ||
           xb_token_in(before, "return else do case throw sizeof and or not co_return co_yield");
  if (before->kind == XB_TOKEN_OPERATOR && xb_token_in(before, ") ] >"))
    for (size_t i = open + 1; i < close; i++) {
      if (t->list[i].kind == XB_TOKEN_OPERATOR && xb_token_is(&t->list[i], ","))
        return false;
      if (t->list[i].kind == XB_TOKEN_OPERATOR && xb_token_in(&t->list[i], "( [ {"))
        i = t->list[i].close;
    }
  return before->kind != XB_TOKEN_OPERATOR || !xb_token_is(before, "]");
}

/* Marks where the bytes of `text` get OPEN (> 0) and CLOSE (< 0) before them, and returns how many pairs there are. */
static size_t mark(const xb_tokens *t, const char *text, signed char *marks)
{
  size_t *opens = calloc(t->count + 1, sizeof *opens), count = 0; /* by the index of what closes */
  for (size_t i = 0; opens && i < t->count; i++)
    if (t->list[i].kind == XB_TOKEN_OPERATOR && xb_token_is(&t->list[i], "("))
      opens[t->list[i].close] = i;
  for (size_t i = 1; opens && i < t->count; i++) {
    const xb_token *last = &t->list[i - 1], *first = last;
    if (t->list[i].kind != XB_TOKEN_OPERATOR || !xb_token_is(&t->list[i], "["))
      continue;
    if (last->kind == XB_TOKEN_OPERATOR && xb_token_is(last, ")")) {
      const size_t open = opens[i - 1];
      first = open ? &t->list[open - 1] : last;
      if (!is_conditional_macro(t, first)) {
        if (has_conditional(t, open, i - 1) && is_expression(t, open, i - 1)) {
          marks[t->list[open].text + 1 - text]++;
          marks[last->text - text]--;
          count++;
        }
        continue;
      }
    } else if (!is_conditional_macro(t, last)) {
      continue;
    }
    if (!first->in_directive || first[-1].kind != XB_TOKEN_DIRECTIVE) {
      marks[first->text - text]++;
      marks[t->list[i].text - text]--;
      count++;
    }
  }
  free(opens);
  return count;
}

const char *xb_keep_conditionals(const char *text, xb_arena *arena)
{
  const size_t bytes = strlen(text);
  xb_tokens tokens = {0};
  xb_tokens_read(&tokens, text);
  signed char *marks = tokens.out_of_memory ? NULL : calloc(bytes + 1, 1);
  const size_t count = marks ? mark(&tokens, text, marks) : 0;
  char *kept = count ? xb_arena_take(arena, bytes + count * (strlen(OPEN) + strlen(CLOSE)) + 1, 1) : NULL, *p = kept;
  for (size_t i = 0; kept && i < bytes; i++) {
    for (int n = marks[i]; n > 0; n--)
      p += strlen(strcpy(p, OPEN));
    for (int n = marks[i]; n < 0; n++)
      p += strlen(strcpy(p, CLOSE));
    *p++ = text[i];
  }
  free(marks);
  xb_tokens_free(&tokens);
  return kept ? kept : text;
}
