#include "benchmarks/startup/compile.h"

#include "base/program.h"
#include "base/whole_file.h"
#include "benchmarks/family.h"
#include "compile/compile.h"
#include "core/clock.h"
#include "os/temporary.h"

#include <dlfcn.h>
#include <unistd.h>

static const char CUDA[] = "extern \"C\" __global__ void startup(unsigned *out)\n"
                           "{\n"
                           "  const unsigned i = blockIdx.x * %uu + threadIdx.x;\n"
                           "  out[i] = i * %uu + 7u;\n"
                           "}\n";
static const char HLSL[] = "[[vk::binding(0, 0)]] RWStructuredBuffer<uint> output : register(u0);\n"
                           "[numthreads(%u, 1, 1)]\n"
                           "void startup(uint3 thread : SV_DispatchThreadID)\n"
                           "{\n"
                           "  const uint i = thread.x;\n"
                           "  output[i] = i * %uu + 7u;\n"
                           "}\n";

static xb_code by_nvrtc(const char *source, uint32_t capability, bool machine, xb_arena *arena, xb_kernel_desc *desc,
                        xb_error *err)
{
  const char *const architecture =
      xb_arena_text(arena, machine ? "--gpu-architecture=sm_%u" : "--gpu-architecture=compute_%u", capability);
  const char *log;
  xb_pair_binary binary = {0};
  const xb_code code = xb_nvrtc_compile("startup.cu", source, &architecture, 1, arena, &binary, &log, err);
  desc->code = binary.data;
  desc->code_bytes = binary.bytes;
  return code == XB_UNAVAILABLE ? xb_fail(err, XB_UNSUPPORTED, "startup", "%s", xb_nvrtc_missing()) : code;
}

/* ---- glslc ------------------------------------------------------------------------------------------------------ */

static bool write_file(int fd, const char *text)
{
  const size_t bytes = strlen(text);
  const bool good = write(fd, text, bytes) == (ssize_t)bytes;
  return !close(fd) && good;
}

/* From one temporary file to another. */
static xb_code by_glslc(const char *source, xb_arena *arena, xb_kernel_desc *desc, xb_error *err)
{
  char input[XB_TEMPORARY_BYTES], output[XB_TEMPORARY_BYTES], *said = NULL, *text;
  if (!xb_find_program("glslc", arena))
    return xb_fail(err, XB_UNSUPPORTED, "startup", "glslc was not found: install it (Debian: apt-get install glslc)");
  const int in = xb_temporary_file(input, ""), out = xb_temporary_file(output, "");
  const bool good = in >= 0 && out >= 0 && write_file(in, source);
  const char *const words[] = {
      "glslc", "-x",   "hlsl", "-fshader-stage=compute", "--target-env=vulkan1.1", "-O", "-fentry-point=startup", input,
      "-o",    output, NULL};
  if (out >= 0)
    close(out);
  xb_code code =
      good ? xb_run_program(words, arena, &said, err) : xb_fail(err, XB_NOMEM, "startup", "%s", xb_temporary_why());
  code = code ? code : xb_read_whole_file(output, arena, &text, &desc->code_bytes, err);
  desc->code = code ? NULL : text;
  xb_temporary_remove(input);
  xb_temporary_remove(output);
  return code;
}

/* ---- shaderc: glslc as a library, opened at run time ------------------------------------------------------------ */

enum {
  COMPUTE = 2,
  HLSL_SOURCE = 1,
  VULKAN = 0,
  VULKAN_1_1 = 1 << 22 | 1 << 12,
  PERFORMANCE = 2
}; /* of shaderc's enums */

/* FUNCTION(name, type of its result, parameters): what is called of it, so that its headers are not needed. */
#define FUNCTIONS(FUNCTION)                                                                                            \
  FUNCTION(compiler_initialize, void *, (void))                                                                        \
  FUNCTION(compiler_release, void, (void *compiler))                                                                   \
  FUNCTION(compile_options_initialize, void *, (void))                                                                 \
  FUNCTION(compile_options_release, void, (void *options))                                                             \
  FUNCTION(compile_options_set_source_language, void, (void *options, int language))                                   \
  FUNCTION(compile_options_set_target_env, void, (void *options, int target, uint32_t version))                        \
  FUNCTION(compile_options_set_optimization_level, void, (void *options, int level))                                   \
  FUNCTION(compile_into_spv, void *,                                                                                   \
           (const void *compiler, const char *text, size_t bytes, int kind, const char *file, const char *entry,       \
            const void *options))                                                                                      \
  FUNCTION(result_release, void, (void *result))                                                                       \
  FUNCTION(result_get_compilation_status, int, (const void *result))                                                   \
  FUNCTION(result_get_length, size_t, (const void *result))                                                            \
  FUNCTION(result_get_bytes, const char *, (const void *result))                                                       \
  FUNCTION(result_get_error_message, const char *, (const void *result))

typedef struct shaderc {
#define MEMBER(name, result, parameters) result(*name) parameters;
  FUNCTIONS(MEMBER)
} shaderc;

static bool load(void *library, shaderc *s)
{
  bool all = library;
#define LOAD(name, result, parameters)                                                                                 \
  if (all) {                                                                                                           \
    void *symbol = dlsym(library, "shaderc_" #name);                                                                   \
    memcpy(&s->name, &symbol, sizeof symbol);                                                                          \
    all = symbol;                                                                                                      \
  }
  FUNCTIONS(LOAD)
  return all;
}

/* It stays open. */
static bool find(shaderc *s, char why[200])
{
  static const char *const names[] = {"libshaderc_shared.so.1", "libshaderc.so.1"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (load(dlopen(names[i], RTLD_NOW | RTLD_LOCAL), s))
      return true;
    const char *const reason = dlerror();
    snprintf(why, 200, "%s", reason ? reason : "a function is missing");
  }
  return false;
}

/* HLSL to SPIR-V, in this process. */
static xb_code by_shaderc(const char *source, xb_arena *arena, xb_kernel_desc *desc, xb_error *err)
{
  char why[200];
  shaderc functions, *const s = &functions;
  if (!find(s, why)) /* Debian 12's libshaderc.so.1 lacks libraries that it needs */
    return xb_fail(err, XB_UNSUPPORTED, "startup", "shaderc cannot be opened (%s): install a complete one", why);
  void *compiler = s->compiler_initialize(), *options = s->compile_options_initialize();
  s->compile_options_set_source_language(options, HLSL_SOURCE);
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

/* ---- Either ----------------------------------------------------------------------------------------------------- */

xb_code xb_startup_compile(const xb_device_info *device, uint32_t number, xb_startup_way way, xb_arena *arena,
                           xb_kernel_desc *desc, double *ns, xb_error *err)
{
  const bool cuda = !strcmp(device->code, "fatbin");
  if (!cuda && strcmp(device->code, "spv") != 0)
    return xb_fail(err, XB_UNSUPPORTED, "startup", "no compiler for code of the kind '%s'", device->code);
  const char *source = cuda ? xb_arena_text(arena, CUDA, XB_STARTUP_BLOCK, number)
                            : xb_arena_text(arena, HLSL, XB_STARTUP_BLOCK, number);
  *desc = (xb_kernel_desc){
      .label = "startup", .entry = "startup", .group_size = {XB_STARTUP_BLOCK, 1, 1}, .binding_count = 1};
  desc->no_statistics = true;
  if (!source)
    return xb_fail(err, XB_NOMEM, "startup", "out of host memory");
  const double begin = xb_clock_ns();
  const xb_code code = cuda ? by_nvrtc(source, device->compute_capability, way == XB_TO_MACHINE, arena, desc, err)
                       : way == XB_BY_LIBRARY ? by_shaderc(source, arena, desc, err)
                                              : by_glslc(source, arena, desc, err);
  *ns = xb_clock_ns() - begin;
  return code;
}
