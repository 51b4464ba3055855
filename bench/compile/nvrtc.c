/* NVRTC, opened at run time: it needs neither nvcc nor a host compiler. */
#define _GNU_SOURCE /* dladdr */
#include "compile/compile.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct nvrtc_program *program;
static struct {
  void *handle;
  char path[4096];
  int (*create)(program *p, const char *text, const char *name, int headers, const char *const *contents,
                const char *const *names);
  int (*compile)(program p, int count, const char *const *options);
  int (*destroy)(program *p);
  int (*log_bytes)(program p, size_t *bytes);
  int (*log)(program p, char *text);
  int (*ptx_bytes)(program p, size_t *bytes);
  int (*ptx)(program p, char *text);
  int (*cubin_bytes)(program p, size_t *bytes); /* with --gpu-architecture=sm_90 */
  int (*cubin)(program p, char *code);
  const char *(*error)(int result);
} rtc;

static bool get(const char *name, void *function)
{
  void *symbol = dlsym(rtc.handle, name);
  memcpy(function, &symbol, sizeof symbol); /* C has no cast between object and function pointers */
  return symbol;
}

static bool get_all(void)
{
  return get("nvrtcCreateProgram", &rtc.create) && get("nvrtcCompileProgram", &rtc.compile) &&
         get("nvrtcDestroyProgram", &rtc.destroy) && get("nvrtcGetProgramLogSize", &rtc.log_bytes) &&
         get("nvrtcGetProgramLog", &rtc.log) && get("nvrtcGetPTXSize", &rtc.ptx_bytes) &&
         get("nvrtcGetPTX", &rtc.ptx) && get("nvrtcGetCUBINSize", &rtc.cubin_bytes) &&
         get("nvrtcGetCUBIN", &rtc.cubin) && get("nvrtcGetErrorString", &rtc.error);
}

static bool open_in(const char *folder, const char *below)
{
  static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
  for (size_t i = 0; folder && i < sizeof names / sizeof *names && !rtc.handle; i++) {
    snprintf(rtc.path, sizeof rtc.path, "%s%s%s", folder, below, names[i]);
    rtc.handle = dlopen(rtc.path, RTLD_NOW | RTLD_LOCAL);
  }
  return rtc.handle;
}

const char *xb_nvrtc_find(void)
{
  static bool tried;
  Dl_info from;
  if (!tried) {
    tried = true;
    const bool found = open_in("", "") || open_in(getenv("CUDA_PATH"), "/lib64/") ||
                       open_in(getenv("CUDA_HOME"), "/lib64/") || open_in("/usr/local/cuda", "/lib64/");
    if (found && !get_all())
      rtc.handle = NULL;
    void *symbol = rtc.handle ? dlsym(rtc.handle, "nvrtcVersion") : NULL;
    if (symbol && dladdr(symbol, &from) && from.dli_fname)
      snprintf(rtc.path, sizeof rtc.path, "%s", from.dli_fname);
  }
  return rtc.handle ? rtc.path : NULL;
}

static xb_code compile(program p, const char *path, const char *const *options, int option_count, xb_arena *arena,
                       xb_pair_binary *binary, const char **log, xb_error *err)
{
  size_t bytes = 0;
  const int failed = rtc.compile(p, option_count, options);
  rtc.log_bytes(p, &bytes);
  char *text = xb_arena_take(arena, bytes + 1, 1), *code = NULL;
  if (text && !rtc.log(p, text))
    *log = text;
  if (failed)
    return xb_fail(err, XB_INVALID, path,
                   "%s; NVRTC takes device code only: if the file has host code, give --compiler nvcc",
                   rtc.error(failed));
  int result = rtc.cubin_bytes(p, &bytes);
  const bool machine = !result && bytes; /* made for a real architecture: then there is no PTX */
  result = machine ? 0 : rtc.ptx_bytes(p, &bytes);
  if (!result)
    code = xb_arena_take(arena, bytes + 1, 1);
  if (!result && code)
    result = machine ? rtc.cubin(p, code) : rtc.ptx(p, code);
  if (!code || result)
    return xb_fail(err, code ? XB_INTERNAL : XB_NOMEM, path, "NVRTC gave no code");
  binary->data = code;
  binary->bytes = machine ? bytes : strlen(code);
  return XB_OK;
}

/* Headers that sources for nvcc include and NVRTC does not have: it declares most of their contents by itself. */
static const char *const header_names[] = {"stdio.h",
                                           "cstdio",
                                           "stdlib.h",
                                           "cstdlib",
                                           "math.h",
                                           "cmath",
                                           "stdint.h",
                                           "cstdint",
                                           "cuda_runtime.h",
                                           "cuda_runtime_api.h",
                                           "stddef.h",
                                           "cstddef",
                                           "device_launch_parameters.h"};
static const char integers[] =
    "#pragma once\n"
    "typedef signed char int8_t; typedef unsigned char uint8_t; typedef short int16_t; typedef unsigned short "
    "uint16_t;\n"
    "typedef int int32_t; typedef unsigned int uint32_t; typedef long int64_t; typedef unsigned long uint64_t;\n"
    "typedef unsigned long uintptr_t; typedef long intptr_t;\n"
    "namespace std { using ::int8_t; using ::uint8_t; using ::int16_t; using ::uint16_t; using ::int32_t;\n"
    "using ::uint32_t; using ::int64_t; using ::uint64_t; }\n";

enum { HEADERS = sizeof header_names / sizeof *header_names };

xb_code xb_nvrtc_compile(const char *path, const char *text, const char *const *options, int option_count,
                         xb_arena *arena, xb_pair_binary *binary, const char **log, xb_error *err)
{
  program p;
  *log = "";
  if (!xb_nvrtc_find())
    return xb_fail(err, XB_UNAVAILABLE, path, "NVRTC (libnvrtc.so) was not found");
  const char *headers[HEADERS];
  for (size_t i = 0; i < HEADERS; i++)
    headers[i] = strstr(header_names[i], "stdint") ? integers : "";
  const int result = rtc.create(&p, text, path, HEADERS, headers, header_names);
  if (result)
    return xb_fail(err, XB_INTERNAL, path, "nvrtcCreateProgram: %s", rtc.error(result));
  const xb_code code = compile(p, path, options, option_count, arena, binary, log, err);
  rtc.destroy(&p);
  return code;
}
