#include "show/listing.h"

#include <string.h>

/* Returns false if the line has no marker. */
static bool read_marker(const xb_line *line, char name[XB_MARKER_BYTES])
{
  if (line->token_count < 2 || line->tokens[1].kind != XB_TOKEN_MARKER)
    return false;
  const xb_token *t = &line->tokens[1];
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
