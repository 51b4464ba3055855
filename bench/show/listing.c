#include "show/listing.h"

#include "blob.h"
#include "show/languages.h"

#include <string.h>

/* Sources are embedded under their paths; compiled code has the extension of its format, or none. */
static bool is_source(const xb_blob *blob)
{
  const char *dot = strrchr(blob->name, '.');
  bool code = !dot;
  for (const xb_language *l = xb_languages; l->backend && !code; l++)
    code = !strcmp(dot + 1, l->code);
  return !code;
}

const char *xb_listing_path(size_t i)
{
  for (const xb_blob *b = xb_blobs; b->name; b++)
    if (is_source(b) && !i--)
      return b->name;
  return NULL;
}

bool xb_listing_read(const char *path, xb_arena *arena, xb_listing *source)
{
  const xb_blob *blob = xb_blob_find(path);
  *source = (xb_listing){.path = path};
  return !blob || xb_listing_lex(blob->name, (const char *)blob->data, blob->bytes, arena, source);
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
