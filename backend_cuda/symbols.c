#include "symbols.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#ifdef _WIN32
#define LIBRARY "nvcuda.dll"
#else
#define LIBRARY "libcuda.so.1"
#endif

static cu_symbols symbols;
static char missing[256]; /* the reason if there are no symbols, else empty */
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* ISO C has no cast from a data pointer to a function. */
#define SET(function, pointer) memcpy(&(function), &(pointer), sizeof(function))

static void not_found(const char *reason)
{
  if (!reason || strstr(reason, "No such file"))
    snprintf(missing, sizeof missing, LIBRARY " was not found: install the NVIDIA driver");
  else
    snprintf(missing, sizeof missing, LIBRARY " cannot be loaded (%.150s): install the NVIDIA driver again", reason);
}

static void too_old(int version)
{
  snprintf(missing, sizeof missing,
           "the driver supports CUDA %d.%d, this program needs %d.%d or newer: update the NVIDIA driver",
           version / 1000, version % 1000 / 10, CU_OLDEST_DRIVER / 1000, CU_OLDEST_DRIVER % 1000 / 10);
}

static void *resolve(const char *name, int version)
{
  void *pointer = NULL; /* for a missing name the driver may return success with a NULL pointer */
  CUdriverProcAddressQueryResult status;
  const CUresult result = symbols.GetProcAddress(name, &pointer, version, CU_GET_PROC_ADDRESS_DEFAULT, &status);
  return result == CUDA_SUCCESS ? pointer : NULL;
}

static void resolve_all(void)
{
#define LOAD(name, version, arguments)                                                                                 \
  {                                                                                                                    \
    void *pointer = resolve("cu" #name, version);                                                                      \
    SET(symbols.name, pointer);                                                                                        \
  }
#define REQUIRE(name, version, arguments)                                                                              \
  if (!symbols.name && !*missing)                                                                                      \
    snprintf(missing, sizeof missing, LIBRARY " lacks cu" #name " (CUDA %d.%d): update the NVIDIA driver",             \
             symbols.driver_version / 1000, symbols.driver_version % 1000 / 10);
  CU_SYMBOLS(LOAD)
  CU_OPTIONAL_SYMBOLS(LOAD)
  CU_SYMBOLS(REQUIRE)
#undef LOAD
#undef REQUIRE
}

static void open_once(void)
{
  void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    not_found(dlerror());
    return;
  }
  CUresult (*get_version)(int *) = NULL;
  void *pointer = dlsym(library, "cuDriverGetVersion");
  SET(get_version, pointer);
  if (!get_version || get_version(&symbols.driver_version)) {
    snprintf(missing, sizeof missing,
             LIBRARY " is not a CUDA driver, it does not report a version: "
                     "install the NVIDIA driver");
    return;
  }
  pointer = dlsym(library, "cuGetProcAddress_v2");
  SET(symbols.GetProcAddress, pointer);
  if (symbols.driver_version < CU_OLDEST_DRIVER)
    too_old(symbols.driver_version);
  else if (!symbols.GetProcAddress)
    snprintf(missing, sizeof missing, LIBRARY " lacks cuGetProcAddress_v2: install the NVIDIA driver again");
  else
    resolve_all();
}

const cu_symbols *cu_symbols_get(xb_error *err)
{
  pthread_once(&once, open_once);
  if (!*missing)
    return &symbols;
  xb_fail(err, XB_UNAVAILABLE, "cuda", "%s", missing);
  return NULL;
}
