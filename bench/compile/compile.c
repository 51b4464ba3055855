#include "compile/compile.h"

#include "base/exit_codes.h"
#include "base/program.h"
#include "base/safe_text.h"
#include "base/whole_file.h"
#include "os/temporary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_there(xb_pair_job *j, const char *name)
{
  j->compiler = name;
  j->tool = j->source->tool          ? j->source->tool
            : !strcmp(name, "nvrtc") ? xb_nvrtc_find()
                                     : xb_find_program(name, j->arena);
  if (!j->tool && !strcmp(name, "nvcc"))
    j->tool = xb_find_program("/usr/local/cuda/bin/nvcc", j->arena);
  return j->tool;
}

/* A mark that editors write before a text; inside a unit, and for NVRTC, it is an unknown character. */
static char *behind_mark(char *text)
{
  return text + (strncmp(text, "\xEF\xBB\xBF", 3) ? 0 : 3);
}

/* ---- What is compiled ------------------------------------------------------------------------------------------- */

/* A shader that begins with #version, in a raw string literal of host code: R"(#version 450 ... )". NULL: there is
 * none.
 */
static const char *embedded_shader(const char *text, xb_arena *arena)
{
  for (const char *p = strstr(text, "R\""); p; p = strstr(p + 1, "R\"")) {
    const char *open = strchr(p, '(');
    if (!open || open - p > 20)
      continue;
    const char *version = open + 1 + strspn(open + 1, " \t\r\n");
    const char *end = xb_arena_text(arena, ")%.*s\"", (int)(open - p - 2), p + 2);
    end = end ? strstr(open, end) : NULL;
    if (end && !strncmp(version, "#version", 8))
      return xb_arena_text(arena, "%.*s", (int)(end - version), version);
  }
  return NULL;
}

/* A source that is no unit by itself: a shader in host code; a kernel that has to be asked for; a source without its
 * host code. NULL: the source is taken as it is. */
static const char *unit_of(const xb_pair_job *j, const char *text)
{
  const bool cuda = !strcmp(xb_pair_language_of(j->source->path)->format, "fatbin");
  const char *question =
      cuda && j->entry && (xb_is_instance(j->entry) || j->device_only) ? xb_instance_question(j->entry, j->arena) : "";
  char whole[4096];
  if (!cuda)
    return embedded_shader(text, j->arena);
  if (j->source->for_cpu)
    return j->device_only ? text : NULL;
  if (!j->device_only && !*question)
    return NULL;
  if (j->device_only || !strcmp(j->compiler, "nvrtc"))
    return xb_arena_text(j->arena, "%s%s", text, question);
  return realpath(j->source->path, whole) ? xb_arena_text(j->arena, "#include \"%s\"%s", whole, question) : NULL;
}

/* Writes the unit into a temporary file. */
static xb_code write_unit(xb_pair_job *j, const char *unit, xb_error *err)
{
  const bool cuda = !strcmp(xb_pair_language_of(j->source->path)->format, "fatbin");
  char path[XB_TEMPORARY_BYTES];
  const int fd = xb_temporary_file(path, cuda ? ".cu" : ".comp");
  const size_t bytes = strlen(unit);
  const bool written = fd >= 0 && write(fd, unit, bytes) == (ssize_t)bytes;
  j->input = xb_arena_text(j->arena, "%s", path);
  if (fd < 0 || close(fd) || !written || !j->input)
    return xb_fail(err, XB_INVALID, j->source->path, "cannot be compiled: %s", xb_temporary_why());
  return XB_OK;
}

/* naga's code says that it was WGSL, a number that older validators refuse. Code may leave its language unknown. */
static void forget_language(char *code, size_t bytes)
{
  enum { HEADER = 5, OP_SOURCE = 3, WGSL = 10 }; /* words; SPIR-V, sections 2.3, 3.2 and 3.52.1 */
  const uint32_t unknown = 0;
  uint32_t word[2];
  for (size_t at = HEADER * 4; at + sizeof word <= bytes; at += (*word >> 16) * sizeof *word) {
    memcpy(word, code + at, sizeof word);
    if (word[0] >> 16 < 1)
      return;
    if ((word[0] & 0xffff) == OP_SOURCE && word[1] == WGSL)
      memcpy(code + at + sizeof *word, &unknown, sizeof unknown);
  }
}

/* naga colours its messages for anybody: "\x1b[38;5;9merror\x1b[0m: ...". */
static void drop_colours(char *text)
{
  char *to = text;
  for (const char *p = text; *p; p++)
    if (p[0] == '\x1b' && p[1] == '[') { /* up to the last letter of the sequence */
      const size_t length = strcspn(p, "m\n");
      p += p[length] ? length : length - 1;
    } else {
      *to++ = *p;
    }
  *to = '\0';
}

/* Runs the compiler, a program, or only its preprocessor. */
static xb_code run_program(xb_pair_job *j, bool preprocess, char **text, size_t *bytes, char **said, xb_error *err)
{
  char output[XB_TEMPORARY_BYTES];
  const bool dxc = !strcmp(j->compiler, "dxc"), naga = !strcmp(j->compiler, "naga");
  const char *words[XB_MOST_COMPILER_WORDS + 8];
  const int fd = xb_temporary_file(output, naga ? ".spv" : "");
  if (fd < 0)
    return xb_fail(err, XB_INVALID, j->source->path, "cannot be compiled: %s", xb_temporary_why());
  close(fd);
  const char *const to_text[] = {dxc ? "-P" : "-E", dxc ? "-Fi" : NULL, output};
  const char *const usual[] = {dxc ? "-Fo" : "-o", output, j->input, NULL}; /* dxc wants the source last */
  const char *const of_naga[] = {j->input, output, NULL, NULL};
  int count = j->count;
  memcpy(words, j->words, (size_t)count * sizeof *words);
  for (int i = 0; i < 3 && preprocess && to_text[i]; i++)
    words[count++] = to_text[i];
  memcpy(words + count, naga ? of_naga : usual, sizeof usual);
  xb_code code = xb_run_program(words, j->arena, said, err);
  if (naga)
    drop_colours(*said);
  if (!code)
    code = xb_read_whole_file(output, j->arena, text, bytes, err);
  if (!code && (naga || !strcmp(j->compiler, "tint")))
    forget_language(*text, *bytes);
  xb_temporary_remove(output);
  return code;
}

/* True if a source in a shader language reads no other file. A backslash may split a word, a zero byte hide one. */
static bool reads_alone(const xb_pair_job *j, const char *text, size_t bytes)
{
  const bool wgsl = !strcmp(j->compiler, "naga") || !strcmp(j->compiler, "tint");
  const bool shader = !strcmp(j->compiler, "glslc") || !strcmp(j->compiler, "dxc");
  return wgsl || (shader && strlen(text) == bytes && !strstr(text, "include") && !strstr(text, "\\\n") &&
                  !strstr(text, "\\\r"));
}

/* The compiler itself knows which files it reads: what its preprocessor makes of the source has the contents of all of
 * them; a source without any is what it is. False if nothing tells them: NVRTC has no preprocessor of its own, slangc's
 * leaves imported modules out, and files of options say more than their names. */
static bool make_key(xb_pair_job *j, xb_cache_key *key, xb_error *why)
{
  static const char *const variables[] = {"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"};
  char *text, *said = "";
  size_t bytes = 0;
  *key = (xb_cache_key){{0}};
  if (!strcmp(j->compiler, "nvrtc") || !strcmp(j->compiler, "slangc")) {
    j->elsewhere = xb_included_elsewhere(j, j->source->path, 0);
    return false;
  }
  xb_cache_add_tool(key, j->tool);
  xb_cache_add(key, j->source->path, strlen(j->source->path)); /* it is in debug information */
  for (int i = 0; i < j->count; i++) {
    if (*j->words[i] == '@' || strstr(j->words[i], "-optf") || strstr(j->words[i], "-options-file"))
      return false;
    if (!j->device_only || !strstr(j->words[i], j->headers)) /* another name each time */
      xb_cache_add(key, j->words[i], strlen(j->words[i]));
  }
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
    const char *value = getenv(variables[i]);
    xb_cache_add(key, value ? value : "", value ? strlen(value) : 0);
  }
  if (j->source->for_cpu && j->entry)
    xb_cache_add(key, j->entry, strlen(j->entry));
  if (j->source->checks)
    xb_cache_add(key, &j->source->checks, sizeof j->source->checks);
  if (j->uses_precompiled)
    xb_cache_add(key, &j->precompiled_state, sizeof j->precompiled_state);
  xb_code code = xb_read_whole_file(j->input, j->arena, &text, &bytes, why);
  const bool alone = !code && reads_alone(j, text, bytes);
  if (!alone)
    code = run_program(j, true, &text, &bytes, &said, why);
  const bool failed = code || !bytes;
  j->elsewhere = alone ? NULL : xb_read_elsewhere(j, failed ? said : text, !failed);
  if (failed)
    return false;
  const char *const temporary[] = {j->input != j->source->path ? j->input : NULL, j->device_only ? j->headers : NULL};
  for (size_t i = 0; i < sizeof temporary / sizeof *temporary; i++) /* in line markers, another name each time */
    for (char *name = text; temporary[i] && (name = strstr(name, temporary[i]));)
      memset(name, ' ', strlen(temporary[i]));
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
    code = xb_read_whole_file(j->input, j->arena, &text, &binary->bytes, err);
    return code ? code
                : xb_nvrtc_compile(j->source->path, behind_mark(text), j->words + 1, j->count - 1, j->arena, binary,
                                   messages, err);
  }
  code = run_program(j, false, &text, &binary->bytes, &said, err);
  *messages = said;
  if (!code)
    binary->data = text;
  return code;
}

/* With file and line; warnings, too. */
static void print_messages(const xb_pair_job *j, const char *messages)
{
  for (const char *p = j->source->quiet ? "" : messages; *p; p += strcspn(p, "\n"), p += *p == '\n') {
    const char *line = xb_arena_text(j->arena, "%.*s", (int)strcspn(p, "\n"), p);
    if (line && xb_print_safe(stderr, line))
      fputc('\n', stderr);
  }
}

/* The first mistake that a compiler or linker tells, with file and line: "a.cu(3): error: ...". "": it tells none. */
static const char *first_error(const char *messages, xb_arena *arena)
{
  const char *link = strstr(messages, "undefined reference"), *error = link ? link : strstr(messages, "error:"),
             *coded = strstr(messages, "error["), /* error[E00100] of Slang */
                 *line = error   ? error
                         : coded ? coded
                                 : strstr(messages, " error");
  char safe[240];
  while (line && line > messages && line[-1] != '\n')
    line--;
  const char *text = line ? xb_arena_text(arena, "%.*s", (int)strcspn(line, "\r\n"), line) : NULL;
  const char *kept = text ? xb_arena_text(arena, "%s", xb_safe_text(text, safe, sizeof safe)) : NULL;
  return kept ? kept : "";
}

/* One compiler, once. */
static xb_code attempt(xb_pair_job *j, uint32_t capability, xb_pair_binary *binary, const char **messages,
                       xb_error *why)
{
  *messages = "";
  j->count = 0;
  xb_pair_add_word(j, j->tool);
  xb_pair_add_options(j, capability);
  xb_cache_key key;
  const bool cached = make_key(j, &key, why);
  if (j->elsewhere)
    return XB_INVALID;
  if (cached && xb_cache_get(&key, j->arena, &binary->data, &binary->bytes))
    return XB_OK;
  const xb_code code = why->code == XB_TIMEOUT ? XB_TIMEOUT : run(j, binary, messages, why);
  j->elsewhere = xb_read_elsewhere(j, *messages, false);
  if (j->elsewhere)
    return XB_INVALID;
  if (!code && binary->bytes && cached && !strstr(*messages, "Entry point not found"))
    xb_cache_put(&key, binary->data, binary->bytes, j->arena);
  return code;
}

/* The source as it is, or as one unit. */
static xb_code attempt_unit(xb_pair_job *j, const char *text, uint32_t capability, xb_pair_binary *binary,
                            const char **messages, xb_error *why)
{
  const char *unit = unit_of(j, text);
  *why = (xb_error){0};
  *messages = "";
  j->input = j->source->path;
  xb_code code = unit ? write_unit(j, unit, why) : XB_OK;
  if (!code)
    code = attempt(j, capability, binary, messages, why);
  if (unit)
    xb_temporary_remove(j->input);
  return code;
}

/* Kernels alone: without the host's functions, and without the headers that are not here. */
static xb_code attempt_kernels(xb_pair_job *j, const char *text, uint32_t capability, xb_pair_binary *binary,
                               const char **said, xb_error *why)
{
  enum { MOST_HEADERS = 16 };
  const char *messages = "";
  char folder[XB_TEMPORARY_BYTES];
  char whole[4096], *kernels = xb_arena_text(j->arena, "%s", text);
  xb_error later;
  *said = "";
  *why = (xb_error){.code = XB_INVALID};
  if (!kernels || !realpath(j->source->path, whole))
    return XB_INVALID;
  if (!xb_temporary_folder(folder))
    return xb_fail(why, XB_INVALID, j->source->path, "cannot be compiled: %s", xb_temporary_why());
  xb_find_device_words(j);
  xb_drop_host_code(j, kernels, false);
  if (j->source->for_cpu)
    xb_translate_registers(kernels);
  j->device_only = true;
  j->headers = folder;
  j->host_headers = strstr(kernels, "std::");
  xb_copy_headers(j, j->source->path, kernels);
  xb_code code = XB_INVALID;
  for (int i = 0; i < MOST_HEADERS && code; i++) {
    const char *marked = xb_arena_text(j->arena, "#line 1 \"%s\"\n%s", whole, kernels);
    code = attempt_unit(j, marked ? marked : "", capability, binary, &messages, i ? &later : why);
    *said = i && code ? *said : messages; /* later mistakes may come from what was left out */
    if (j->elsewhere || (code && !xb_drop_include(messages, whole, kernels)))
      break;
  }
  xb_temporary_remove(folder);
  j->header_count = 0;
  j->device_only = false;
  return code;
}

/* Nothing compiles it. `messages`: what the compiler said whose mistakes are shown. */
static xb_code refuse(const xb_pair_job *j, const char *compiler, const char *text, const char *messages,
                      const xb_error *why, xb_error *err)
{
  char all[200];
  const bool hlsl = !strcmp(xb_pair_language_of(j->source->path)->extension, "hlsl");
  if (strstr(messages, "duplicate input variables"))
    return xb_fail(err, XB_INVALID, j->source->path, XB_BUILTIN_TWICE);
  if (strstr(messages, "Entry point not found") || strstr(messages, "missing entry point"))
    return xb_fail(
        err, XB_INVALID, j->source->path,
        "there is no entry point '%s'; the source has: %s. Is it another name of the same kernel? Name both, as in "
        "--entry 'KERNEL=NAME', or give this side Entries in a manifest",
        j->entry, xb_hlsl_entries(text, all));
  if (!why->code) /* its messages are its manual */
    return xb_fail(err, XB_INVALID, j->source->path, "%s wrote no code: a flag makes it do something else, such as -h",
                   compiler);
  if (j->lacking && !strstr(messages, "No such file") && !strstr(messages, "file not found"))
    return xb_fail(err, XB_UNSUPPORTED, j->source->path, "the emulation has no %s: %s", j->lacking,
                   first_error(messages, j->arena));
  print_messages(j, messages);
  const char *hint = hlsl && !strstr(messages, "#error") && !j->source->compiler && !xb_find_program("dxc", j->arena)
                         ? "; dxc may compile it: script/fetch dxc, then put build/tools/dxc into the PATH"
                     : j->entry && xb_is_instance(j->entry) && strstr(messages, "undefined")
                         ? "; is the kernel in a namespace? Then --entry ns::KERNEL<...>"
                         : "";
  const char *error = first_error(messages, j->arena);
  return xb_fail(err, why->code == XB_TIMEOUT ? XB_INVALID : why->code, j->source->path,
                 "%s did not compile it: %s%s%s%s", compiler, error, *error ? "; " : "", why->message, hint);
}

/* The compiler that was asked for; else those that are there, in turn, until one compiles it. */
static xb_code compile(xb_pair_job *j, const char *text, uint32_t capability, xb_pair_binary *binary, xb_error *err)
{
  const xb_pair_language *l = xb_pair_language_of(j->source->path);
  const char *asked = j->source->for_d3d12 ? "dxc"
                      : j->source->for_cpu ? "c++"
                                           : j->source->compiler,
             *first = NULL, *shown = "";
  const char *candidates = asked ? xb_arena_text(j->arena, "%s ", asked) : l->compilers;
  xb_error why = {0};
  for (const char *p = candidates; *p; p += strcspn(p, " ") + 1) {
    const char *messages = "";
    xb_error failed = {0};
    if (!is_there(j, xb_arena_text(j->arena, "%.*s", (int)strcspn(p, " "), p)))
      continue;
    /* Host code is not emulated. The program's own kernels have none. */
    const bool drops = j->source->for_cpu && !j->source->lists_kernels;
    xb_code code = drops ? attempt_kernels(j, text, capability, binary, &messages, &failed) : XB_INVALID;
    const char *of_kernels = messages, *ignored;
    xb_error of_unit;
    if (code && !j->lacking && !j->elsewhere)
      code = attempt_unit(j, text, capability, binary, &messages, drops ? &of_unit : &failed);
    if (j->elsewhere) /* nothing of it is shown */
      return xb_fail(err, XB_INVALID, j->source->path,
                     "reads %s, outside of the manifest's folder: give --trust-paths if you trust the manifest",
                     j->elsewhere);
    messages = code && drops ? of_kernels : messages;
    const bool good = !code && binary->bytes && !strstr(messages, "Entry point not found");
    const bool splits = !strcmp(j->compiler, "nvcc");
    const bool kernels = !good && splits && !attempt_kernels(j, text, capability, binary, &ignored, &of_unit);
    if (good || kernels) {
      print_messages(j, good ? messages : "");
      const char *error = first ? first_error(shown, j->arena) : "";
      if ((first || kernels) && !j->source->quiet)
        xb_report_error(0, "%s: %s%s%s%s%scompiled by %s%s", j->source->path, first ? first : "",
                        first ? " did not compile it" : "", *error ? ": " : "", error, first ? "; " : "", j->compiler,
                        kernels ? ", without its host code" : "");
      binary->compiler = j->compiler;
      binary->command = j->tool;
      for (int i = 1; i < j->count; i++)
        binary->command = xb_arena_text(j->arena, "%s %s", binary->command, j->words[i]);
      return XB_OK;
    }
    if (!first || !strcmp(j->compiler, "nvcc")) { /* NVRTC's mistakes are those of host code */
      first = first ? first : j->compiler;
      binary->compiler = j->compiler;
      shown = messages;
      why = failed;
    }
  }
  if (first)
    return refuse(j, binary->compiler, text, shown, &why, err);
  return xb_fail(err, XB_UNAVAILABLE, j->source->path, "no compiler was found: install %s%s",
                 asked ? asked : "one of: ", asked ? "" : l->compilers);
}

xb_code xb_pair_compile(const xb_pair_source *source, const char *entry, uint32_t capability, xb_arena *arena,
                        xb_pair_binary *binary, xb_error *err)
{
  xb_pair_job j = {.source = source, .entry = entry, .arena = arena, .input = source->path};
  const xb_pair_language *l = xb_pair_language_of(source->path);
  char *text, all[200];
  *binary = (xb_pair_binary){0};
  const xb_code code = xb_read_whole_file(source->path, arena, &text, &binary->bytes, err);
  binary->data = text;
  if (code || !l->compilers)
    return code;
  text = behind_mark(text);
  if (!entry && !strcmp(l->format, "spv")) { /* the only one; "main" where there are several or none */
    const char *only = l->entry ? l->entry : xb_hlsl_entries(text, all);
    j.entry = *only && !strpbrk(only, ", ") ? xb_arena_text(arena, "%s", only) : "main";
  }
  return compile(&j, text, capability, binary, err);
}

xb_code xb_pair_list_dxil(const char *path, const xb_pair_binary *binary, xb_arena *arena, const char **listing,
                          xb_error *err)
{
  const char *const dxc = xb_find_program("dxc", arena);
  char input[XB_TEMPORARY_BYTES], *text = "";
  if (!dxc)
    return xb_fail(err, XB_UNAVAILABLE, path, "install dxc: it prints the parameters of DXIL");
  const int fd = xb_temporary_file(input, "");
  if (fd < 0)
    return xb_fail(err, XB_INVALID, path, "cannot be read: %s", xb_temporary_why());
  const bool written = write(fd, binary->data, binary->bytes) == (ssize_t)binary->bytes;
  xb_error why = {0};
  const char *const words[] = {dxc, "-dumpbin", input, NULL};
  const xb_code code = close(fd) || !written ? XB_INVALID : xb_run_program(words, arena, &text, &why);
  xb_temporary_remove(input);
  *listing = text;
  return code ? xb_fail(err, XB_INVALID, path, "is not a DXIL container: dxc -dumpbin %s", why.message) : XB_OK;
}
