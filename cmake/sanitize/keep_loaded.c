/* For programs under AddressSanitizer: keeps Vulkan drivers loaded, so that memory that they use until the process ends
 * is not reported as a leak. Mesa 22.3 has such memory on AMD processors: a table of the caches. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <dlfcn.h>
#include <link.h>
#include <string.h>

int dlclose(void *library)
{
  struct link_map *map;
  int (*next)(void *);
  if (!dlinfo(library, RTLD_DI_LINKMAP, &map) && strstr(map->l_name, "vulkan"))
    return 0;
  *(void **)&next = dlsym(RTLD_NEXT, "dlclose");
  return next(library);
}
