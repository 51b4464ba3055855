/* C++ leaves a cast of a float out of the integer's range undefined, and CUDA saturates it. So `(int)x`, `int(x)` and
 * `static_cast<int>(x)` become `+(xb_cpu::saturated<int>)x` and so on (saturated.hpp): a unary + has the precedence of
 * a cast, and gives an int again. Only the names of integer types are known here, not the type of what is cast. */
#include "compile/conditional.h"

#include "source/tokens.h"

#include <stdlib.h>
#include <string.h>

static const char *const TEXTS[] = {" +", "xb_cpu::saturated<", ">"};
enum { WHOLE = 1, TYPE = 2, TYPE_END = 4 }; /* bits: which of TEXTS stand before a byte */

#define KEYWORDS "signed unsigned char short int long"
#define NAMES                                                                                                          \
  "uchar ushort uint ulong size_t ptrdiff_t int8_t uint8_t int16_t uint16_t int32_t uint32_t int64_t uint64_t "        \
  "intptr_t uintptr_t std::size_t std::ptrdiff_t std::int8_t std::uint8_t std::int16_t std::uint16_t std::int32_t "    \
  "std::uint32_t std::int64_t std::uint64_t std::intptr_t std::uintptr_t"

static bool is_operator(const xb_token *token, const char *list)
{
  return token->kind == XB_TOKEN_OPERATOR && xb_token_in(token, list);
}

static bool is_word(const xb_token *token, const char *list)
{
  return token->kind == XB_TOKEN_NAME && xb_token_in(token, list);
}

/* One behind the integer type that begins at `at`; `at`: there is none. */
static size_t type_end(const xb_tokens *t, size_t at)
{
  size_t end = at;
  if (is_word(xb_token_at(t, at), NAMES))
    return at + 1;
  while (is_word(xb_token_at(t, end), KEYWORDS))
    end++;
  return end;
}

/* True if `open` and `close` are the brackets of a cast to a number: (float), (unsigned long). */
static bool is_cast_to_number(const xb_tokens *t, size_t open, size_t close)
{
  const size_t end = is_word(xb_token_at(t, open + 1), "float double") ? open + 2 : type_end(t, open + 1);
  return end == close && end > open + 1;
}

/* True if an expression may begin at `at`: not what a name, a call or a subscript stands before. */
static bool begins_operand(const xb_tokens *t, size_t at, const size_t *opens)
{
  if (!at)
    return false;
  const xb_token *before = &t->list[at - 1], *directive = xb_token_at(t, at - 2);
  if (before->kind == XB_TOKEN_NAME) /* #define NAME (int)x */
    return xb_token_in(before, "return case else do throw and or not co_return co_yield") ||
           (at > 1 && directive->kind == XB_TOKEN_DIRECTIVE && before->text + before->length < t->list[at].text);
  if (is_operator(before, ")")) {
    const size_t open = opens[at - 1];
    const xb_token *name = xb_token_at(t, open - 1);
    return is_cast_to_number(t, open, at - 1) || /* #define NAME(x) (int)(x) */
           (open > 1 && t->list[open - 2].kind == XB_TOKEN_DIRECTIVE &&
            name->text + name->length == t->list[open].text);
  }
  return before->kind == XB_TOKEN_OPERATOR && !xb_token_is(before, "]") && !xb_token_is(directive, "operator");
}

/* True if the token at `at` stands behind a cast in brackets: not behind a parameter list. */
static bool is_operand(const xb_tokens *t, size_t at, bool in_directive)
{
  const xb_token *token = xb_token_at(t, at);
  return token->kind != XB_TOKEN_DIRECTIVE && token->in_directive == in_directive &&
         (token->kind == XB_TOKEN_OPERATOR
              ? xb_token_in(token, "( - + * & ~ ! ++ --")
              : token->length && !is_word(token, "const volatile noexcept override final requires try and or xor"));
}

/* True if `int` at `at` is called as a function: not a type of a function, int(float), nor a declaration, int (*p). */
static bool is_called(const xb_tokens *t, size_t at)
{
  const xb_token *open = xb_token_at(t, at + 1), *inner = xb_token_at(t, at + 2);
  return is_operator(open, "(") && !is_operator(inner, ") * &") && !is_operator(&t->list[at - 1], "; } >") &&
         (!is_word(inner, KEYWORDS " " NAMES " float double bool void const") ||
          is_operator(xb_token_at(t, at + 3), "("));
}

/* The first token of the type of a cast that begins at `at`; 0: none begins there. */
static size_t type_of_cast(const xb_tokens *t, size_t at, const size_t *opens)
{
  const xb_token *token = &t->list[at];
  if (is_word(token, "static_cast") && is_operator(xb_token_at(t, at + 1), "<")) {
    const size_t end = type_end(t, at + 2);
    return end > at + 2 && is_operator(xb_token_at(t, end), ">") ? at + 2 : 0;
  }
  if (is_operator(token, "(") && type_end(t, at + 1) == token->close && token->close > at + 1)
    return begins_operand(t, at, opens) && is_operand(t, token->close + 1, token->in_directive) ? at + 1 : 0;
  return type_end(t, at) == at + 1 && begins_operand(t, at, opens) && is_called(t, at) ? at : 0;
}

/* Marks the casts, and returns how many there are. */
static size_t mark(const xb_tokens *t, const char *text, size_t *opens, unsigned char *marks)
{
  size_t count = 0;
  for (size_t i = 0; i < t->count; i++) {
    const xb_token *token = &t->list[i];
    if (is_operator(token, "("))
      opens[token->close] = i;
    if (token->kind == XB_TOKEN_DIRECTIVE && !xb_token_is(token, "define"))
      while (i + 1 < t->count && t->list[i + 1].in_directive && t->list[i + 1].kind != XB_TOKEN_DIRECTIVE)
        i++;
    else if (is_word(token, "assert") && is_operator(xb_token_at(t, i + 1), "(")) /* its message has its text */
      i = t->list[i + 1].close;
    const size_t first = token == &t->list[i] ? type_of_cast(t, i, opens) : 0;
    if (!first)
      continue;
    marks[token->text - text] |= WHOLE;
    marks[t->list[first].text - text] |= TYPE;
    marks[t->list[type_end(t, first)].text - text] |= TYPE_END;
    count++;
  }
  return count;
}

const char *xb_saturate_casts(const char *text, xb_arena *arena)
{
  const size_t bytes = strlen(text);
  xb_tokens tokens = {0};
  xb_tokens_read(&tokens, text);
  size_t *opens = tokens.out_of_memory ? NULL : calloc(tokens.count + 1, sizeof *opens); /* by what closes */
  unsigned char *marks = opens ? calloc(bytes + 1, 1) : NULL;
  const size_t count = marks ? mark(&tokens, text, opens, marks) : 0;
  size_t longest = 0;
  for (int n = 0; n < 3; n++)
    longest += strlen(TEXTS[n]);
  char *rewritten = count ? xb_arena_take(arena, bytes + count * longest + 1, 1) : NULL, *p = rewritten;
  for (size_t i = 0; rewritten && i < bytes; i++) {
    for (int n = 0; n < 3; n++)
      if (marks[i] & 1 << n)
        p += strlen(strcpy(p, TEXTS[n]));
    *p++ = text[i];
  }
  free(marks);
  free(opens);
  xb_tokens_free(&tokens);
  return rewritten ? rewritten : text;
}
