/* What the preprocessor of a compiler of C++ makes of a source. The compilers of CUDA and of shaders have the same
 * directives. */
#include "base/exit_codes.h"
#include "base/program.h"
#include "base/whole_file.h"
#include "os/temporary.h"
#include "source/includes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char MARK[] = "xb_branch_";

/* Behind the line of a directive, with the lines and comments that it goes on in: at a newline, or the end. */
static char *end_of_directive(char *at)
{
  while (*at && *at != '\n') {
    char *close = strncmp(at, "/*", 2) ? NULL : strstr(at + 2, "*/");
    if (close)
      at = close + 2;
    else if (!strncmp(at, "//", 2))
      at += strcspn(at, "\n");
    else
      at += *at == '\\' && at[1] == '\n' ? 2 : *at == '\\' && at[1] == '\r' && at[2] == '\n' ? 3 : 1;
  }
  return at;
}

/* The # of a directive. */
static char *begin_of_directive(char *text, const xb_token *directive)
{
  char *at = text + (directive->text - text);
  while (*at != '#')
    at--;
  return at;
}

static bool is_condition(const xb_token *t)
{
  return t->kind == XB_TOKEN_DIRECTIVE && xb_token_in(t, "if ifdef ifndef else elif elifdef elifndef endif");
}

/* The output of the preprocessor; NULL: there is none, or it refuses the text. */
static char *run(const char *text, const char *const *flags, xb_arena *arena)
{
  static const char *const programs[] = {"c++", "g++", "clang++", "cpp"};
  static const char *const options[] = {"-E",
                                        "-P",
                                        "-w",
                                        "-x",
                                        "c++",
                                        "-nostdinc",
                                        "-D__CUDACC__",
                                        "-D__NVCC__",
                                        "-D__CUDA_ARCH__=900",
                                        "-DCUDA_VERSION=13000",
                                        "-DCUDART_VERSION=13000",
                                        "-D__CUDACC_VER_MAJOR__=13",
                                        "-D__CUDACC_VER_MINOR__=0"};
  enum { OPTIONS = sizeof options / sizeof *options, MOST_FLAGS = 64 };
  const char *words[OPTIONS + MOST_FLAGS + 8], *program = NULL;
  char path[XB_TEMPORARY_BYTES], *said, *output = NULL;
  size_t count = 1, bytes = strlen(text);
  xb_error error;
  for (size_t i = 0; i < sizeof programs / sizeof *programs && !program; i++)
    program = xb_find_program(programs[i], arena);
  const int fd = program ? xb_temporary_file(path, ".cpp") : -1;
  if (fd < 0)
    return NULL;
  words[0] = program;
  for (size_t i = 0; i < OPTIONS; i++)
    words[count++] = options[i];
  for (; flags && *flags && count < OPTIONS + MOST_FLAGS; flags++) {
    const bool value = !strncmp(*flags, "-D", 2) || !strncmp(*flags, "-U", 2);
    if (value)
      words[count++] = *flags;
    if (value && !(*flags)[2] && flags[1])
      words[count++] = *++flags;
  }
  const char *out = xb_arena_text(arena, "%s.out", path);
  const char *const end[] = {path, "-o", out, NULL};
  memcpy(words + count, end, sizeof end);
  const bool written = write(fd, text, bytes) == (ssize_t)bytes;
  if (!close(fd) && written && out && !xb_run_program(words, arena, &said, &error) &&
      xb_read_whole_file(out, arena, &output, &bytes, NULL))
    output = NULL;
  xb_temporary_remove(path);
  if (out)
    unlink(out);
  return output;
}

/* The text with a mark behind each condition, and without directives that a preprocessor may stop at. */
static char *add_marks(char *text, const xb_tokens *t, xb_arena *arena)
{
  char *marked = NULL, *from = text;
  size_t bytes;
  FILE *out = open_memstream(&marked, &bytes);
  if (!out)
    return NULL;
  for (size_t i = 0; i < t->count; i++) {
    if (t->list[i].kind != XB_TOKEN_DIRECTIVE || xb_token_in(&t->list[i], "define undef"))
      continue;
    char *begin = begin_of_directive(text, &t->list[i]), *end = end_of_directive(begin);
    fwrite(from, 1, (size_t)(begin - from), out);
    if (is_condition(&t->list[i])) {
      fwrite(begin, 1, (size_t)(end - begin), out);
      fprintf(out, "\n%s%zu", MARK, i);
    }
    from = end;
  }
  fputs(from, out);
  fclose(out);
  char *kept = xb_arena_text(arena, "%s", marked);
  free(marked);
  return kept;
}

static void blank(char *from, const char *to)
{
  for (; from < to; from++)
    *from = *from == '\n' ? '\n' : ' ';
}

/* `output` has the marks of the branches that are compiled. */
static void blank_branches(char *text, const xb_tokens *t, const char *output, bool *compiled)
{
  for (const char *p = output; (p = strstr(p, MARK)); p += strlen(MARK)) {
    const size_t i = strtoul(p + strlen(MARK), NULL, 10);
    if (i < t->count)
      compiled[i] = true;
  }
  char *from = NULL; /* of a branch that is not */
  for (size_t i = 0; i <= t->count; i++) {
    if (i < t->count && !is_condition(&t->list[i]))
      continue;
    char *begin = i < t->count ? begin_of_directive(text, &t->list[i]) : text + strlen(text);
    if (from)
      blank(from, begin);
    if (i == t->count)
      break;
    char *end = end_of_directive(begin);
    from = compiled[i] ? NULL : end;
    blank(begin, end);
  }
}

char *xb_source_read(const char *path, const xb_source_options *options, xb_arena *arena)
{
  xb_tokens tokens = {.keeps_left_out = true};
  char *text = xb_source_flatten(path, options, arena);
  size_t conditions = 0;
  if (!text)
    return NULL;
  xb_tokens_read(&tokens, text);
  for (size_t i = 0; i < tokens.count; i++)
    conditions += is_condition(&tokens.list[i]);
  char *marked = conditions ? add_marks(text, &tokens, arena) : NULL;
  const char *output = marked ? run(marked, options->flags, arena) : NULL;
  bool *compiled = xb_arena_take(arena, tokens.count + 1, sizeof *compiled);
  if (output && compiled)
    blank_branches(text, &tokens, output, compiled);
  else if (conditions)
    xb_report_error(0, "%s: no preprocessor of C++ (c++, clang++ or cpp) read its #if: all branches are taken as code",
                    path);
  xb_tokens_free(&tokens);
  return text;
}

char *xb_source_expand(const char *text, const xb_source_options *options, xb_arena *arena)
{
  return run(text, options->flags, arena);
}
