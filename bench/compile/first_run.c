/* The program's own kernels, compiled for a GPU by NVRTC when a run needs them first: a build without nvcc has their
 * sources only. */
#include "base/whole_file.h"
#include "compile/cache.h"
#include "compile/compile.h"
#include "version.h"

#include <stdlib.h>
#include <string.h>

void (*xb_first_run_begins)(const char *name);

bool xb_first_run_needed(void)
{
  const char *set = getenv("XB_NVRTC");
  return !*XB_CUDA_COMPILER || (set && *set);
}

/* Adds words up to the end of the line. NVRTC has one level of optimization. */
static void add_words(xb_pair_job *j, const char *text)
{
  for (size_t length; text += strspn(text, " "), (length = strcspn(text, " \r\n")); text += length)
    if (strncmp(text, "-O", 2) != 0)
      xb_pair_add_word(j, xb_arena_text(j->arena, "%.*s", (int)length, text));
}

/* The options that nvcc gets when the program is built. */
static void add_options(xb_pair_job *j, const char *text, const char *architecture)
{
  static const char own[] = "\n// nvcc: ";
  const char *line = strstr(text, own), *headers = xb_nvrtc_headers(j->arena);
  xb_pair_add_word(j, xb_arena_text(j->arena, "--gpu-architecture=%s", architecture));
  add_words(j, XB_CUDA_CODE_FLAGS);
  xb_pair_add_word(j, "-DINFINITY=__int_as_float(0x7f800000)"); /* nvcc has it from the host's math.h */
  if (line)
    add_words(j, line + strlen(own));
  for (const char *const *flag = j->source->flags; *flag; flag++)
    xb_pair_add_word(j, *flag);
  if (headers) {
    xb_pair_add_word(j, xb_arena_text(j->arena, "-I%s", headers));
    xb_pair_add_word(j, xb_arena_text(j->arena, "-I%s/cccl", headers)); /* <cuda/atomic>, since CUDA 13 */
    xb_pair_add_word(j, xb_arena_text(j->arena, "-I%s/../../cuda_cccl/include", headers)); /* CUDA 12 from pip */
    xb_pair_add_word(j, xb_arena_text(j->arena, "-I%s/../../cuda_nvcc/include", headers)); /* <crt/mma.h> */
  }
}

/* The folders' names have a hash of what is in them. */
static xb_cache_key key_of(const xb_pair_job *j, const char *text)
{
  xb_cache_key key = {{0}};
  const char *headers = xb_nvrtc_headers(j->arena), *name = xb_nvrtc_name();
  xb_cache_add(&key, name, strlen(name));
  xb_cache_add_tool(&key, xb_nvrtc_find());
  if (headers)
    xb_cache_add_tool(&key, xb_arena_text(j->arena, "%s/" XB_TOOLKIT_HEADER, headers));
  for (int i = 0; i < j->count; i++)
    xb_cache_add(&key, j->words[i], strlen(j->words[i]));
  xb_cache_add(&key, text, strlen(text));
  return key;
}

/* What the log says of the first mistake, in one line. */
static xb_code refuse(const char *label, const char *log, const xb_error *why, xb_error *err)
{
  static const char no_file[] = "cannot open source file \"";
  const char *header = strstr(log, no_file), *mistake = strstr(log, "error: ");
  if (header) {
    header += strlen(no_file);
    return xb_fail(err, XB_UNSUPPORTED, label,
                   "left out: needs NVIDIA's %.*s: install the toolkit's headers, or set CUDA_PATH",
                   (int)strcspn(header, "\""), header);
  }
  mistake = mistake ? mistake + strlen("error: ") : why->message;
  return xb_fail(err, XB_INTERNAL, label, "%s did not compile it: %.*s", xb_nvrtc_name(), (int)strcspn(mistake, "\n"),
                 mistake);
}

xb_code xb_first_run(const char *label, const xb_pair_source *source, uint32_t capability, xb_arena *arena,
                     xb_pair_binary *binary, xb_error *err)
{
  xb_pair_job job = {.source = source, .arena = arena}, *j = &job;
  const char *log;
  char *text;
  xb_error why = {0};
  size_t bytes;
  if (!xb_nvrtc_find())
    return xb_fail(err, XB_UNSUPPORTED, label, "kernels are compiled at first run by NVRTC: %s", xb_nvrtc_missing());
  const char *architecture = xb_nvrtc_architecture(capability, j->arena);
  if (!architecture)
    return xb_fail(err, XB_UNSUPPORTED, label,
                   "%s compiles nothing for sm_%u: install an older one, and name its file in XB_NVRTC",
                   xb_nvrtc_name(), capability);
  xb_code code = xb_read_file(j->source->path, XB_MAX_SOURCE_BYTES, j->arena, &text, &bytes, err);
  if (code)
    return code;
  add_options(j, text, architecture);
  const xb_cache_key key = key_of(j, text);
  if (xb_cache_get(&key, j->arena, &binary->data, &binary->bytes))
    return XB_OK;
  if (xb_first_run_begins)
    xb_first_run_begins(label);
  code = xb_nvrtc_compile(j->source->path, text, j->words, j->count, j->arena, binary, &log, &why);
  if (code)
    return refuse(label, log, &why, err);
  xb_cache_put(&key, binary->data, binary->bytes, j->arena);
  return XB_OK;
}
