/* CUDA sources have host code, whose headers may not be here. Kernels do not need it. */
#include "compile/compile.h"

#include "base/whole_file.h"
#include "base/word_list.h"
#include "os/written_file.h"
#include "source/declarations.h"
#include "source/includes.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Behind a comment, a literal, or one character. */
static const char *skip_token(const char *p)
{
  const char *end;
  if (p[0] == '/' && (p[1] == '/' || p[1] == '*')) {
    end = p[1] == '/' ? strchr(p, '\n') : strstr(p + 2, "*/");
    return !end ? p + strlen(p) : p[1] == '/' ? end : end + 2;
  }
  if (*p != '"' && *p != '\'')
    return p + (*p != 0);
  if (*p == '\'' && isalnum((unsigned char)p[-1])) /* 1'000 */
    return p + 1;
  for (end = p + 1; *end && *end != *p && *end != '\n'; end++)
    end += *end == '\\' && end[1];
  return *end ? end + 1 : end;
}

/* Behind blanks, comments and lines of the preprocessor. */
static const char *skip_blanks(const char *p)
{
  for (;;) {
    p += strspn(p, " \t\r\n");
    if (*p == '#')
      while (*p && *p != '\n')
        p += p[0] == '\\' && p[1] == '\n' ? 2 : p[0] == '\\' && p[1] == '\r' && p[2] == '\n' ? 3 : 1;
    else if (p[0] == '/' && (p[1] == '/' || p[1] == '*'))
      p = skip_token(p);
    else
      return p;
  }
}

static bool begins(const char *p, const char *word)
{
  const size_t length = strlen(word);
  return !strncmp(p, word, length) && !isalnum((unsigned char)p[length]) && p[length] != '_';
}

/* A function that no kernel can call, or `template void f<float>(float);`. [begin, end) is all of it. */
static bool is_host(const xb_pair_job *j, const xb_tokens *t, size_t begin, size_t body, size_t end)
{
  const bool instance = xb_token_is(&t->list[begin], "template") && !xb_token_is(xb_token_at(t, begin + 1), "<");
  for (size_t i = begin; i < (body ? body : end); i++)
    if (xb_token_names_device(&t->list[i]) || xb_token_is(&t->list[i], "constexpr") ||
        xb_is_listed(j->device_words, t->list[i].text, t->list[i].length))
      return false;
  return body || instance;
}

/* "void builder::add(int n) {": a member that its class declares; a second declaration outside of it is a mistake. */
static bool is_member(const xb_tokens *t, size_t begin, size_t body)
{
  const size_t open = xb_token_find(t, begin, body, "(");
  const xb_token *name = &t->list[open > begin ? open - 1 : begin];
  return xb_token_has(name, "::");
}

void xb_drop_host_code(const xb_pair_job *j, char *text, bool keep_heads)
{
  xb_tokens t = {.comments = text};
  xb_tokens_read(&t, text);
  xb_tokens_set_scopes(&t, false);
  for (size_t i = 0, end, body; i < t.count; i = end) {
    const size_t open = xb_namespace_open(&t, i);
    end = i + 1;
    if (t.list[i].in_directive || xb_token_in(&t.list[i], "} ;"))
      continue;
    end = open ? open : xb_declaration_end(&t, i, &body);
    if (open || !is_host(j, &t, i, body, end))
      continue;
    const bool keeps = keep_heads && body && !is_member(&t, i, body);
    const xb_token *first = &t.list[keeps ? body : i], *last = &t.list[end - 1];
    char *c = text + (first->text - text), *to = text + (last->text + last->length - text);
    if (keeps)
      *c++ = ';';
    for (; c < to; c++)
      *c = *c == '\n' ? '\n' : ' ';
  }
  xb_tokens_free(&t);
}

/* The first mistake is in a file that is included: "In file included from a.h:3,\n from my.cu:5:" leads to line 5. A
 * file that is not there is also told at its line: "my.cu:5:10: fatal error: GL/gl.h: No such file or directory". */
bool xb_drop_include(const char *messages, const char *path, char *text)
{
  const char *mistake = strstr(messages, "error: "), *at = NULL;
  const size_t length = strlen(path);
  for (const char *p = messages; mistake && (p = strstr(p, path)) && p < mistake; p++)
    at = p[length] == ':' && isdigit((unsigned char)p[length + 1]) ? p + length + 1 : at;
  if (!at)
    return false;
  unsigned line = 0;
  for (; isdigit((unsigned char)*at); at++)
    line = line * 10 + (unsigned)(*at - '0');
  while (line-- > 1 && (text = strchr(text, '\n')))
    text++;
  if (!text || strncmp(text + strspn(text, " \t"), "#", 1) != 0)
    return false;
  memset(text, ' ', strcspn(text, "\n"));
  return true;
}

/* ---- Special registers ------------------------------------------------------------------------------------------ */

/* Behind `token`, and blanks before it; NULL: something else is there. */
static const char *expect(const char *p, const char *token)
{
  p = p ? skip_blanks(p) : NULL;
  return p && !strncmp(p, token, strlen(token)) ? p + strlen(token) : NULL;
}

/* cfg.gridDim of cudaLaunchConfig_t: the words are macros here, and members have names of their own
 * (words/host_code.h).
 */
static void rename_members(char *text)
{
  static const char *const words[] = {"gridDim", "blockDim"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    for (char *at = text; (at = strstr(at, words[i])); at++)
      if (at > text + 1 && (at[-1] == '.' || !strncmp(at - 2, "->", 2)) && begins(at, words[i]))
        at[strlen(words[i]) - 1] = '_';
}

void xb_translate_registers(char *text)
{
  rename_members(text);
  static const char *const names[] = {"laneid",      "lanemask_lt", "lanemask_le", "lanemask_gt",
                                      "lanemask_ge", "lanemask_eq", "warpid"};
  for (char *at = text; (at = strstr(at, "asm")); at += 3) {
    const bool whole = (at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '_')) && strchr(" (\t", at[3]);
    const char *p = whole ? at + 3 : NULL, *open = expect(p, "volatile") ? expect(p, "volatile") : p;
    if (open && open != p && expect(expect(open, "("), "\"\"")) {
      memset(at, ' ', (size_t)(open - at));
      memcpy(at, "__asm__", strlen("__asm__"));
      continue;
    }
    const char *name = expect(expect(expect(open, "("), "\"mov.u32"), "%0, %%");
    size_t i = 0;
    while (name && i < sizeof names / sizeof *names && !begins(name, names[i]))
      i++;
    if (!name || i == sizeof names / sizeof *names)
      continue;
    const char *variable = expect(expect(expect(expect(name + strlen(names[i]), ";\""), ":"), "\"=r\""), "(");
    const char *end = expect(variable ? variable + strcspn(variable, ")") : NULL, "))");
    char statement[128];
    if (!end || end - at >= (long)sizeof statement)
      continue;
    const int length = snprintf(statement, sizeof statement, "%.*s = xb_cpu::special_%s()", (int)strcspn(variable, ")"),
                                variable, names[i]);
    if (length > end - at)
      continue;
    memset(at, ' ', (size_t)(end - at));
    memcpy(at, statement, (size_t)length);
  }
}

/* ---- Headers ----------------------------------------------------------------------------------------------------- */

static bool stands_for_cudas(const xb_pair_job *j, const char *name)
{
  const char *folder = xb_cpu_headers(j->arena),
             *own = xb_arena_text(j->arena, "%s/backend_cpu/cuda/%s", folder ? folder : "", name);
  return own && !access(own, R_OK);
}

/* True for a header of CUDA's that the emulation has not. One of a toolkit that is installed would not go with ours. */
static bool is_lacking(const char *name)
{
  static const char *const begin[] = {"cub/",   "thrust/", "cuda",     "cooperative_groups", "cublas",
                                      "curand", "cufft",   "cusparse", "cusolver",           "cutlass/",
                                      "cute/",  "nv",      "npp"};
  for (size_t i = 0; i < sizeof begin / sizeof *begin; i++)
    if (!strncmp(name, begin[i], strlen(begin[i])))
      return true;
  return false;
}

/* True for a header, none of ours, that may have a word of CUDA's with another meaning. */
static bool is_of_cplusplus(const char *name)
{
  return !xb_is_listed(
      "stdint.h stddef.h stdio.h stdlib.h string.h math.h float.h limits.h time.h cstdint cstddef cfloat "
      "climits xb/abi.h",
      name, strlen(name));
}

static bool is_known(const xb_pair_job *j, const char *copy)
{
  for (int i = 0; i < j->header_count; i++)
    if (!strcmp(j->header_files[i], copy))
      return true;
  return j->header_count == XB_MOST_HEADERS;
}

static void copy_header(xb_pair_job *j, const char *header, char *copy)
{
  char *contents, *whole = realpath(header, NULL);
  size_t bytes;
  if (xb_read_file(header, XB_MAX_SOURCE_BYTES, j->arena, &contents, &bytes, NULL)) {
    free(whole);
    return;
  }
  j->header_files[j->header_count++] = copy;
  xb_drop_host_code(j, contents, true);
  j->host_headers |= strstr(contents, "std::") != NULL;
  if (j->source->for_cpu)
    xb_translate_registers(contents);
  xb_copy_headers(j, header, contents);
  const char *marked = xb_arena_text(j->arena, "#line 1 \"%s\"\n%s", whole ? whole : header, contents);
  free(whole);
  xb_make_folders(copy);
  if (marked)
    xb_write_whole_file(copy, marked, strlen(marked));
}

void xb_copy_headers(xb_pair_job *j, const char *path, char *text)
{
  xb_tokens tokens = {0};
  xb_include include;
  size_t at = 0;
  xb_tokens_read(&tokens, text);
  while (xb_include_next(&tokens, &at, &include)) {
    const int length = (int)include.length;
    const char *name = xb_arena_text(j->arena, "%.*s", length, include.name);
    const char *header = xb_include_find(path, &include, j->source->flags, j->arena);
    if (!header && name && j->source->for_cpu && !stands_for_cudas(j, name)) {
      j->host_headers |= is_of_cplusplus(name);
      if (is_lacking(name)) {
        j->lacking = j->lacking ? j->lacking : name;
        char *line = text + (include.line - text);
        memset(line, ' ', strcspn(line, "\n"));
      }
    }
    if (!header)
      continue;
    char *from = text + (include.name - text);
    for (char *up = from; (up = strstr(up, "../")) && up < from + length;)
      memcpy(up, "up/", 3); /* inside of the folder */
    char *copy = xb_arena_text(j->arena, "%s/%.*s", j->headers, length, from);
    if (copy && !is_known(j, copy))
      copy_header(j, header, copy);
  }
  xb_tokens_free(&tokens);
}

/* Macros of all files that stand for __device__ may be defined in one and used in another. */
void xb_find_device_words(xb_pair_job *j)
{
  const xb_source_options options = {.flags = j->source->flags};
  const char *text = xb_source_flatten(j->source->path, &options, j->arena), *words = "";
  xb_tokens t = {0};
  if (text)
    xb_tokens_read(&t, text);
  xb_tokens_set_scopes(&t, false);
  for (size_t i = 1; i < t.count; i++)
    if (t.list[i].of_device && xb_token_is(&t.list[i - 1], "define"))
      words = xb_arena_text(j->arena, "%s%s%.*s", words ? words : "", words && *words ? " " : "", (int)t.list[i].length,
                            t.list[i].text);
  xb_tokens_free(&t);
  j->device_words = words ? words : "";
}
