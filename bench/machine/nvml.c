#include "machine/nvml.h"

#include "os/library.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

bool xb_nvml_open(xb_nvml *nvml)
{
  const char *path = getenv("XB_NVML");
  void *pointer; /* ISO C has no cast from an object pointer to a function pointer */
  *nvml = (xb_nvml){.library = dlopen(path && *path ? path : XB_NVML_LIBRARY, RTLD_NOW | RTLD_LOCAL)};
  if (!nvml->library)
    return false;
#define LOAD(name, arguments)                                                                                          \
  pointer = dlsym(nvml->library, "nvml" #name);                                                                        \
  memcpy(&nvml->name, &pointer, sizeof pointer);
  XB_NVML_FUNCTIONS(LOAD)
  LOAD(ErrorString, )
  if (!nvml->DeviceGetCurrentClocksEventReasons) /* its older name */
    nvml->DeviceGetCurrentClocksEventReasons = nvml->DeviceGetCurrentClocksThrottleReasons;
  return nvml->Init_v2 && nvml->Shutdown;
}

void xb_nvml_close(xb_nvml *nvml)
{
  if (nvml->library)
    dlclose(nvml->library);
  nvml->library = NULL;
}
