#include "show/listing.h"

#include "base/whole_file.h"
#include "base/word_list.h"

#include "blob.h"
#include "show/languages.h"
#include "source/tokens.h"

#include <ctype.h>
#include <string.h>

/* Sources are embedded under their paths; compiled code has the extension of its format, or none. */
bool xb_is_source(const char *path)
{
  const char *dot = strrchr(path, '.');
  bool code = !dot;
  for (const xb_language *l = xb_languages; l->backend && !code; l++)
    code = !strcmp(dot + 1, l->code);
  return !code;
}

/* ---- Pieces of lines -------------------------------------------------------------------------------------------- */

static const char KEYWORDS[] =
    "bool break case char const continue default define do double else endif enum extern false float for goto if ifdef "
    "ifndef include inline int long namespace pragma register return size_t sizeof static struct switch template true "
    "typedef typename uint32_t uint64_t union unroll unsigned using void while "
    "__device__ __forceinline__ __global__ __launch_bounds__ __restrict__ __shared__ " /* CUDA */
    "ConstantBuffer RWByteAddressBuffer RWStructuredBuffer StructuredBuffer float4 globallycoherent groupshared "
    "numthreads uint uint3 uint4"; /* HLSL */

typedef struct cutter {
  xb_listing *source;
  const char *at;
  xb_piece *next; /* has room */
} cutter;

static bool is_blank(char c)
{
  return c == ' ' || c == '\t';
}

/* Bytes of UTF-8 count as letters, so that characters are not split. */
static bool is_letter(char c)
{
  return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static void begin_line(cutter *c)
{
  xb_listing *s = c->source;
  s->lines[s->count] = (xb_line){.text = c->at, .number = (uint32_t)s->count + 1, .pieces = c->next};
  s->count++;
}

/* Adds a piece to the line; without a length, ends the line or skips a blank. */
static void add(cutter *c, size_t length, xb_piece_kind kind)
{
  xb_line *line = &c->source->lines[c->source->count - 1];
  if (length) {
    *c->next++ = (xb_piece){.at = (uint32_t)(c->at - line->text), .length = (uint32_t)length, .kind = kind};
    line->piece_count++;
    c->at += length;
  } else if (*c->at++ == '\n') {
    line->length = (size_t)(c->at - 1 - line->text);
    begin_line(c);
  }
}

/* The length of "[name]" at the start of `text`; 0: no marker. */
static size_t bracketed(const char *text, const char *end)
{
  size_t i = 1;
  if (text == end || text[0] != '[')
    return 0;
  while (text + i < end &&
         (islower((unsigned char)text[i]) || (i > 1 && (isdigit((unsigned char)text[i]) || text[i] == ' '))))
    i++;
  return i > 1 && text + i < end && text[i] == ']' && i < XB_MARKER_BYTES ? i + 1 : 0;
}

/* Words, of which the first may be a marker. */
static void cut_comment(cutter *c, const char *end)
{
  add(c, 2, XB_PIECE_COMMENT);
  for (bool first = true; c->at < end;) {
    const size_t marker = first ? bracketed(c->at, end) : 0;
    size_t word = 0;
    while (c->at + word < end && !is_blank(c->at[word]) && c->at[word] != '\n')
      word++;
    first = first && !word && *c->at != '\n';
    add(c, marker ? marker : word, marker ? XB_PIECE_MARKER : XB_PIECE_COMMENT);
  }
}

static void cut_code(cutter *c, const char *end)
{
  while (c->at < end) {
    size_t length = !is_blank(*c->at) && *c->at != '\n';
    while (length && is_letter(*c->at) && c->at + length < end && is_letter(c->at[length]))
      length++;
    add(c, length, xb_is_listed(KEYWORDS, c->at, length) ? XB_PIECE_KEYWORD : XB_PIECE_OTHER);
  }
}

/* A string or a character with its quotation marks, which may have several lines. */
static void cut_text(cutter *c, const char *end)
{
  while (c->at < end) {
    const char *newline = memchr(c->at, '\n', (size_t)(end - c->at));
    add(c, (size_t)((newline ? newline : end) - c->at), XB_PIECE_OTHER);
    if (newline)
      add(c, 0, XB_PIECE_OTHER);
  }
}

bool xb_listing_lex(const char *path, const char *text, size_t bytes, xb_arena *arena, xb_listing *source)
{
  size_t lines = 1;
  for (size_t i = 0; i < bytes; i++)
    lines += text[i] == '\n';
  xb_tokens tokens = {.keeps_left_out = true, .keeps_comments = true};
  *source = (xb_listing){.path = path, .lines = xb_arena_take(arena, lines, sizeof *source->lines)};
  cutter c = {source, text, xb_arena_take(arena, bytes, sizeof *c.next)}; /* each piece has at least one byte */
  xb_tokens_read(&tokens, text);
  const bool good = source->lines && c.next && !tokens.out_of_memory;
  if (good)
    begin_line(&c);
  for (size_t i = 0; good && i < tokens.count; i++) {
    const xb_token *t = &tokens.list[i];
    const char *end = t->text + t->length;
    if (t->kind == XB_TOKEN_COMMENT) {
      cut_code(&c, t->text);
      cut_comment(&c, end);
    } else if (t->kind == XB_TOKEN_TEXT) {
      cut_code(&c, t->text - 1);
      cut_text(&c, end + (*end == t->text[-1]));
    }
  }
  if (good)
    cut_code(&c, text + bytes);
  if (good && (!bytes || text[bytes - 1] == '\n'))
    source->count--; /* no line begins behind the last newline */
  else if (good)
    source->lines[source->count - 1].length = (size_t)(text + bytes - source->lines[source->count - 1].text);
  xb_tokens_free(&tokens);
  return good;
}

/* ---- Files of the user ------------------------------------------------------------------------------------------ */

/* They may have anything in them; a listing has no control characters and no tabs. */
enum { TAB = 4 };

static bool read_file(const char *path, xb_arena *arena, xb_listing *source)
{
  char *text;
  size_t bytes, length = 0, column = 0;
  *source = (xb_listing){.path = path};
  if (xb_read_file(path, XB_MAX_SOURCE_BYTES, arena, &text, &bytes, NULL))
    return true;
  char *shown = xb_arena_take(arena, bytes + 1, TAB);
  for (size_t i = 0; shown && i < bytes; i++) {
    const unsigned char c = (unsigned char)text[i];
    size_t count = c == '\t' ? TAB - column % TAB : c != '\r';
    column = c == '\n' ? 0 : column + count;
    while (count--)
      shown[length++] = c == '\t' ? ' ' : (c < ' ' && c != '\n') || c == 0x7F ? '?' : text[i];
  }
  return shown && xb_listing_lex(path, shown, length, arena, source);
}

/* ---- Sources ---------------------------------------------------------------------------------------------------- */

bool xb_listing_read(const char *path, xb_arena *arena, xb_listing *source)
{
  const xb_blob *blob = xb_blob_find(path);
  return blob ? xb_listing_lex(blob->name, (const char *)blob->data, blob->bytes, arena, source)
              : read_file(path, arena, source);
}

/* It is the one whose path ends with the name. */
const char *xb_listing_included(const xb_line *line)
{
  const xb_piece *t = line->pieces;
  if (line->piece_count < 3 || line->text[t[0].at] != '#' || t[2].length < 3 ||
      strncmp(line->text + t[1].at, "include", t[1].length) != 0 || line->text[t[2].at] != '"')
    return NULL;
  const char *name = line->text + t[2].at + 1;
  const size_t end = t[2].length - 2;
  for (const xb_blob *b = xb_blobs; b->name; b++) {
    const size_t length = strlen(b->name);
    if (length > end && b->name[length - end - 1] == '/' && !strncmp(b->name + length - end, name, end) &&
        xb_is_source(b->name))
      return b->name;
  }
  return NULL;
}

bool xb_line_same(const xb_line *a, const xb_line *b)
{
  return a->length == b->length && !memcmp(a->text, b->text, a->length);
}

bool xb_line_blank(const xb_line *line)
{
  return !line->piece_count;
}

bool xb_line_comment(const xb_line *line)
{
  return line->piece_count && line->pieces[0].kind >= XB_PIECE_COMMENT;
}

bool xb_piece_same(const xb_line *a, const xb_piece *x, const xb_line *b, const xb_piece *y)
{
  return x->length == y->length && !memcmp(a->text + x->at, b->text + y->at, x->length);
}

/* ---- Parts ------------------------------------------------------------------------------------------------------ */

/* Returns false if the line has no marker. */
static bool read_marker(const xb_line *line, char name[XB_MARKER_BYTES])
{
  if (line->piece_count < 2 || line->pieces[1].kind != XB_PIECE_MARKER)
    return false;
  const xb_piece *t = &line->pieces[1];
  memcpy(name, line->text + t->at + 1, t->length - 2);
  name[t->length - 2] = 0;
  return true;
}

size_t xb_cut(const xb_listing *source, xb_part parts[XB_MAX_PARTS])
{
  size_t count = 1;
  parts[0] = (xb_part){.first = 0};
  for (size_t i = 0; i < source->count; i++) {
    char name[XB_MARKER_BYTES];
    if (count < XB_MAX_PARTS && read_marker(&source->lines[i], name)) {
      parts[count] = (xb_part){.first = i};
      memcpy(parts[count++].name, name, sizeof name);
    }
    parts[count - 1].count++;
  }
  return count;
}

size_t xb_cut_nowhere(const xb_listing *source, xb_part parts[XB_MAX_PARTS])
{
  parts[0] = (xb_part){.count = source->count};
  return 1;
}

bool xb_same_parts(const xb_part *a, size_t a_count, const xb_part *b, size_t b_count)
{
  for (size_t i = 0; i < a_count && a_count == b_count; i++)
    if (strcmp(a[i].name, b[i].name) != 0)
      return false;
  return a_count == b_count;
}

size_t xb_cut_functions(const xb_listing *source, xb_part parts[XB_MAX_PARTS])
{
  size_t count = 0;
  for (size_t i = 0; i < source->count && count < XB_MAX_PARTS; i++) {
    xb_part part = {.first = i};
    const xb_line *line = &source->lines[i];
    if (!line->length || line->text[0] != '/' || !read_marker(line, part.name))
      continue;
    while (i + 1 < source->count && !(source->lines[i].length && source->lines[i].text[0] == '}'))
      i++;
    part.count = i + 1 - part.first;
    parts[count++] = part;
  }
  return count;
}
