/* Operators of device code. */
#include "guide/scan/rules.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* ---- Operators -------------------------------------------------------------------------------------------------- */

/* 32, 32u and 32U */
static bool is_number(const xb_token *t, const char *number)
{
  const size_t digits = strlen(number);
  return t->length >= digits && !strncasecmp(t->text, number, digits) &&
         (t->length == digits || (t->length == digits + 1 && strchr("uU", t->text[digits])));
}

bool xb_rule_is_warp_size(const xb_token *t, const char *number)
{
  return is_number(t, number) || (t->kind == XB_TOKEN_NAME && xb_token_has_one(t, "size _sz width count threads") &&
                                  xb_token_has_one(t, "warp lane"));
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
  const bool mask_of_size = xb_token_is(right, "(") && xb_rule_is_warp_size(xb_token_at(in->tokens, at + 2), "32") &&
                            xb_token_is(xb_token_at(in->tokens, at + 3), "-");
  const bool masks = is_number(right, "31") || is_number(right, "0x1f") || mask_of_size;
  if ((xb_token_is(t, "&") && masks) || (xb_token_is(t, "%") && xb_rule_is_warp_size(right, "32")))
    xb_rule_found(in, t, "% warpSize");
  if (xb_token_is(t, "/") && xb_rule_is_warp_size(right, "32"))
    xb_rule_found(in, t, "/ warpSize");
}

static bool is_index(const xb_token *t)
{
  return xb_token_in(t, "blockIdx threadIdx blockDim gridDim");
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
  if (xb_rule_is_warp_size(right, "32") || !is_signed(in, right) || is_index(left - 2)) /* threadIdx.x % n */
    return;
  if (xb_token_is(left, "]")) /* of an array */
    left = &in->tokens->list[xb_token_open(in->tokens, (size_t)(left - in->tokens->list), "[", "]")] - 1;
  if (left <= in->tokens->list)
    return;
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
  const bool log = xb_token_has_one(right, "warp lane") && xb_token_has_one(right, "log shift bits");
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
  if (xb_token_is(t, "&") && t->in_signature && !xb_token_is(after, "operator") &&
      (after->kind == XB_TOKEN_NAME ? !xb_token_is(xb_token_at(in->tokens, at + 2), "(") : xb_token_in(after, ") ,")))
    xb_rule_found(in, t, "reference parameter");
  if (xb_token_is(t, "*") && t->in_signature && xb_token_in(t - 1, "float3 int3 uint3"))
    xb_rule_found(in, t, "float3 in a buffer");
  if (xb_token_is(t, "*") && xb_token_is(after, "*") && t->in_signature && !xb_token_is(t - 1, "*"))
    xb_rule_found(in, t, "pointer to a pointer");
  if (xb_token_is(t, "(") && xb_token_is(after, "*")) {
    const size_t name = at + 2, close = name + (xb_token_at(in->tokens, name)->kind == XB_TOKEN_NAME);
    if (xb_token_is(xb_token_at(in->tokens, close), ")") && xb_token_is(xb_token_at(in->tokens, close + 1), "(") &&
        (t->in_signature || t->scope == XB_SCOPE_FILE || names_type(in, at)) && at && (t - 1)->kind == XB_TOKEN_NAME)
      xb_rule_found(in, t, "function pointer");
  }
}

/* ---- Addresses, sums and casts
 * ------------------------------------------------------------------------------------------ */

/* f(&x[i]), f(&x): not of an atomic, nor of a function of CUDA. */
static void find_element_address(const xb_rule_input *in, size_t at)
{
  const xb_token *t = &in->tokens->list[at];
  const size_t open = xb_token_find_back(in->tokens, at, "( ; {");
  const xb_token *function = open > 1 ? t - (at - open) - 2 : t;
  if (xb_token_in(t - 1, "( ,") && (t + 1)->kind == XB_TOKEN_NAME &&
      xb_token_in(xb_token_at(in->tokens, at + 2), "[ , )") && function->kind == XB_TOKEN_NAME &&
      !xb_token_has(function, "atomic") && strncmp(function->text, "__", 2) != 0 &&
      strncmp(function->text, "cu", 2) != 0)
    xb_rule_found(in, t, "address of an element");
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

/* sum += a * b, or sum = sum + a * b, of a float variable: nvcc makes one instruction of it. */
static void find_multiply_add(const xb_rule_input *in, size_t at)
{
  const xb_token *sum = &in->tokens->list[at - 1];
  const xb_symbol *symbol = xb_symbol_of(in->symbols, sum);
  bool product = false, adds = xb_token_is(sum + 1, "+=");
  size_t depth = 0;
  if (!symbol || symbol->type != XB_TYPE_FLOAT || xb_token_is(symbol->name - 1, "*") ||
      xb_token_has(symbol->name - 1, "restrict")) /* a pointer */
    return;
  for (size_t i = at + 1; i < xb_token_reach(in->tokens, at); i++) {
    const xb_token *t = &in->tokens->list[i];
    depth += xb_token_in(t, "( [");
    if (xb_token_is(t, ";") || (!depth && (xb_token_in(t, ") ? ,"))))
      break;
    product |= !depth && xb_token_is(t, "*");
    adds |= !depth && xb_token_equals(t, sum) &&
            ((xb_token_is(t - 1, "+") && !xb_token_is(t + 1, "*")) || (t == sum + 2 && xb_token_is(t + 1, "+")));
    depth -= depth && (xb_token_in(t, ") ]"));
  }
  if (product && adds)
    xb_rule_found(in, &in->tokens->list[at], "sum of products");
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
  if (xb_token_in(t, "+= ="))
    find_multiply_add(in, at);
  if (xb_token_is(t, "&"))
    find_element_address(in, at);
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
