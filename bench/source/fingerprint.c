#include "source/fingerprint.h"

#include "base/fnv.h"
#include "source/declarations.h"

#include <string.h>

/* ---- Local variables -------------------------------------------------------------------------------------------- */

enum { MOST_LOCALS = 256 }; /* in scope at once; more keep their names */

typedef struct local {
  const xb_token *name;
  size_t end; /* of its scope */
  uint32_t number;
} local;

typedef struct locals {
  const xb_tokens *tokens;
  size_t *opened_by; /* of each bracket that closes */
  size_t *around;    /* of each bracket that opens: the one around it */
  bool *is_block;    /* a brace that opens statements, not a list of values */
  bool *in_macro;    /* by xb_token_alike(): a directive may have the name */
  uint32_t *numbers, last;
  local list[MOST_LOCALS];
  size_t count;
} locals;

static bool is(const xb_tokens *t, size_t at, const char *words)
{
  return xb_token_in(xb_token_at(t, at), words);
}

/* True if a variable may have this name. */
static bool is_variable(const locals *l, size_t at)
{
  static const char none[] = "bool char short int long float double half signed unsigned uint dword const constexpr "
                             "static volatile void auto this override noexcept";
  const xb_token *t = xb_token_at(l->tokens, at);
  return t->kind == XB_TOKEN_NAME && !memchr(t->text, ':', t->length) && !xb_token_in(t, none);
}

static void leave_scopes(locals *l, size_t at)
{
  while (l->count && l->list[l->count - 1].end < at)
    l->count--;
}

/* True if a directive has the name, so that it may be of a variable. */
static bool is_in_macro(const locals *l, const xb_token *name)
{
  const xb_tokens *t = l->tokens;
  const size_t first = xb_token_alike(t, name->text, name->length);
  size_t left = l->in_macro[first] ? XB_TOKEN_REACH : 0;
  for (size_t i = first; i && left; i = t->list[i - 1].alike, left--)
    if (t->list[i - 1].in_directive && xb_token_equals(&t->list[i - 1], name))
      return true;
  return l->in_macro[first] && !left;
}

static void declare(locals *l, size_t name, size_t end)
{
  const xb_token *t = &l->tokens->list[name];
  leave_scopes(l, name);
  if (l->count < MOST_LOCALS && !is_in_macro(l, t))
    l->list[l->count++] = (local){t, end, ++l->last};
}

/* The name of a variable that a declaration at `at` declares: a type, marks of pointers, the name, and one of the words
 * `ends` behind it. 0: it is no declaration. */
static size_t declared_name(const locals *l, size_t at, const char *ends)
{
  static const char statements[] = "return else case goto new delete throw using typedef struct class union enum do if "
                                   "while for switch template break continue default operator sizeof asm";
  const xb_tokens *t = l->tokens;
  size_t names = 0, i = at;
  if (is(t, at, statements))
    return 0;
  for (; i < xb_token_reach(t, at); i++) {
    const bool name = xb_token_at(t, i)->kind == XB_TOKEN_NAME;
    names += name;
    if (name && is(t, i + 1, "<") && xb_token_angle(t, i + 1) > i + 1)
      i = xb_token_angle(t, i + 1);
    else if (!name && !(names && is(t, i, "* & &&")))
      break;
  }
  return names > 1 && is(t, i, ends) && is_variable(l, i - 1) ? i - 1 : 0;
}

/* Declares `a` and `b` of "int a = 1, b;". Behind `<` in a value, a comma may be anything. */
static void declare_all(locals *l, size_t name, size_t end)
{
  const xb_tokens *t = l->tokens;
  declare(l, name, end);
  for (size_t i = name + 1; i < xb_token_reach(t, name) && !is(t, i, "; : < )"); i++) {
    if (is(t, i, "( [ {"))
      i = xb_token_close(t, i);
    if (!is(t, i, ","))
      continue;
    while (is(t, i + 1, "* & const __restrict__"))
      i++;
    if (!is_variable(l, i + 1) || !is(t, i + 2, "= ; , ["))
      return;
    declare(l, ++i, end);
  }
}

/* The last token of the statement at `at`. */
static size_t end_of_statement(const xb_tokens *t, size_t at)
{
  const size_t end = xb_token_reach(t, at);
  while (at < end && !is(t, at, "; {"))
    at = is(t, at, "( [") ? xb_token_close(t, at) + 1 : at + 1;
  return is(t, at, "{") ? xb_token_close(t, at) : at;
}

/* True if statements stand in the brace at `at`; `before` is the token before it. */
static bool opens_block(const locals *l, size_t before)
{
  const xb_tokens *t = l->tokens;
  const size_t open = l->opened_by[before];
  if (is(t, before, ")")) /* of if, a lambda or a macro; not of (float4){x, y} */
    return open && (t->list[open - 1].kind == XB_TOKEN_NAME || is(t, open - 1, "]")) && !is(t, open - 1, "return");
  return is(t, before, "; else do try") || (is(t, before, "{") && l->is_block[before]) ||
         (is(t, before, "}") && l->is_block[open]);
}

/* Parameters are the last brackets before the body. */
static void declare_parameters(locals *l, size_t begin, size_t body, size_t end)
{
  const xb_tokens *t = l->tokens;
  size_t open = 0, name = 0;
  for (size_t i = begin; i < body; i++)
    if (is(t, i, "( [")) {
      const bool other =
          is(t, i, "[") || (i && is(t, i - 1, "__launch_bounds__ __align__ alignas __attribute__ noexcept"));
      open = other ? open : i;
      i = xb_token_close(t, i);
    }
  const size_t close = open ? xb_token_close(t, open) : 0;
  for (size_t i = open + 1, first = i; i <= close; i++) {
    if (is(t, i, "<"))
      i = xb_token_angle(t, i);
    else if (xb_token_at(t, i)->kind == XB_TOKEN_NAME && i > first && !name && is(t, i + 1, ", = : [ )") &&
             is_variable(l, i))
      declare(l, name = i, end);
    else if (is(t, i, "( [ {") && i > first)
      i = xb_token_close(t, i);
    else if (is(t, i, ",")) {
      first = i + 1;
      name = 0;
    }
  }
}

static void number(locals *l, size_t at)
{
  const xb_token *t = &l->tokens->list[at];
  leave_scopes(l, at);
  if (t->kind != XB_TOKEN_NAME || (at && is(l->tokens, at - 1, ". ->")))
    return;
  for (size_t i = l->count; i-- > 0 && !l->numbers[at];)
    if (xb_token_equals(l->list[i].name, t))
      l->numbers[at] = l->list[i].number;
}

static void read_function(locals *l, size_t begin, size_t body)
{
  const xb_tokens *t = l->tokens;
  const size_t end = xb_token_close(t, body);
  size_t before = body, block = body; /* the token before, and the innermost bracket */
  l->count = 0;
  l->is_block[body] = true;
  declare_parameters(l, begin, body, end);
  for (size_t i = begin; i <= body; i++)
    number(l, i);
  for (size_t i = body + 1; i < end; i++) {
    if (t->list[i].in_directive)
      continue;
    const bool loop = block + 1 == i && is(t, block, "(") && is(t, block - 1, "for");
    if (loop || (l->is_block[block] && (before == block || is(t, before, "; }") || is(t, before, "else do")))) {
      const size_t name = declared_name(l, i, loop ? "= ; , [ { :" : "= ; , [ {");
      if (name)
        declare_all(l, name, loop ? end_of_statement(t, xb_token_close(t, block) + 1) : xb_token_close(t, block));
      else if (is(t, i, "struct class union enum"))
        while (i < end && !is(t, i, "; {"))
          i = is(t, i + 1, "{") ? xb_token_close(t, i + 1) : i + 1;
    }
    number(l, i);
    if (is(t, i, "{"))
      l->is_block[i] = opens_block(l, before);
    if (is(t, i, "( [ {")) {
      l->around[i] = block;
      block = i;
    } else if (is(t, i, ") ] }") && l->opened_by[i] == block) {
      block = l->around[block];
    }
    before = i;
  }
}

static void read_declarations(locals *l)
{
  const xb_tokens *t = l->tokens;
  for (size_t at = 0, body; at < t->count;) {
    const size_t inside = xb_namespace_open(t, at), end = inside ? inside : xb_declaration_end(t, at, &body);
    bool function = !inside && body;
    for (size_t i = at; function && i < body; i++)
      function = !is(t, i, "cbuffer tbuffer"); /* with a register, it looks like one */
    if (function)
      read_function(l, at, body);
    at = end;
  }
}

const uint32_t *xb_tokens_number_locals(const xb_tokens *t, xb_arena *arena)
{
  const size_t count = t->count + 1;
  locals l = {.tokens = t,
              .opened_by = xb_arena_take(arena, count, sizeof *l.opened_by),
              .around = xb_arena_take(arena, count, sizeof *l.around),
              .is_block = xb_arena_take(arena, count, sizeof *l.is_block),
              .in_macro = xb_arena_take(arena, count, sizeof *l.in_macro),
              .numbers = xb_arena_take(arena, count, sizeof *l.numbers)};
  if (!l.opened_by || !l.around || !l.is_block || !l.in_macro || !l.numbers)
    return NULL;
  for (size_t i = 0; i < t->count; i++) {
    if (t->list[i].in_directive && t->list[i].kind == XB_TOKEN_NAME && !is(t, i - 1, "."))
      l.in_macro[xb_token_alike(t, t->list[i].text, t->list[i].length)] = true;
    else if (!t->list[i].in_directive && is(t, i, "( [ {"))
      l.opened_by[xb_token_close(t, i)] = i;
  }
  read_declarations(&l);
  return l.numbers;
}

/* ---- The number ------------------------------------------------------------------------------------------------- */

static uint64_t hash_token(uint64_t hash, const xb_tokens *t, size_t at, uint32_t number)
{
  const xb_token *token = &t->list[at];
  const unsigned char numbered[] = {1, number & 0xFF, number >> 8 & 0xFF, number >> 16 & 0xFF};
  hash = number ? xb_fnv1a(hash, numbered, sizeof numbered) : xb_fnv1a(hash, token->text, token->length);
  if (token->kind == XB_TOKEN_TEXT)
    hash = xb_fnv1a(hash, token->text - 1, 1); /* its quotation mark */
  const xb_token *next = xb_token_at(t, at + 1);
  if (token->in_directive && (!next->in_directive || next->kind == XB_TOKEN_DIRECTIVE))
    hash = xb_fnv1a(hash, "\n", 1);
  if (at && xb_token_is(token - 1, "define") && next->text == token->text + token->length) /* #define F(x), not F (x) */
    hash = xb_fnv1a(hash, "\2", 1);
  return xb_fnv1a(hash, "", 1);
}

uint64_t xb_source_fingerprint(const char *path, const xb_source_options *options)
{
  xb_arena arena = {0};
  xb_tokens tokens = {.keeps_left_out = true};
  uint64_t hash = XB_FNV_START;
  const char *text = xb_source_flatten(path, options, &arena);
  if (text)
    xb_tokens_read(&tokens, text);
  const bool good = text && !tokens.out_of_memory && xb_tokens_keep_compiled(&tokens, options->flags, &arena);
  const uint32_t *numbers = good ? xb_tokens_number_locals(&tokens, &arena) : NULL;
  for (size_t i = 0; numbers && i < tokens.count; i++)
    hash = hash_token(hash, &tokens, i, numbers[i]);
  xb_tokens_free(&tokens);
  xb_arena_free(&arena);
  return numbers ? hash : 0;
}
