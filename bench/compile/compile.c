#include "compile/compile.h"

#include "base/program.h"
#include "base/safe_text.h"
#include "base/whole_file.h"
#include "compile/cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_there(xb_pair_job *j, const char *name)
{
  j->compiler = name;
  j->tool = strcmp(name, "nvrtc") != 0 ? xb_find_program(name, j->arena) : xb_nvrtc_find();
  if (!j->tool && !strcmp(name, "nvcc"))
    j->tool = xb_find_program("/usr/local/cuda/bin/nvcc", j->arena);
  return j->tool;
}

/* The compiler that was asked for, or the first that is there. */
static xb_code choose(xb_pair_job *j, xb_error *err)
{
  const xb_pair_language *l = xb_pair_language_of(j->source->path);
  const char *asked = j->source->for_d3d12 ? "dxc" : j->source->for_cpu ? "c++" : j->source->compiler;
  for (const char *p = l->compilers; *p && !asked && !j->tool; p += strcspn(p, " ") + 1)
    is_there(j, xb_arena_text(j->arena, "%.*s", (int)strcspn(p, " "), p));
  if (asked)
    is_there(j, asked);
  return j->tool ? XB_OK
                 : xb_fail(err, XB_UNAVAILABLE, j->source->path, "no compiler is there: install %s%s",
                           asked ? asked : "one of: ",
                           !asked               ? l->compilers
                           : j->source->for_cpu ? " (Debian: apt-get install g++)"
                                                : "");
}

/* Runs the compiler, a program, or only its preprocessor. */
static xb_code run_program(xb_pair_job *j, bool preprocess, char **text, size_t *bytes, char **said, xb_error *err)
{
  char output[] = "/tmp/xbench-XXXXXX";
  const bool dxc = !strcmp(j->compiler, "dxc");
  const char *words[XB_MOST_COMPILER_WORDS + 8];
  const int fd = mkstemp(output);
  if (fd < 0)
    return xb_fail(err, XB_INVALID, j->source->path, "cannot be compiled: no temporary file in /tmp");
  close(fd);
  const char *const to_text[] = {dxc ? "-P" : "-E", dxc ? "-Fi" : NULL, output};
  const char *const end[] = {dxc ? "-Fo" : "-o", output, j->source->path, NULL}; /* dxc wants the source last */
  int count = j->count;
  memcpy(words, j->words, (size_t)count * sizeof *words);
  for (int i = 0; i < 3 && preprocess && to_text[i]; i++)
    words[count++] = to_text[i];
  memcpy(words + count, end, sizeof end);
  xb_code code = xb_run_program(words, j->arena, said, err);
  if (!code)
    code = xb_read_whole_file(output, j->arena, text, bytes, err);
  unlink(output);
  return code;
}

/* The compiler itself knows which files it reads: what its preprocessor makes of the source has the contents of all of
 * them. False if nothing tells them: NVRTC has no preprocessor of its own, slangc's leaves imported modules out, and
 * files of options say more than their names. */
static bool make_key(xb_pair_job *j, xb_cache_key *key, xb_error *why)
{
  static const char *const variables[] = {"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"};
  char *text, *said;
  size_t bytes = 0;
  *key = (xb_cache_key){{0}};
  if (!strcmp(j->compiler, "nvrtc") || !strcmp(j->compiler, "slangc"))
    return false;
  xb_cache_add_tool(key, j->tool);
  xb_cache_add(key, j->source->path, strlen(j->source->path)); /* it is in debug information */
  for (int i = 0; i < j->count; i++) {
    if (*j->words[i] == '@' || strstr(j->words[i], "-optf") || strstr(j->words[i], "-options-file"))
      return false;
    xb_cache_add(key, j->words[i], strlen(j->words[i]));
  }
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
    const char *value = getenv(variables[i]);
    xb_cache_add(key, value ? value : "", value ? strlen(value) : 0);
  }
  if (j->source->for_cpu && j->entry)
    xb_cache_add(key, j->entry, strlen(j->entry));
  if (run_program(j, true, &text, &bytes, &said, why) || !bytes)
    return false;
  xb_cache_add(key, text, bytes);
  return true;
}

/* Runs NVRTC, or a program. */
static xb_code run(xb_pair_job *j, xb_pair_binary *binary, const char **messages, xb_error *err)
{
  char *text, *said = "";
  xb_code code;
  *messages = "";
  if (j->source->for_cpu)
    return xb_cplusplus_compile(j, binary, messages, err);
  if (!strcmp(j->compiler, "nvrtc")) {
    code = xb_read_whole_file(j->source->path, j->arena, &text, &binary->bytes, err);
    return code ? code
                : xb_nvrtc_compile(j->source->path, text, j->words + 1, j->count - 1, j->arena, binary, messages, err);
  }
  code = run_program(j, false, &text, &binary->bytes, &said, err);
  *messages = said;
  if (!code)
    binary->data = text;
  return code;
}

/* With file and line; warnings, too. */
static void print_messages(const char *messages, xb_arena *arena)
{
  for (const char *p = messages; *p; p += strcspn(p, "\n"), p += *p == '\n') {
    const char *line = xb_arena_text(arena, "%.*s", (int)strcspn(p, "\n"), p);
    if (line && xb_print_safe(stderr, line))
      fputc('\n', stderr);
  }
}

static xb_code compile(xb_pair_job *j, uint32_t capability, xb_pair_binary *binary, xb_error *err)
{
  const char *messages = "";
  xb_error why = {0};
  xb_pair_add_word(j, j->tool);
  xb_pair_add_options(j, capability);
  xb_cache_key key;
  const bool cached = make_key(j, &key, &why);
  if (cached && xb_cache_get(&key, j->arena, &binary->data, &binary->bytes))
    return XB_OK;
  const xb_code code = why.code == XB_TIMEOUT ? XB_INVALID : run(j, binary, &messages, &why);
  if (code && strstr(messages, "duplicate input variables"))
    return xb_fail(err, XB_INVALID, j->source->path, XB_BUILTIN_TWICE);
  if (!code && !binary->bytes) /* its messages are its manual */
    return xb_fail(err, XB_INVALID, j->source->path, "%s wrote no code: a flag makes it do something else, such as -h",
                   j->compiler);
  print_messages(messages, j->arena);
  if (code)
    return xb_fail(err, code == XB_TIMEOUT ? XB_INVALID : code, j->source->path, "%s did not compile it: %s",
                   j->compiler, why.message);
  if (strstr(messages, "Entry point not found")) /* glslc makes an empty kernel then */
    return xb_fail(err, XB_INVALID, j->source->path, "there is no entry point '%s'", j->entry);
  if (cached)
    xb_cache_put(&key, binary->data, binary->bytes, j->arena);
  return XB_OK;
}

xb_code xb_pair_compile(const xb_pair_source *source, const char *entry, uint32_t capability, xb_arena *arena,
                        xb_pair_binary *binary, xb_error *err)
{
  xb_pair_job j = {.source = source, .entry = entry, .arena = arena};
  const xb_pair_language *l = xb_pair_language_of(source->path);
  char *text;
  *binary = (xb_pair_binary){0};
  xb_code code = xb_read_whole_file(source->path, arena, &text, &binary->bytes, err);
  binary->data = text;
  if (code || !l->compilers)
    return code;
  code = choose(&j, err);
  binary->compiler = j.compiler;
  return code ? code : compile(&j, capability, binary, err);
}

xb_code xb_pair_list_dxil(const char *path, const xb_pair_binary *binary, xb_arena *arena, const char **listing,
                          xb_error *err)
{
  const char *const dxc = xb_find_program("dxc", arena);
  char input[] = "/tmp/xbench-XXXXXX", *text = "";
  if (!dxc)
    return xb_fail(err, XB_UNAVAILABLE, path, "install dxc: it tells the parameters of DXIL");
  const int fd = mkstemp(input);
  if (fd < 0)
    return xb_fail(err, XB_INVALID, path, "cannot be read: no temporary file in /tmp");
  const bool written = write(fd, binary->data, binary->bytes) == (ssize_t)binary->bytes;
  xb_error why = {0};
  const char *const words[] = {dxc, "-dumpbin", input, NULL};
  const xb_code code = close(fd) || !written ? XB_INVALID : xb_run_program(words, arena, &text, &why);
  unlink(input);
  *listing = text;
  return code ? xb_fail(err, XB_INVALID, path, "is no DXIL container: dxc -dumpbin %s", why.message) : XB_OK;
}
