/* What a reader of tokens cannot be sure of becomes an #error: a name that this file does not declare, a mask whose
 * value is unknown, a barrier that perhaps not all threads of the group reach. */
#include "pair/scaffold/scaffold.h"

#include <string.h>

enum { MOST_VARYING = 128 };

typedef struct varying {
  const xb_scaffold *s;
  const xb_token *names[MOST_VARYING]; /* variables that differ between the threads of a group */
  size_t count;
} varying;

static bool is(const xb_scaffold *s, size_t at, const char *words)
{
  return xb_token_in(xb_token_at(&s->tokens, at), words);
}

static bool varies(const varying *v, size_t begin, size_t end)
{
  for (size_t i = begin; i < end; i++) {
    const xb_token *t = &v->s->tokens.list[i];
    if (is(v->s, i, "threadIdx") || (t->kind == XB_TOKEN_NAME && !strncmp(t->text, "atomic", 6)))
      return true;
    for (size_t k = 0; k < v->count; k++)
      if (xb_token_equals(t, v->names[k]))
        return true;
  }
  return false;
}

/* One behind the statement at `at`. */
static size_t end_of_statement(const xb_scaffold *s, size_t at, size_t end)
{
  if (is(s, at, "{"))
    return xb_token_close(&s->tokens, at) + 1;
  for (const size_t reach = xb_token_reach(&s->tokens, at); at < end && at < reach && !is(s, at, ";");)
    at = is(s, at, "( { [") ? xb_token_close(&s->tokens, at) + 1 : at + 1;
  return at + 1;
}

/* Twice, as a loop may assign what stands before it. */
static void find_varying(varying *v, size_t begin, size_t end)
{
  for (size_t i = begin; i < 2 * end - begin; i++) {
    const size_t at = i < end ? i : i - (end - begin);
    const xb_token *name = &v->s->tokens.list[at];
    size_t to = at + 2;
    if (name->kind != XB_TOKEN_NAME || !is(v->s, at + 1, "= += -= *= /= %= &= |= ^="))
      continue;
    while (to < end && to < at + XB_TOKEN_REACH && !is(v->s, to, "; , )"))
      to = is(v->s, to, "( [ {") ? xb_token_close(&v->s->tokens, to) + 1 : to + 1;
    if (varies(v, at + 2, to) && !varies(v, at, at + 1) && v->count < MOST_VARYING)
      v->names[v->count++] = name;
  }
}

void xb_scaffold_doubt_barriers(xb_scaffold *s, size_t begin, size_t end)
{
  varying v = {.s = s};
  size_t next = begin, branch = begin,
         returned = end; /* `next`: return; barriers up to the one, and from the other on, have their doubt */
  find_varying(&v, begin, end);
  for (size_t i = begin; i < end; i++) {
    if (!is(s, i, "if for while switch") || !is(s, i + 1, "("))
      continue;
    const size_t close = xb_token_close(&s->tokens, i + 1);
    size_t to = end_of_statement(s, close + 1, end);
    if (!varies(&v, i + 2, close < i + XB_TOKEN_REACH ? close : i + XB_TOKEN_REACH))
      continue;
    while (is(s, to, "else"))
      to = end_of_statement(s, to + 1, end);
    for (size_t at = close > branch ? close : branch; at < to; at++)
      if (is(s, at, "__syncthreads"))
        xb_scaffold_doubt(s, at,
                          "do all threads of the group reach this barrier? HLSL needs that: move it out of the branch, "
                          "or remove this line");
    branch = to > branch ? to : branch;
    for (next = next > close ? next : close; next < end && !is(s, next, "return");)
      next++;
    const bool left = next < to;
    for (size_t at = to; left && at < returned; at++)
      if (is(s, at, "__syncthreads"))
        xb_scaffold_doubt(s, at,
                          "threads that returned before this barrier do not reach it, which HLSL needs all to do");
    returned = left && to < returned ? to : returned;
  }
}

/* groupshared memory stands before its function: a size that the function declares is not there yet. */
void xb_scaffold_doubt_sizes(xb_scaffold *s, size_t function, size_t begin, size_t end)
{
  for (size_t i = begin; i < end; i++)
    for (size_t k = begin > function + XB_TOKEN_REACH ? begin - XB_TOKEN_REACH : function;
         k < begin && s->tokens.list[i].kind == XB_TOKEN_NAME && is(s, i - 1, "[ * / + - ("); k++)
      if (xb_token_equals(&s->tokens.list[k], &s->tokens.list[i]) && is(s, k + 1, "="))
        xb_scaffold_doubt(s, begin, "the function declares the size of this array: declare it before the function");
}
