/* An NVRTC that writes PTX without compiling. The environment variable FAKE_NVRTC is the log of a compilation that
 * fails, FAKE_NVRTC_KNOWS the only architecture; the file FAKE_NVRTC_CALLS gets the options of each compilation. Its
 * version is 11.7; 12.1 in a file libnvrtc.so.12; else what FAKE_NVRTC_MAJOR says. */
#define _GNU_SOURCE /* dladdr */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct nvrtc_program *program;

#define EXPORT __attribute__((visibility("default")))
EXPORT int nvrtcVersion(int *major, int *minor);
EXPORT int nvrtcGetNumSupportedArchs(int *count);
EXPORT int nvrtcGetSupportedArchs(int *list);
EXPORT const char *nvrtcGetErrorString(int result);
EXPORT int nvrtcCreateProgram(program *p, const char *text, const char *name, int headers, const char *const *contents,
                              const char *const *names);
EXPORT int nvrtcCompileProgram(program p, int count, const char *const *options);
EXPORT int nvrtcDestroyProgram(program *p);
EXPORT int nvrtcGetProgramLogSize(program p, size_t *bytes);
EXPORT int nvrtcGetProgramLog(program p, char *text);
EXPORT int nvrtcGetPTXSize(program p, size_t *bytes);
EXPORT int nvrtcGetPTX(program p, char *text);
EXPORT int nvrtcGetCUBINSize(program p, size_t *bytes);
EXPORT int nvrtcGetCUBIN(program p, char *code);

static const char PTX[] = "// fake\n.version 7.0\n.target sm_75\n.address_size 64\n";

static const char *planted(void)
{
  return getenv("FAKE_NVRTC") ? getenv("FAKE_NVRTC") : "";
}

int nvrtcVersion(int *major, int *minor)
{
  const char *newer = getenv("FAKE_NVRTC_MAJOR");
  Dl_info from;
  const bool twelve = dladdr(PTX, &from) && strstr(from.dli_fname, ".so.12");
  *major = twelve ? 12 : newer ? atoi(newer) : 11;
  *minor = twelve ? 1 : newer ? 0 : 7;
  return 0;
}

int nvrtcGetNumSupportedArchs(int *count)
{
  *count = 1;
  return 0;
}

int nvrtcGetSupportedArchs(int *list)
{
  *list = getenv("FAKE_NVRTC_KNOWS") ? atoi(getenv("FAKE_NVRTC_KNOWS")) : 90;
  return 0;
}

const char *nvrtcGetErrorString(int result)
{
  return result ? "NVRTC_ERROR_COMPILATION" : "NVRTC_SUCCESS";
}

int nvrtcCreateProgram(program *p, const char *text, const char *name, int headers, const char *const *contents,
                       const char *const *names)
{
  (void)text, (void)name, (void)headers, (void)contents, (void)names;
  *p = NULL;
  return 0;
}

int nvrtcCompileProgram(program p, int count, const char *const *options)
{
  FILE *calls = getenv("FAKE_NVRTC_CALLS") ? fopen(getenv("FAKE_NVRTC_CALLS"), "a") : NULL;
  (void)p;
  for (int i = 0; calls && i < count; i++)
    fprintf(calls, "%s%s", options[i], i + 1 < count ? " " : "\n");
  if (calls)
    fclose(calls);
  return *planted() ? 6 : 0;
}

int nvrtcDestroyProgram(program *p)
{
  (void)p;
  return 0;
}

int nvrtcGetProgramLogSize(program p, size_t *bytes)
{
  (void)p;
  *bytes = strlen(planted()) + 1;
  return 0;
}

int nvrtcGetProgramLog(program p, char *text)
{
  (void)p;
  strcpy(text, planted());
  return 0;
}

int nvrtcGetPTXSize(program p, size_t *bytes)
{
  (void)p;
  *bytes = sizeof PTX;
  return 0;
}

int nvrtcGetPTX(program p, char *text)
{
  (void)p;
  memcpy(text, PTX, sizeof PTX);
  return 0;
}

int nvrtcGetCUBINSize(program p, size_t *bytes)
{
  (void)p;
  *bytes = 0;
  return 0;
}

int nvrtcGetCUBIN(program p, char *code)
{
  (void)p, (void)code;
  return 1;
}
