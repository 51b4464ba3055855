/* NVRTC, opened at run time: it needs neither nvcc nor a host compiler. A build without nvcc has the sources of the
 * program's own kernels only: it compiles them for a GPU when a run needs them first. */
#define _GNU_SOURCE /* dladdr */
#include "base/whole_file.h"
#include "compile/compile.h"
#include "version.h"

#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct nvrtc_program *program;
typedef struct nvrtc {
  void *handle;
  char path[4096], name[32];
  int number;        /* 12020 for CUDA 12.2 */
  const char *lacks; /* a function */
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
  int (*version)(int *major, int *minor);
  int (*architecture_count)(int *count); /* since 11.2, as the next */
  int (*architectures)(int *list);
} nvrtc;
static nvrtc rtc;
static int driver; /* the newest CUDA that it supports; INT_MAX: there is no driver */

static bool get(const char *name, void *function)
{
  void *symbol = dlsym(rtc.handle, name);
  memcpy(function, &symbol, sizeof symbol); /* C has no cast between object and function pointers */
  rtc.lacks = symbol || rtc.lacks ? rtc.lacks : name;
  return symbol;
}

static bool get_all(void)
{
  return get("nvrtcCreateProgram", &rtc.create) && get("nvrtcCompileProgram", &rtc.compile) &&
         get("nvrtcDestroyProgram", &rtc.destroy) && get("nvrtcGetProgramLogSize", &rtc.log_bytes) &&
         get("nvrtcGetProgramLog", &rtc.log) && get("nvrtcGetPTXSize", &rtc.ptx_bytes) &&
         get("nvrtcGetPTX", &rtc.ptx) && get("nvrtcGetCUBINSize", &rtc.cubin_bytes) &&
         get("nvrtcGetCUBIN", &rtc.cubin) && get("nvrtcGetErrorString", &rtc.error) &&
         get("nvrtcVersion", &rtc.version) && get("nvrtcGetNumSupportedArchs", &rtc.architecture_count) &&
         get("nvrtcGetSupportedArchs", &rtc.architectures);
}

static int ask_driver(void)
{
  int version = 0, (*get_version)(int *version);
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  void *symbol = library ? dlsym(library, "cuDriverGetVersion") : NULL;
  memcpy(&get_version, &symbol, sizeof symbol);
  return symbol && !get_version(&version) && version ? version : INT_MAX;
}

/* True if the search is over: the driver takes what it compiles, or it is damaged. */
static bool open_one(const char *path)
{
  static nvrtc oldest;
  int major, minor;
  rtc = (nvrtc){.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL)};
  snprintf(rtc.path, sizeof rtc.path, "%s", path);
  if (rtc.handle && (!get_all() || rtc.version(&major, &minor))) {
    rtc.handle = NULL;
    rtc = oldest.handle ? oldest : rtc;
    return true;
  }
  if (rtc.handle) {
    rtc.number = 1000 * major + 10 * minor;
    snprintf(rtc.name, sizeof rtc.name, "nvrtc %d.%d", major, minor);
    if (rtc.number <= driver)
      return true;
    if (!oldest.handle || rtc.number < oldest.number)
      oldest = rtc;
  }
  rtc = oldest; /* its code may run all the same: a driver takes machine code of any minor version of its major one */
  return false;
}

static bool open_in(const char *folder, const char *below)
{
  static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
  bool over = false;
  for (size_t i = 0; folder && i < sizeof names / sizeof *names && !over; i++) {
    char path[sizeof rtc.path];
    snprintf(path, sizeof path, "%s%s%s", folder, below, names[i]);
    over = open_one(path);
  }
  return over;
}

/* Where pip puts it: BASE/lib/python3.11/site-packages. */
static bool open_in_python(const char *base)
{
  static const char *const packages[] = {"site-packages/nvidia/cu13/lib/", "site-packages/nvidia/cuda_nvrtc/lib/",
                                         "dist-packages/nvidia/cu13/lib/", "dist-packages/nvidia/cuda_nvrtc/lib/"};
  char folder[3000];
  snprintf(folder, sizeof folder, "%s/lib", base ? base : "");
  DIR *all = base ? opendir(folder) : NULL;
  bool over = false;
  for (struct dirent *e; all && !over && (e = readdir(all));)
    for (size_t i = 0; i < sizeof packages / sizeof *packages && !over && !strncmp(e->d_name, "python3", 7); i++) {
      char below[512];
      snprintf(below, sizeof below, "/%s/%s", e->d_name, packages[i]);
      over = open_in(folder, below);
    }
  if (all)
    closedir(all);
  return over;
}

static const char *named(void)
{
  const char *path = getenv("XB_NVRTC");
  return path && strchr(path, '/') ? path : NULL;
}

static void search(void)
{
  const char *home = getenv("HOME");
  char local[2048];
  snprintf(local, sizeof local, "%s/.local", home ? home : "");
  (void)(open_in("", "") || open_in(getenv("CUDA_PATH"), "/lib64/") || open_in(getenv("CUDA_HOME"), "/lib64/") ||
         open_in("/usr/local/cuda", "/lib64/") || open_in_python(getenv("VIRTUAL_ENV")) ||
         open_in_python(home && *home ? local : NULL) || open_in_python("/usr/local"));
}

const char *xb_nvrtc_find(void)
{
  static bool tried;
  Dl_info from;
  if (!tried) {
    tried = true;
    driver = ask_driver();
    if (named())
      open_one(named());
    else
      search();
    void *symbol = rtc.handle ? dlsym(rtc.handle, "nvrtcVersion") : NULL;
    if (symbol && dladdr(symbol, &from) && from.dli_fname)
      snprintf(rtc.path, sizeof rtc.path, "%s", from.dli_fname);
  }
  return rtc.handle ? rtc.path : NULL;
}

const char *xb_nvrtc_missing(void)
{
  static char why[sizeof rtc.path + 100];
  if (rtc.lacks)
    snprintf(why, sizeof why, "%s is older than CUDA 11.2, or damaged: it has no %s", rtc.path, rtc.lacks);
  else if (named())
    snprintf(why, sizeof why, "XB_NVRTC names %.4095s, which cannot be opened", named());
  else
    snprintf(why, sizeof why,
             "libnvrtc.so was not found: install NVIDIA's toolkit, or `pip install nvidia-cuda-nvrtc%s`",
             driver < 13000 ? "-cu12" : "");
  return why;
}

const char *xb_nvrtc_name(void)
{
  return xb_nvrtc_find() ? rtc.name : NULL;
}

int xb_nvrtc_newer_than(void)
{
  return xb_nvrtc_find() && rtc.number > driver ? driver : 0;
}

/* If the user names a folder, only that one is searched. */
const char *xb_nvrtc_headers(xb_arena *arena)
{
  const char *library = xb_nvrtc_find(), *slash = library ? strrchr(library, '/') : NULL, *lib = NULL;
  const char *named = getenv("CUDA_PATH") ? getenv("CUDA_PATH") : getenv("CUDA_HOME");
  if (!slash)
    return NULL;
  for (const char *p = strstr(library, "/lib"); p && p < slash; p = strstr(p + 1, "/lib"))
    lib = p; /* the last folder of its path that begins so */
  const char *beside = lib ? xb_arena_text(arena, "%.*s", (int)(lib - library), library) : NULL;
  const char *const bases[] = {named ? named : beside,
                               beside ? xb_arena_text(arena, "%s/../cuda_runtime", beside) : NULL,
                               "/usr/local/cuda"}; /* the second: CUDA 12 from pip */
  for (size_t i = 0; i < (named ? 1 : sizeof bases / sizeof *bases); i++) {
    const char *folder = bases[i] ? xb_arena_text(arena, "%s/include", bases[i]) : NULL;
    const char *header = folder ? xb_arena_text(arena, "%s/" XB_TOOLKIT_HEADER, folder) : NULL;
    if (header && !access(header, R_OK))
      return folder;
  }
  return NULL;
}

const char *xb_nvrtc_architecture(uint32_t capability, xb_arena *arena)
{
  enum { MOST = 64 };
  int count, list[MOST], below = 0;
  if (!xb_nvrtc_find() || rtc.architecture_count(&count) || count > MOST || rtc.architectures(list))
    return NULL;
  for (int i = 0; i < count; i++) {
    if (list[i] == (int)capability)
      return xb_arena_text(arena, "sm_%u", capability);
    if (list[i] < (int)capability && list[i] > below)
      below = list[i];
  }
  return below ? xb_arena_text(arena, "compute_%d", below) : NULL;
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
  const bool machine = !result && bytes; /* made for a real architecture: then there is not PTX */
  result = machine ? 0 : rtc.ptx_bytes(p, &bytes);
  if (!result)
    code = xb_arena_take(arena, bytes + 1, 1);
  if (!result && code)
    result = machine ? rtc.cubin(p, code) : rtc.ptx(p, code);
  if (!code || result)
    return xb_fail(err, code ? XB_INTERNAL : XB_NOMEM, path, "NVRTC produced no code");
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
    "typedef int int32_t; typedef unsigned int uint32_t; typedef long long int64_t; typedef unsigned long long "
    "uint64_t;\n"
    "typedef unsigned long long uintptr_t; typedef long long intptr_t;\n"
    "namespace std { using ::int8_t; using ::uint8_t; using ::int16_t; using ::uint16_t; using ::int32_t;\n"
    "using ::uint32_t; using ::int64_t; using ::uint64_t; }\n";

enum { HEADERS = sizeof header_names / sizeof *header_names };

xb_code xb_nvrtc_compile(const char *path, const char *text, const char *const *options, int option_count,
                         xb_arena *arena, xb_pair_binary *binary, const char **log, xb_error *err)
{
  program p;
  *log = "";
  if (!xb_nvrtc_find())
    return xb_fail(err, XB_UNAVAILABLE, path, "%s", xb_nvrtc_missing());
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

/* ---- The program's own kernels ---------------------------------------------------------------------------------- */

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

/* Words that nvcc has from the host's math.h. */
void xb_nvrtc_add_macros(xb_pair_job *j)
{
  xb_pair_add_words(j, "-DINFINITY=__int_as_float(0x7f800000) -DNAN=__int_as_float(0x7fffffff)");
}

/* The options that nvcc gets when the program is built. */
static void add_options(xb_pair_job *j, const char *text, const char *architecture)
{
  static const char own[] = "\n// nvcc: ", machine[] = "\n// machine: ";
  const char *line = strstr(text, own), *one = strstr(text, machine), *headers = xb_nvrtc_headers(j->arena);
  if (one) /* the source has instructions of this architecture alone */
    architecture = xb_arena_text(j->arena, "%.*s", (int)strcspn(one + strlen(machine), " \r\n"), one + strlen(machine));
  xb_pair_add_word(j, xb_arena_text(j->arena, "--gpu-architecture=%s", architecture));
  add_words(j, XB_CUDA_CODE_FLAGS);
  xb_nvrtc_add_macros(j);
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
    return xb_fail(err, XB_UNSUPPORTED, label, "%s no longer targets sm_%u: install an older NVRTC and set XB_NVRTC",
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
