/* declarations FILE...: the functions that a source defines, as bench/source reads it, one line a file:
 * FILE: kernel:NAME/PARAMETERS device:NAME/PARAMETERS host:NAME/PARAMETERS ... Of corpus.py. */
#include "source/declarations.h"

#include <stdio.h>
#include <string.h>

#include "base/whole_file.h"
#include "source/includes.h"

static bool is(const xb_tokens *t, size_t at, const char *words)
{
  return xb_token_in(xb_token_at(t, at), words);
}

/* Of the list in the brackets at `open`; `void` is none. */
static size_t count_parameters(const xb_tokens *t, size_t open)
{
  const size_t close = xb_token_close(t, open);
  size_t commas = 0, angles = 0;
  if (close == open + 1 || (close == open + 2 && is(t, open + 1, "void")))
    return 0;
  for (size_t i = open + 1; i < close; i++) {
    angles += is(t, i, "<");
    angles -= angles && is(t, i, ">");
    commas += !angles && is(t, i, ",");
    i = is(t, i, "( [ {") ? xb_token_close(t, i) : i;
  }
  return commas + 1;
}

static void print_function(const xb_tokens *t, size_t begin, size_t end)
{
  static const char *const scopes[] = {"file", "host", "device", "kernel"};
  const size_t name = xb_declaration_name(t, begin, end);
  const xb_token *token = xb_token_at(t, name);
  size_t open = name + 1;
  while (open < end && !is(t, open, "("))
    open++;
  printf(" %s:%.*s/%zu", scopes[token->scope], (int)token->length, token->text, count_parameters(t, open));
}

static bool print_file(const char *path, bool for_device)
{
  xb_arena arena = {0};
  xb_tokens tokens = {0};
  char *text;
  size_t bytes;
  const bool good = !xb_read_file(path, XB_MAX_SOURCE_BYTES, &arena, &text, &bytes, NULL);
  if (good)
    xb_tokens_read(&tokens, text);
  if (good)
    xb_tokens_set_scopes(&tokens, for_device);
  printf("%s:", path);
  for (size_t i = 0, end, body; i < tokens.count; i = end) {
    end = i + 1;
    if (tokens.list[i].in_directive || is(&tokens, i, "} ;"))
      continue;
    end = xb_namespace_open(&tokens, i);
    if (end)
      continue;
    end = xb_declaration_end(&tokens, i, &body);
    if (body)
      print_function(&tokens, i, end);
  }
  printf("\n");
  xb_tokens_free(&tokens);
  xb_arena_free(&arena);
  return good;
}

int main(int argc, char **argv)
{
  bool good = true;
  for (int i = 1; i < argc; i++) {
    const char *dot = strrchr(argv[i], '.');
    good = print_file(argv[i], dot && strcmp(dot, ".cu") != 0) && good;
  }
  return good ? 0 : 1;
}
