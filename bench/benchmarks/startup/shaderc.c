/* shaderc, glslc as a library, opened at run time. Its headers are not needed: these are the functions that are called.
 */
#include "benchmarks/startup/compile.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum { COMPUTE = 2, HLSL = 1, VULKAN = 0, VULKAN_1_1 = 1 << 22 | 1 << 12, PERFORMANCE = 2 }; /* of shaderc's enums */

typedef struct shaderc {
  void *(*compiler_initialize)(void);
  void (*compiler_release)(void *compiler);
  void *(*compile_options_initialize)(void);
  void (*compile_options_release)(void *options);
  void (*compile_options_set_source_language)(void *options, int language);
  void (*compile_options_set_target_env)(void *options, int target, uint32_t version);
  void (*compile_options_set_optimization_level)(void *options, int level);
  void *(*compile_into_spv)(const void *compiler, const char *text, size_t bytes, int kind, const char *file,
                            const char *entry, const void *options);
  void (*result_release)(void *result);
  int (*result_get_compilation_status)(const void *result);
  size_t (*result_get_length)(const void *result);
  const char *(*result_get_bytes)(const void *result);
  const char *(*result_get_error_message)(const void *result);
} shaderc;

static bool load(void *library, shaderc *s)
{
  bool all = library;
#define LOAD(name)                                                                                                     \
  {                                                                                                                    \
    void *symbol = library ? dlsym(library, "shaderc_" #name) : NULL;                                                  \
    memcpy(&s->name, &symbol, sizeof symbol);                                                                          \
    all = all && symbol;                                                                                               \
  }
  LOAD(compiler_initialize)
  LOAD(compiler_release)
  LOAD(compile_options_initialize)
  LOAD(compile_options_release)
  LOAD(compile_options_set_source_language)
  LOAD(compile_options_set_target_env)
  LOAD(compile_options_set_optimization_level)
  LOAD(compile_into_spv)
  LOAD(result_release)
  LOAD(result_get_compilation_status)
  LOAD(result_get_length)
  LOAD(result_get_bytes)
  LOAD(result_get_error_message)
#undef LOAD
  return all;
}

/* Opened once. */
static const shaderc *find(char why[200])
{
  static const char *const names[] = {"libshaderc_shared.so.1", "libshaderc.so.1"};
  static shaderc found;
  static bool good;
  for (size_t i = 0; i < sizeof names / sizeof *names && !good; i++) {
    good = load(dlopen(names[i], RTLD_NOW | RTLD_LOCAL), &found);
    const char *const reason = good ? NULL : dlerror();
    snprintf(why, 200, "%s", reason ? reason : "a function is missing");
  }
  return good ? &found : NULL;
}

xb_code xb_by_shaderc(const char *source, xb_arena *arena, xb_kernel_desc *desc, xb_error *err)
{
  char why[200];
  const shaderc *s = find(why);
  if (!s) /* Debian 12's libshaderc.so.1 lacks libraries that it needs */
    return xb_fail(err, XB_UNSUPPORTED, "startup", "shaderc cannot be opened (%s): install a complete one", why);
  void *compiler = s->compiler_initialize(), *options = s->compile_options_initialize();
  s->compile_options_set_source_language(options, HLSL);
  s->compile_options_set_target_env(options, VULKAN, VULKAN_1_1);
  s->compile_options_set_optimization_level(options, PERFORMANCE);
  void *result = s->compile_into_spv(compiler, source, strlen(source), COMPUTE, "startup.hlsl", "startup", options);
  xb_code code = XB_OK;
  if (s->result_get_compilation_status(result))
    code = xb_fail(err, XB_INTERNAL, "shaderc", "%.200s", s->result_get_error_message(result));
  desc->code_bytes = code ? 0 : s->result_get_length(result);
  char *words = code ? NULL : xb_arena_take(arena, desc->code_bytes, 1);
  if (!code && !words)
    code = xb_fail(err, XB_NOMEM, "startup", "out of host memory");
  if (!code)
    memcpy(words, s->result_get_bytes(result), desc->code_bytes);
  desc->code = words;
  s->result_release(result);
  s->compile_options_release(options);
  s->compiler_release(compiler);
  return code;
}
