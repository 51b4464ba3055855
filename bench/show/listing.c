#include "show/listing.h"

#include "base/whole_file.h"

#include "blob.h"
#include "show/languages.h"

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
  char *shown = xb_arena_take(arena, bytes, TAB);
  for (size_t i = 0; shown && i < bytes; i++) {
    const unsigned char c = (unsigned char)text[i];
    size_t count = c == '\t' ? TAB - column % TAB : c != '\r';
    column = c == '\n' ? 0 : column + count;
    while (count--)
      shown[length++] = c == '\t' ? ' ' : (c < ' ' && c != '\n') || c == 0x7F ? '?' : text[i];
  }
  return shown && xb_listing_lex(path, shown, length, arena, source);
}

/* ---- Sources ----------------------------------------------------------------------------------------------------- */

bool xb_listing_read(const char *path, xb_arena *arena, xb_listing *source)
{
  const xb_blob *blob = xb_blob_find(path);
  return blob ? xb_listing_lex(blob->name, (const char *)blob->data, blob->bytes, arena, source)
              : read_file(path, arena, source);
}

/* It is the one whose path ends with the name. */
const char *xb_listing_included(const xb_line *line)
{
  const xb_token *t = line->tokens;
  if (line->token_count < 3 || line->text[t[0].at] != '#' || t[2].length < 3 ||
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
  return !line->token_count;
}

bool xb_line_comment(const xb_line *line)
{
  return line->token_count && line->tokens[0].kind >= XB_TOKEN_COMMENT;
}

bool xb_token_same(const xb_line *a, const xb_token *x, const xb_line *b, const xb_token *y)
{
  return x->length == y->length && !memcmp(a->text + x->at, b->text + y->at, x->length);
}
