#include "doctor/doctor.h"

#include "base/program.h"
#include "compile/compile.h"
#include "os/paths.h"
#include "os/trusted.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The first line with a number such as 1.2: programs print their names and years first. */
static const char *version_of(xb_doctor *d, const char *path)
{
  const char *const argv[] = {path, "--version", NULL};
  char *text;
  xb_error error;
  if (xb_run_program(argv, &d->arena, &text, &error))
    return "does not report its version";
  for (const char *p = strchr(text, '.'); p; p = strchr(p + 1, '.'))
    if (p > text && isdigit((unsigned char)p[-1]) && isdigit((unsigned char)p[1])) {
      while (p > text && p[-1] != '\n')
        p--;
      return xb_arena_text(&d->arena, "%.*s", (int)strcspn(p, "\n"), p);
    }
  return "does not report its version";
}

static void say_program(xb_doctor *d, const char *name, const char *use, const char *advice)
{
  const char *path = xb_find_program(name, &d->arena);
  if (path)
    xb_doctor_say(d, XB_FOUND, "programs", NULL, "%s: %s", path, version_of(d, path));
  else
    xb_doctor_say(d, XB_REMARK, "programs", advice, "%s was not found: %s", name, use);
}

/* A folder that does not exist yet is judged by the one in which it would be made. */
static void say_cache(xb_doctor *d)
{
  static const char advice[] = "set XDG_CACHE_HOME to a folder of yours";
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  const char *folder = cache && xb_is_absolute(cache) ? cache
                       : home && *home                ? xb_arena_text(&d->arena, "%s/.cache", home)
                                                      : NULL;
  struct stat status;
  char *there = folder ? xb_arena_text(&d->arena, "%s", folder) : NULL;
  for (char *end; there && access(there, F_OK) && (end = strrchr(there, '/'));)
    end[end == there] = 0;
  if (!there)
    xb_doctor_say(d, XB_REMARK, "folders", advice,
                  "neither HOME nor XDG_CACHE_HOME names a folder: kernels are compiled again in each process");
  else if (access(there, W_OK) || stat(there, &status) || !S_ISDIR(status.st_mode))
    xb_doctor_say(d, XB_REMARK, "folders", advice, "%s cannot be written: kernels are compiled again in each process",
                  folder);
  else if (!xb_is_private(xb_arena_text(&d->arena, "%s/xbench", folder)))
    xb_doctor_say(d, XB_REMARK, "folders", "remove it, or set XDG_CACHE_HOME to a folder of yours",
                  "%s/xbench is owned or writable by others: kernels are compiled again in each process", folder);
  else
    xb_doctor_say(d, XB_FOUND, "folders", NULL, "%s, for compiled kernels, can be written", folder);
}

static void say_nvrtc(xb_doctor *d)
{
  const bool needed = xb_first_run_needed();
  const char *nvrtc = xb_nvrtc_find(), *headers = xb_nvrtc_headers(&d->arena);
  if (!nvrtc)
    xb_doctor_say(d, needed && d->has_nvidia ? XB_MISSING : XB_REMARK, "libraries",
                  "or name the folder of libnvrtc.so in LD_LIBRARY_PATH", "%s: %s",
                  needed ? "CUDA: kernels are compiled at first run by NVRTC" : "'xbench pair' needs nvcc for CUDA",
                  xb_nvrtc_missing());
  else
    xb_doctor_say(d, XB_FOUND, "libraries", NULL, "%s: %s%s", xb_nvrtc_name(), nvrtc,
                  needed ? ", compiles kernels for CUDA at first run" : "");
  const int newer_than = xb_nvrtc_newer_than();
  if (newer_than)
    xb_doctor_say(d, XB_REMARK, "libraries",
                  "update the driver, install an older one (`pip install nvidia-cuda-nvrtc-cu12`), or name its file in "
                  "XB_NVRTC",
                  "%s is newer than the driver, which supports CUDA %d.%d and may refuse its code", xb_nvrtc_name(),
                  newer_than / 1000, newer_than % 1000 / 10);
  if (nvrtc && !headers)
    xb_doctor_say(d, XB_REMARK, "libraries",
                  "install NVIDIA's toolkit, or `pip install nvidia-cuda-runtime nvidia-cuda-cccl nvidia-cuda-crt`, or "
                  "set CUDA_PATH",
                  "no headers of the toolkit were found: kernels that include " XB_TOOLKIT_HEADER
                  ", <cuda/atomic> or <mma.h> are left out");
}

void xb_doctor_tools(xb_doctor *d)
{
  static const struct {
    const char *name, *use, *advice;
  } programs[] = {
      {"glslc", "'xbench pair' cannot use it for HLSL and GLSL", XB_TO_GET_IT("Debian: apt-get install glslc")},
      {"dxc", "'xbench pair' cannot compile HLSL with it, nor anything for Direct3D 12",
       XB_TO_GET_IT("script/fetch dxc puts it into build/tools/dxc; name that folder in PATH")},
      {"slangc", "'xbench pair' cannot compile Slang",
       XB_TO_GET_IT("script/fetch slang puts it into build/tools/slang; name that folder in PATH")},
      {"nvcc", "'xbench pair' compiles CUDA with NVRTC, if it is installed",
       "install the CUDA toolkit, or name its folder bin in PATH"},
  };
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
    say_program(d, programs[i].name, programs[i].use, programs[i].advice);
  say_nvrtc(d);
  say_cache(d);
}
