/* A lexer for C, C++, CUDA C++ and HLSL, just good enough to compare and colour lines. */
#include "base/word_list.h"
#include "show/listing.h"

#include <ctype.h>
#include <string.h>

static const char KEYWORDS[] =
    "bool break case char const continue default define do double else endif enum extern false float for goto if ifdef "
    "ifndef include inline int long namespace pragma register return size_t sizeof static struct switch template true "
    "typedef typename uint32_t uint64_t union unroll unsigned using void while "
    "__device__ __forceinline__ __global__ __launch_bounds__ __restrict__ __shared__ " /* CUDA */
    "ConstantBuffer RWByteAddressBuffer RWStructuredBuffer StructuredBuffer float4 globallycoherent groupshared "
    "numthreads uint uint3 uint4"; /* HLSL */

static bool is_blank(char c)
{
  return c == ' ' || c == '\t';
}

/* Bytes of UTF-8 count as letters, so that characters are not split. */
static bool is_letter(char c)
{
  return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* The length of "[name]" at the start of `text`; 0: no marker. */
static size_t bracketed(const char *text, size_t length)
{
  size_t i = 1;
  if (!length || text[0] != '[')
    return 0;
  while (i < length &&
         (islower((unsigned char)text[i]) || (i > 1 && (isdigit((unsigned char)text[i]) || text[i] == ' '))))
    i++;
  return i > 1 && i < length && text[i] == ']' && i < XB_MARKER_BYTES ? i + 1 : 0;
}

typedef struct lexer {
  const char *text;
  size_t length, at;
  bool in_comment; /* inside a block comment */
  xb_token *tokens;
  size_t count;
} lexer;

static void add(lexer *l, size_t length, xb_token_kind kind)
{
  l->tokens[l->count++] = (xb_token){.at = (uint32_t)l->at, .length = (uint32_t)length, .kind = kind};
  l->at += length;
}

/* Up to the end of the comment or of the line. */
static void lex_comment(lexer *l, bool block)
{
  size_t end = l->at + (l->in_comment ? 0 : 2);
  const bool opens = !l->in_comment;
  while (block && end < l->length && !(end + 1 < l->length && l->text[end] == '*' && l->text[end + 1] == '/'))
    end++;
  l->in_comment = block && end >= l->length;
  end = !block || l->in_comment ? l->length : end + 2;
  if (opens)
    add(l, 2, XB_TOKEN_COMMENT);
  for (bool first = opens; l->at < end; first = false) {
    while (l->at < end && is_blank(l->text[l->at]))
      l->at++;
    const size_t marker = first ? bracketed(l->text + l->at, end - l->at) : 0;
    size_t word = 0;
    while (l->at + word < end && !is_blank(l->text[l->at + word]))
      word++;
    if (marker || word)
      add(l, marker ? marker : word, marker ? XB_TOKEN_MARKER : XB_TOKEN_COMMENT);
  }
}

static size_t quoted(const char *text, size_t length)
{
  size_t i = 1;
  while (i < length && text[i] != text[0])
    i += text[i] == '\\' && i + 1 < length ? 2 : 1;
  return i < length ? i + 1 : length;
}

static void lex_code(lexer *l)
{
  const char *p = l->text + l->at;
  const size_t left = l->length - l->at;
  size_t length = 1;
  if (*p == '"' || *p == '\'') {
    length = quoted(p, left);
  } else if (is_letter(*p)) {
    while (length < left && is_letter(p[length]))
      length++;
  }
  add(l, length, is_letter(*p) && xb_is_listed(KEYWORDS, p, length) ? XB_TOKEN_KEYWORD : XB_TOKEN_OTHER);
}

static void lex_line(lexer *l)
{
  while (l->at < l->length) {
    const char *p = l->text + l->at;
    const bool two = l->at + 1 < l->length && p[0] == '/';
    if (l->in_comment || (two && p[1] == '*'))
      lex_comment(l, true);
    else if (two && p[1] == '/')
      lex_comment(l, false);
    else if (is_blank(*p))
      l->at++;
    else
      lex_code(l);
  }
}

bool xb_listing_lex(const char *path, const char *text, size_t bytes, xb_arena *arena, xb_listing *source)
{
  size_t lines = 0;
  for (size_t i = 0; i < bytes; i++)
    lines += text[i] == '\n' || i + 1 == bytes;
  *source = (xb_listing){.path = path, .lines = xb_arena_take(arena, lines, sizeof *source->lines)};
  xb_token *tokens = xb_arena_take(arena, bytes, sizeof *tokens); /* each token has at least one byte */
  if (!source->lines || !tokens)
    return false;
  bool in_comment = false;
  for (const char *p = text, *end = text + bytes; p < end;) {
    const char *newline = memchr(p, '\n', (size_t)(end - p));
    lexer l = {
        .text = p, .length = (size_t)((newline ? newline : end) - p), .in_comment = in_comment, .tokens = tokens};
    lex_line(&l);
    source->lines[source->count] = (xb_line){
        .text = p, .length = l.length, .number = (uint32_t)source->count + 1, .tokens = tokens, .token_count = l.count};
    source->count++;
    tokens += l.count;
    in_comment = l.in_comment;
    p += l.length + 1;
  }
  return true;
}
