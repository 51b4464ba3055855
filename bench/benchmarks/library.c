#include "benchmarks/library.h"

#include <dlfcn.h>
#include <string.h>

xb_code xb_library_find(const char *name, void *function, xb_error *err)
{
  static void *handle;
  if (!handle)
    handle = dlopen("libxb_peers.so", RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return xb_fail(err, XB_UNSUPPORTED, "peers",
                   "%s (it is built if nvcc is found; it must be beside xbench, or in lib/xbench if installed)",
                   dlerror());
  void *symbol = dlsym(handle, name);
  if (!symbol)
    return xb_fail(err, XB_UNSUPPORTED, "peers", "libxb_peers.so has no %s: it is from another build, build it again",
                   name);
  memcpy(function, &symbol, sizeof symbol); /* C has no cast between object and function pointers */
  return XB_OK;
}

xb_code xb_library_result(xb_code code, const char *what, const char *why, xb_error *err)
{
  return why ? xb_fail(err, code, what, "%s", why) : XB_OK;
}
