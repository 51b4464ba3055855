#include "benchmarks/startup/compile.h"

#include "base/program.h"
#include "base/whole_file.h"
#include "compile/compile.h"
#include "core/clock.h"
#include "os/temporary.h"

#include <stdlib.h>
#include <string.h>
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
                       : way == XB_BY_LIBRARY ? xb_by_shaderc(source, arena, desc, err)
                                              : by_glslc(source, arena, desc, err);
  *ns = xb_clock_ns() - begin;
  return code;
}
