#include "source/includes.h"

#include "base/whole_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool xb_include_next(const xb_tokens *t, size_t *at, xb_include *include)
{
  while (*at < t->count) {
    const xb_token *token = &t->list[(*at)++];
    if (token->kind != XB_TOKEN_DIRECTIVE || !xb_token_is(token, "include"))
      continue;
    const char *name = token->text + token->length + strcspn(token->text + token->length, "\"<\n");
    const char *end = *name == '<' || *name == '"' ? strpbrk(name + 1, *name == '<' ? ">\n" : "\"\n") : NULL;
    if (!end || *end == '\n' || end == name + 1)
      continue;
    const char *line = token->text;
    while (*line != '#')
      line--;
    *include = (xb_include){line, name + 1, (size_t)(end - name - 1), *name == '"'};
    return true;
  }
  return false;
}

const char *xb_include_find(const char *path, const xb_include *include, const char *const *flags, xb_arena *arena)
{
  const char *slash = strrchr(path, '/');
  const int length = (int)include->length;
  const char *found = *include->name == '/' ? xb_arena_text(arena, "%.*s", length, include->name)
                                            : xb_arena_text(arena, "%.*s%.*s", slash ? (int)(slash + 1 - path) : 0,
                                                            path, length, include->name);
  for (; flags && *flags && found && access(found, R_OK); flags++) {
    const char *folder = strncmp(*flags, "-I", 2) ? NULL : (*flags)[2] ? *flags + 2 : flags[1];
    found = folder ? xb_arena_text(arena, "%s/%.*s", folder, length, include->name) : found;
  }
  return found && !access(found, R_OK) ? found : NULL;
}

/* ---- All files as one text -------------------------------------------------------------------------------------- */

typedef struct whole {
  const xb_source_options *options;
  xb_arena *arena;
  const char *paths[64]; /* of the files that were read */
  size_t count;
  FILE *text;
} whole;

static bool add_file(whole *w, const char *path);

/* False: the #include stays. */
static bool add_header(whole *w, const char *path, const xb_include *include)
{
  const char *found = xb_include_find(path, include, w->options->flags, w->arena);
  if (!found && w->options->headers)
    found = xb_include_find("", include, (const char *const[]){"-I", w->options->headers, NULL}, w->arena);
  if (found)
    add_file(w, found);
  return found || !w->options->keeps_missing;
}

/* False: it cannot be read. A file that was read before adds nothing. */
static bool add_file(whole *w, const char *path)
{
  char *text;
  size_t bytes, at = 0;
  xb_include include;
  xb_tokens tokens = {0};
  for (size_t i = 0; i < w->count; i++)
    if (!strcmp(w->paths[i], path))
      return true;
  if (w->count == sizeof w->paths / sizeof *w->paths ||
      xb_read_file(path, XB_MAX_SOURCE_BYTES, w->arena, &text, &bytes, NULL))
    return false;
  w->paths[w->count++] = path;
  xb_tokens_read(&tokens, text);
  const char *from = text;
  while (xb_include_next(&tokens, &at, &include)) {
    fwrite(from, 1, (size_t)(include.line - from), w->text);
    from = add_header(w, path, &include) ? include.name + strcspn(include.name, "\n") : include.line;
  }
  fprintf(w->text, "%s\n", from);
  xb_tokens_free(&tokens);
  return true;
}

char *xb_source_flatten(const char *path, const xb_source_options *options, xb_arena *arena)
{
  char *text = NULL;
  size_t bytes;
  whole w = {.options = options, .arena = arena, .text = open_memstream(&text, &bytes)};
  const bool good = w.text && add_file(&w, path);
  if (w.text)
    fclose(w.text);
  char *kept = good ? xb_arena_text(arena, "%s", text) : NULL;
  free(text);
  return kept;
}
