/* Shortens host code to its calls: error handling is most of a backend, and says little about the API. */
#include "show/view.h"

#include <ctype.h>
#include <string.h>

/* The code of a line, without a comment behind it. */
static size_t code_length(const xb_line *line)
{
  size_t end = 0;
  for (size_t i = 0; i < line->piece_count; i++)
    if (line->pieces[i].kind < XB_PIECE_COMMENT)
      end = line->pieces[i].at + line->pieces[i].length;
  return end;
}

static bool has_call(const xb_line *line, const char *const *prefixes)
{
  for (; *prefixes; prefixes++) {
    const size_t length = strlen(*prefixes), code = code_length(line);
    for (size_t at = 1; at + length < code; at++)
      if (!memcmp(line->text + at, *prefixes, length) && !isalnum((unsigned char)line->text[at - 1]) &&
          line->text[at - 1] != '_' && isalpha((unsigned char)line->text[at + length]))
        return true;
  }
  return false;
}

static bool begins(const xb_line *line, const char *with)
{
  const size_t length = strlen(with);
  size_t at = 0;
  while (at < line->length && line->text[at] == ' ')
    at++;
  return line->length - at >= length && !memcmp(line->text + at, with, length);
}

static bool ends(const xb_line *line, const char *with)
{
  const size_t length = strlen(with), code = code_length(line);
  return code >= length && !memcmp(line->text + code - length, with, length);
}

/* A struct that is filled in for a call. */
static bool begins_struct(const xb_line *line)
{
  static const char *const types[] = {"Vk", "CU", "D3D12_", "const Vk", "const CU", "const D3D12_"};
  bool found = false;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    found |= begins(line, types[i]);
  return found && ends(line, "= {");
}

/* The length of the statement that begins at `lines`, after its comment: to a semicolon or a brace. */
static size_t statement(const xb_line *lines, size_t count, bool *is_struct)
{
  size_t first = 0;
  while (first < count && (xb_line_comment(&lines[first]) || xb_line_blank(&lines[first])))
    first++;
  const bool whole = *is_struct = first < count && begins_struct(&lines[first]);
  for (size_t i = first; i < count; i++)
    if (ends(&lines[i], ";") ? !whole || begins(&lines[i], "}")
                             : !whole && (ends(&lines[i], "{") || ends(&lines[i], "}")))
      return i + 1;
  return count;
}

size_t xb_keep_calls(xb_line *lines, size_t count, const char *const *prefixes)
{
  size_t kept = 0;
  bool any = false;
  for (size_t i = 0; i < count; i++)
    any |= has_call(&lines[i], prefixes);
  for (size_t i = 0, length; i < count && any; i += length) {
    const bool heading = !lines[i].number || (lines[i].length && lines[i].text[0] == '/');
    length = 1;
    bool keep = heading;
    if (heading) /* a caption, or the comment above a function */
      while (lines[i].number && i + length < count && xb_line_comment(&lines[i + length]))
        length++;
    else
      length = statement(&lines[i], count - i, &keep);
    for (size_t k = i; k < i + length && !begins(&lines[i], "static"); k++)
      keep |= has_call(&lines[k], prefixes);
    for (size_t k = i; k < i + length && keep; k++)
      lines[kept++] = lines[k];
  }
  return any ? kept : count;
}
