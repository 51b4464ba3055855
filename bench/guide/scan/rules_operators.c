/* Operators, indices and loops of device code. */
#include "guide/scan/rules.h"

#include <ctype.h>
#include <string.h>

/* ---- Operators -------------------------------------------------------------------------------------------------- */

/* True if the token names the size of a warp, or is it. */
static bool is_warp_size(const xb_token *t, const char *number)
{
  static const char *const sizes[] = {"size", "_sz", "width", "count", "threads"};
  bool size = false;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    size |= xb_token_has(t, sizes[i]);
  return xb_token_is(t, number) ||
         (t->kind == XB_TOKEN_NAME && size && (xb_token_has(t, "warp") || xb_token_has(t, "lane")));
}

/* True if the operand that ends before `at` is the number of a thread: threadIdx.x, tid. */
static bool is_thread_before(const xb_rule_input *in, size_t at)
{
  const xb_token *t = &in->tokens->list[at - 1];
  if (at > 2 && xb_token_is(t - 1, "."))
    t -= 2;
  if (t->kind != XB_TOKEN_NAME || xb_token_in(t, "blockDim blockIdx"))
    return false;
  const xb_symbol *symbol = xb_symbol_of(in->symbols, t);
  return xb_token_is(t, "threadIdx") || xb_token_has(t, "tid") || xb_token_has(t, "thread") ||
         (symbol && symbol->has_thread && !symbol->has_block);
}

static void find_lane(const xb_rule_input *in, size_t at)
{
  const xb_token *t = &in->tokens->list[at], *right = xb_token_at(in->tokens, at + 1);
  if (!is_thread_before(in, at))
    return;
  const bool mask_of_size = xb_token_is(right, "(") && is_warp_size(xb_token_at(in->tokens, at + 2), "32") &&
                            xb_token_is(xb_token_at(in->tokens, at + 3), "-");
  const bool masks = xb_token_in(right, "31 0x1f") || mask_of_size;
  if ((xb_token_is(t, "&") && masks) || (xb_token_is(t, "%") && is_warp_size(right, "32")))
    xb_rule_found(in, t, "% warpSize");
  if (xb_token_is(t, "/") && is_warp_size(right, "32"))
    xb_rule_found(in, t, "/ warpSize");
}

static bool is_signed(const xb_rule_input *in, const xb_token *t)
{
  if (t->kind == XB_TOKEN_NUMBER)
    return !memchr(t->text, 'u', t->length) && !memchr(t->text, 'U', t->length);
  const xb_symbol *symbol = t->kind == XB_TOKEN_NAME ? xb_symbol_of(in->symbols, t) : NULL;
  return symbol && (symbol->type == XB_TYPE_INT || symbol->type == XB_TYPE_INT64);
}

static void find_remainder(const xb_rule_input *in, size_t at)
{
  if (at < 3)
    return;
  const xb_token *t = &in->tokens->list[at], *right = xb_token_at(in->tokens, at + 1);
  const xb_token *left = xb_token_is(t - 1, ")") ? t - 2 : t - 1; /* the last name of a sum in brackets */
  if (is_warp_size(right, "32") || !is_signed(in, right))
    return;
  if (xb_token_is(left, "]")) { /* of an array */
    size_t depth = 1;
    while (depth && left > in->tokens->list + 1 && left + XB_TOKEN_REACH > t) {
      left--;
      depth += xb_token_is(left, "]");
      depth -= xb_token_is(left, "[");
    }
    left--;
  }
  const bool member = xb_token_in(left - 1, ". ->"); /* its type is not known */
  if (left->kind == XB_TOKEN_NAME && (member ? right->kind == XB_TOKEN_NAME : is_signed(in, left)))
    xb_rule_found(in, t, "signed %");
}

/* True if `>>` begins at `at`, and does not end the arguments of templates. */
static bool is_shift(const xb_rule_input *in, size_t at)
{
  const xb_token *t = &in->tokens->list[at], *next = xb_token_at(in->tokens, at + 1);
  if (!xb_token_is(next, ">") || next->text != t->text + 1 || (t - 1)->kind == XB_TOKEN_OPERATOR)
    return at > 0 && xb_token_is(next, ">") && next->text == t->text + 1 && xb_token_is(t - 1, ")");
  size_t closed = 0;
  for (size_t i = at; i-- > 0 && i + XB_TOKEN_REACH > at;) {
    const xb_token *before = &in->tokens->list[i];
    if (xb_token_in(before, "; { }"))
      break;
    closed += xb_token_is(before, ">");
    if (xb_token_is(before, "<") && closed-- == 0)
      return i == 0 || (before - 1)->kind != XB_TOKEN_NAME;
  }
  return true;
}

/* tid >> 5, threadIdx.x >> WARP_SHIFT */
static void find_warp_shift(const xb_rule_input *in, size_t at)
{
  const xb_token *right = xb_token_at(in->tokens, at + 2);
  const bool log = (xb_token_has(right, "warp") || xb_token_has(right, "lane")) &&
                   (xb_token_has(right, "log") || xb_token_has(right, "shift") || xb_token_has(right, "bits"));
  if ((log || xb_token_is(right, "5")) && is_thread_before(in, at))
    xb_rule_found(in, &in->tokens->list[at], "/ warpSize");
}

/* A shift whose count is no constant. */
static void find_shift(const xb_rule_input *in, size_t at, size_t right)
{
  const xb_token *t = &in->tokens->list[at], *count = xb_token_at(in->tokens, right);
  bool constant = count->kind == XB_TOKEN_NUMBER;
  if (count->kind == XB_TOKEN_NAME) {
    constant = true;
    for (size_t i = count->length; i-- > 0 && count->text[i] != ':';)
      constant &= !islower((unsigned char)count->text[i]);
  }
  if (!constant && (count->kind == XB_TOKEN_NAME || xb_token_is(count, "(")))
    xb_rule_found(in, t, "shift by a variable");
}

/* `&&`, `||` and `?:` whose later side reads memory or changes something. */
static void find_guard(const xb_rule_input *in, size_t at)
{
  const xb_token *t = &in->tokens->list[at];
  size_t depth = 0;
  for (size_t i = at + 1; i < xb_token_reach(in->tokens, at); i++) {
    const xb_token *right = &in->tokens->list[i];
    if (right->kind == XB_TOKEN_OPERATOR && right->length == 1 && strchr("([{", *right->text))
      depth++;
    if (xb_token_in(right, "[ -> ++ --") || !strncmp(right->text, "atomic", 6) ||
        (right->kind == XB_TOKEN_NAME && xb_token_has(right, "_sync"))) {
      xb_rule_found(in, t, xb_token_is(t, "?") ? "guarded ?:" : "guarded &&");
      return;
    }
    if (right->kind == XB_TOKEN_OPERATOR && right->length == 1 && strchr(")]}", *right->text) && depth-- == 0)
      return;
    if (xb_token_in(right, "; {") || (depth == 0 && (xb_token_in(right, ", ? &&"))))
      return;
  }
}

/* True if the statement that has the token at `at` names a type. */
static bool names_type(const xb_rule_input *in, size_t at)
{
  const size_t behind = xb_token_find_back(in->tokens, at, "; } using typedef");
  return behind && xb_token_in(&in->tokens->list[behind - 1], "using typedef");
}

/* `float (*f)(float)`, `&name` and `**name` among the parameters of a device function. */
static void find_in_signature(const xb_rule_input *in, size_t at)
{
  const xb_token *t = &in->tokens->list[at], *after = xb_token_at(in->tokens, at + 1);
  if (xb_token_is(t, "&") && after->kind == XB_TOKEN_NAME && t->in_signature && !xb_token_is(after, "operator") &&
      !xb_token_is(xb_token_at(in->tokens, at + 2), "("))
    xb_rule_found(in, t, "reference parameter");
  if (xb_token_is(t, "*") && xb_token_is(after, "*") && t->in_signature && !xb_token_is(t - 1, "*"))
    xb_rule_found(in, t, "pointer to a pointer");
  if (xb_token_is(t, "(") && xb_token_is(after, "*")) {
    const size_t name = at + 2, close = name + (xb_token_at(in->tokens, name)->kind == XB_TOKEN_NAME);
    if (xb_token_is(xb_token_at(in->tokens, close), ")") && xb_token_is(xb_token_at(in->tokens, close + 1), "(") &&
        (t->in_signature || t->scope == XB_SCOPE_FILE || names_type(in, at)) && at && (t - 1)->kind == XB_TOKEN_NAME)
      xb_rule_found(in, t, "function pointer");
  }
}

/* ---- Indices and loops ------------------------------------------------------------------------------------------ */

/* True if a statement, from `at` to its semicolon, has the word, or a variable that was computed from it. */
static bool statement_has(const xb_rule_input *in, size_t at, const char *word)
{
  const bool thread = !strcmp(word, "threadIdx"), block = !strcmp(word, "blockIdx");
  const size_t end = xb_token_reach(in->tokens, at);
  for (; at < end; at++) {
    const xb_token *t = &in->tokens->list[at];
    if (xb_token_in(t, "; { }"))
      return false;
    const xb_symbol *symbol = (thread || block) && t->kind == XB_TOKEN_NAME ? xb_symbol_of(in->symbols, t) : NULL;
    if (xb_token_is(t, word) || (symbol && ((thread && symbol->has_thread) || (block && symbol->has_block))))
      return true;
  }
  return false;
}

/* The numbers of the block and of the thread, and the size of a block, in one statement, whose first one is at `at`. */
static void find_global_index(const xb_rule_input *in, size_t at)
{
  const xb_token *t = &in->tokens->list[at];
  const size_t begin = xb_token_find_back(in->tokens, at, "; { } blockIdx threadIdx blockDim");
  if (begin && xb_token_in(&in->tokens->list[begin - 1], "blockIdx threadIdx blockDim"))
    return;
  const bool size = statement_has(in, begin, "blockDim") || statement_has(in, begin, "*");
  if (size && statement_has(in, begin, "blockIdx") && statement_has(in, begin, "threadIdx") &&
      statement_has(in, begin, "+"))
    xb_rule_found(in, t, "global index");
}

/* The `for` whose brackets have the token at `at`, else the token itself. */
static const xb_token *loop_around(const xb_rule_input *in, size_t at)
{
  size_t depth = 0;
  for (size_t i = at; i-- > 0 && at - i < 60;) {
    const xb_token *t = &in->tokens->list[i];
    depth += xb_token_is(t, ")");
    if (xb_token_is(t, "(") && depth-- == 0)
      return i && xb_token_is(t - 1, "for") ? t - 1 : &in->tokens->list[at];
    if (xb_token_in(t, "{ }"))
      break;
  }
  return &in->tokens->list[at];
}

/* i += the number of threads of the grid, at the name behind `+=`. */
static void find_stride(const xb_rule_input *in, size_t at)
{
  const xb_token *t = &in->tokens->list[at];
  const xb_symbol *symbol = xb_symbol_of(in->symbols, t);
  bool stride = symbol && (symbol->has_stride || symbol->type == XB_TYPE_GRID);
  for (size_t i = at; i < at + 12 && !stride; i++) {
    const xb_token *next = xb_token_at(in->tokens, i);
    if (xb_token_in(next, "; {"))
      break;
    stride = xb_token_is(next, "gridDim");
  }
  if (stride)
    xb_rule_found(in, loop_around(in, at), "grid stride loop");
}

/* True if the tokens between the brackets differ from thread to thread. */
static bool differs_in(const xb_rule_input *in, size_t open, size_t close)
{
  for (size_t i = open; i < close; i++) {
    const xb_token *t = &in->tokens->list[i];
    const xb_symbol *symbol = t->kind == XB_TOKEN_NAME ? xb_symbol_of(in->symbols, t) : NULL;
    if (xb_token_is(t, "threadIdx") || (symbol && symbol->has_thread))
      return true;
  }
  return false;
}

/* `if (of the thread) return;` with a barrier behind it in the same function. */
static void find_early_return(const xb_rule_input *in, size_t at)
{
  size_t close = at - 1;
  close -= close && xb_token_is(&in->tokens->list[close], "{");
  const size_t open = xb_token_open(in->tokens, close, "(", ")");
  if (!xb_token_is(&in->tokens->list[close], ")") || open == 0 || !xb_token_is(&in->tokens->list[open - 1], "if") ||
      !differs_in(in, open, close))
    return;
  if (in->barrier_follows[at])
    xb_rule_found(in, &in->tokens->list[at], "return before a barrier");
}

/* sum += a * b, of a float variable: nvcc makes one instruction of it. */
static void find_multiply_add(const xb_rule_input *in, size_t at)
{
  const xb_symbol *symbol = xb_symbol_of(in->symbols, &in->tokens->list[at - 1]);
  size_t depth = 0;
  if (!symbol || symbol->type != XB_TYPE_FLOAT || xb_token_is(symbol->name - 1, "*") ||
      xb_token_has(symbol->name - 1, "restrict")) /* a pointer */
    return;
  for (size_t i = at + 1; i < xb_token_reach(in->tokens, at); i++) {
    const xb_token *t = &in->tokens->list[i];
    depth += xb_token_in(t, "( [");
    if (xb_token_is(t, ";") || (!depth && (xb_token_in(t, ") ? ,"))))
      return;
    if (!depth && xb_token_is(t, "*")) {
      xb_rule_found(in, &in->tokens->list[at], "sum of products");
      return;
    }
    depth -= depth && (xb_token_in(t, ") ]"));
  }
}

static bool is_floating(const xb_rule_input *in, const xb_token *t)
{
  const xb_symbol *symbol = t->kind == XB_TOKEN_NAME ? xb_symbol_of(in->symbols, t) : NULL;
  const bool function = t->kind == XB_TOKEN_NAME && t->text[t->length - 1] == 'f' && xb_token_is(t + 1, "(");
  return function || (t->kind == XB_TOKEN_NUMBER && memchr(t->text, '.', t->length)) ||
         (symbol && !symbol->is_type && symbol->type >= XB_TYPE_FLOAT && symbol->type <= XB_TYPE_HALF);
}

/* "t - sum" behind "t = sum + x", of floats: what the addition lost, by Kahan, Neumaier or Knuth. */
static void find_compensation(const xb_rule_input *in, size_t at)
{
  const xb_token *list = in->tokens->list, *sides[] = {&list[at - 1], xb_token_at(in->tokens, at + 1)};
  const xb_token *first = at > 100 ? &list[at - 100] : list; /* a loop's body */
  if (!is_floating(in, sides[0]) || !is_floating(in, sides[1]))
    return;
  for (const xb_token *t = &list[at - 2]; t > first + 1; t--) {
    if (!xb_token_is(t, "=") || !xb_token_is(t + 2, "+"))
      continue;
    for (int side = 0; side < 2; side++)
      if (xb_token_equals(t - 1, sides[side]) &&
          (xb_token_equals(t + 1, sides[!side]) || xb_token_equals(t + 3, sides[!side]))) {
        xb_rule_found(in, &list[at], "compensated sum");
        return;
      }
  }
}

/* (float4 *)p: a cast of a pointer, at its bracket. */
static void find_pointer_cast(const xb_rule_input *in, size_t at)
{
  size_t i = at + 1;
  while (i < at + XB_TOKEN_REACH && xb_token_at(in->tokens, i)->kind == XB_TOKEN_NAME)
    i++;
  const size_t star = i;
  while (i < at + XB_TOKEN_REACH && xb_token_is(xb_token_at(in->tokens, i), "*"))
    i++;
  const xb_token *after = xb_token_at(in->tokens, i + 1), *before = at ? &in->tokens->list[at - 1] : after;
  const bool value = after->kind == XB_TOKEN_NAME || xb_token_in(after, "( &");
  if (star > at + 1 && i > star && xb_token_is(xb_token_at(in->tokens, i), ")") && value &&
      before->kind == XB_TOKEN_OPERATOR && !xb_token_is(before, ")"))
    xb_rule_found(in, &in->tokens->list[at], "cast of a pointer");
}

/* (unsigned)x, unsigned(x), static_cast<unsigned>(x) of a float, at a bracket. */
static void find_integer_cast(const xb_rule_input *in, size_t at)
{
  static const char INTEGERS[] = "unsigned int signed char short long uint int8_t int16_t int32_t int64_t uint8_t "
                                 "uint16_t uint32_t uint64_t size_t";
  const xb_tokens *t = in->tokens;
  size_t i = at + 1, type = xb_token_is(&t->list[at - 1], ">") ? at - 2 : at - 1;
  const bool called = xb_token_in(&t->list[type], INTEGERS);
  while (!called && i < at + XB_TOKEN_REACH && xb_token_in(xb_token_at(t, i), INTEGERS))
    i++;
  if (!called && (i == at + 1 || !xb_token_is(xb_token_at(t, i), ")") || xb_token_is(&t->list[at - 1], "sizeof")))
    return;
  i += !called;
  i += !called && xb_token_in(xb_token_at(t, i), "- +");
  const bool group = called || xb_token_is(xb_token_at(t, i), "(");
  const size_t end = group ? xb_token_close(t, called ? at : i) : i + 1;
  while (i < end && i < at + XB_TOKEN_REACH && !is_floating(in, xb_token_at(t, i)))
    i++;
  if (i < end && is_floating(in, xb_token_at(t, i)))
    xb_rule_found(in, &t->list[at], "cast of a float to an integer");
}

/* thread_block_tile<32>: a whole warp. */
static void find_tile_of_warp(const xb_rule_input *in, size_t at)
{
  const xb_token *t = &in->tokens->list[at];
  if ((xb_token_ends(t, "thread_block_tile") || xb_token_ends(t, "tiled_partition")) &&
      xb_token_is(xb_token_at(in->tokens, at + 1), "<") && is_warp_size(xb_token_at(in->tokens, at + 2), "32"))
    xb_rule_found(in, t, "tile of 32 lanes");
}

void xb_rule_of_operator(const xb_rule_input *in, size_t at)
{
  const xb_token *t = &in->tokens->list[at];
  if (at < 2 || t->scope == XB_SCOPE_HOST)
    return;
  find_in_signature(in, at);
  if (t->scope < XB_SCOPE_DEVICE || t->in_signature)
    return;
  find_lane(in, at);
  if (xb_token_is(t, ">") && is_shift(in, at))
    find_warp_shift(in, at);
  if (xb_token_is(t, "+="))
    find_stride(in, at + 1);
  if (t->in_directive)
    return;
  if (xb_token_is(t, "+="))
    find_multiply_add(in, at);
  if (xb_token_is(t, "%"))
    find_remainder(in, at);
  if (xb_token_is(t, "-"))
    find_compensation(in, at);
  if (xb_token_in(t, "<< <<= >>="))
    find_shift(in, at, at + 1);
  const xb_token *right = xb_token_at(in->tokens, at + 2);
  if (xb_token_is(t, ">") && is_shift(in, at) && (right->kind == XB_TOKEN_NAME || xb_token_is(right, "(")))
    find_shift(in, at, at + 2);
  if (xb_token_in(t, "&& ?"))
    find_guard(in, at);
  if (xb_token_is(t, "(")) {
    find_pointer_cast(in, at);
    find_integer_cast(in, at);
  }
}

void xb_rule_of_statement(const xb_rule_input *in, size_t at)
{
  const xb_token *t = &in->tokens->list[at];
  if (t->scope < XB_SCOPE_DEVICE || at == 0)
    return;
  if (xb_token_in(t, "blockIdx threadIdx blockDim"))
    find_global_index(in, at);
  if (xb_token_is(t, "return"))
    find_early_return(in, at);
  find_tile_of_warp(in, at);
  if (xb_token_has(t, "lookback") || xb_token_has(t, "look_back"))
    xb_rule_found(in, t, "lookback");
}
