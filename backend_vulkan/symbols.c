#include "symbols.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#ifdef _WIN32
#define LIBRARY "vulkan-1.dll"
#define INSTALL "install the driver of the GPU, or the Vulkan Runtime"
#else
#define LIBRARY "libvulkan.so.1"
#define INSTALL "install libvulkan1 (Debian: apt-get install libvulkan1)"
#endif

static vk_loader loader;
static char missing[256]; /* the reason if there is no loader, else empty */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void open_once(void)
{
  void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    snprintf(missing, sizeof missing, LIBRARY " was not found: " INSTALL);
    return;
  }
  /* ISO C has no cast from dlsym's data pointer to a function. */
  void *symbol = dlsym(library, "vkGetInstanceProcAddr");
  memcpy(&loader.GetInstanceProcAddr, &symbol, sizeof symbol);
  symbol = dlsym(library, "vkGetDeviceProcAddr");
  memcpy(&loader.GetDeviceProcAddr, &symbol, sizeof symbol);
  if (!loader.GetInstanceProcAddr || !loader.GetDeviceProcAddr) {
    snprintf(missing, sizeof missing, LIBRARY " is not a Vulkan loader: it lacks vkGetInstanceProcAddr");
    return;
  }

#define LOAD(name)                                                                                                     \
  loader.name = (PFN_vk##name)loader.GetInstanceProcAddr(NULL, "vk" #name);                                            \
  if (!loader.name)                                                                                                    \
    snprintf(missing, sizeof missing, LIBRARY " lacks vk" #name ": install a Vulkan 1.1 loader or a newer one");
  VK_GLOBAL_SYMBOLS(LOAD)
#undef LOAD
}

const vk_loader *vk_loader_get(xb_error *err)
{
  pthread_once(&once, open_once);
  if (!*missing)
    return &loader;
  xb_fail(err, XB_UNAVAILABLE, "vulkan", "%s", missing);
  return NULL;
}

/* These two load all functions before they report a missing one, because cleaning up needs some of them. */
xb_code vk_load_instance_symbols(const vk_loader *from, VkInstance instance, vk_instance_symbols *symbols,
                                 xb_error *err)
{
  const char *missing_symbol = NULL;
#define LOAD_OPTIONAL(name) symbols->name = (PFN_vk##name)from->GetInstanceProcAddr(instance, "vk" #name);
#define LOAD(name)                                                                                                     \
  LOAD_OPTIONAL(name)                                                                                                  \
  if (!symbols->name && !missing_symbol)                                                                               \
    missing_symbol = "vk" #name;
  VK_INSTANCE_SYMBOLS(LOAD)
  VK_INSTANCE_OPTIONAL_SYMBOLS(LOAD_OPTIONAL)
#undef LOAD
#undef LOAD_OPTIONAL
  return missing_symbol
             ? xb_fail(err, XB_UNAVAILABLE, "vkGetInstanceProcAddr", "the Vulkan loader has no %s", missing_symbol)
             : XB_OK;
}

xb_code vk_load_device_symbols(const vk_instance_symbols *instance, VkDevice device, vk_device_symbols *symbols,
                               xb_error *err)
{
  const char *missing_symbol = NULL;
#define LOAD_OPTIONAL(name) symbols->name = (PFN_vk##name)instance->GetDeviceProcAddr(device, "vk" #name);
#define LOAD(name)                                                                                                     \
  LOAD_OPTIONAL(name)                                                                                                  \
  if (!symbols->name && !missing_symbol)                                                                               \
    missing_symbol = "vk" #name;
  VK_DEVICE_SYMBOLS(LOAD)
  VK_DEVICE_OPTIONAL_SYMBOLS(LOAD_OPTIONAL)
#undef LOAD
#undef LOAD_OPTIONAL
  return missing_symbol
             ? xb_fail(err, XB_UNAVAILABLE, "vkGetDeviceProcAddr", "the Vulkan driver has no %s", missing_symbol)
             : XB_OK;
}
