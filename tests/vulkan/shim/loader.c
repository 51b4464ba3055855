/* The two functions through which a program gets all others from the loader. */
#include "internal.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
EXPORT VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkGetInstanceProcAddr(VkInstance instance, const char *name);
EXPORT VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkGetDeviceProcAddr(VkDevice device, const char *name);

PFN_vkVoidFunction shim_next[FN_COUNT];

static PFN_vkGetInstanceProcAddr next_instance_proc;
static PFN_vkGetDeviceProcAddr next_device_proc;

/* Absolute paths: the name alone would find this library. */
static const char *const USUAL[] = {
    XB_SHIM_BUILD_LOADER, /* where the build found it; may be empty */
    "/usr/lib/x86_64-linux-gnu/libvulkan.so.1",
    "/usr/lib/aarch64-linux-gnu/libvulkan.so.1",
    "/lib/x86_64-linux-gnu/libvulkan.so.1",
    "/usr/lib64/libvulkan.so.1",
    "/usr/local/lib/libvulkan.so.1",
    "/usr/lib/libvulkan.so.1",
};

static void *open_loader(void)
{
  const char *path = getenv("XB_SHIM_LOADER");
  if (path && *path)
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
  void *library = NULL;
  for (size_t i = 0; i < sizeof USUAL / sizeof *USUAL && !library; i++)
    if (*USUAL[i])
      library = dlopen(USUAL[i], RTLD_NOW | RTLD_LOCAL);
  return library;
}

/* Keeps an instance, so that drivers stay loaded: else a test with hundreds of devices would load them each time. */
static void keep_drivers(void)
{
  const PFN_vkCreateInstance create = (PFN_vkCreateInstance)next_instance_proc(NULL, "vkCreateInstance");
  const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  static VkInstance kept;
  if (create && create(&info, NULL, &kept))
    kept = VK_NULL_HANDLE;
}

static bool ready(void)
{
  static bool tried;
  if (tried)
    return next_instance_proc;
  tried = true;
  void *library = open_loader();
  if (!library) {
    fprintf(stderr, "shim: no libvulkan.so.1 in the usual places: set XB_SHIM_LOADER to its path\n");
    return false;
  }
  void *symbol = dlsym(library, "vkGetInstanceProcAddr");
  memcpy(&next_instance_proc, &symbol, sizeof symbol);
  symbol = dlsym(library, "vkGetDeviceProcAddr");
  memcpy(&next_device_proc, &symbol, sizeof symbol);
  if (next_instance_proc)
    keep_drivers();
  return next_instance_proc;
}

static bool hidden(const char *name)
{
  return shim_fake.no_function && strcmp(shim_fake.no_function, name) == 0;
}

/* The function to return for `name`; `next` is the loader's own. */
static PFN_vkVoidFunction wrapped(const char *name, PFN_vkVoidFunction next)
{
  const shim_fn fn = shim_find(name);
  const bool simulated = shim_fake.semaphores && (fn == FN_GetSemaphoreFdKHR || fn == FN_ImportSemaphoreFdKHR);
  if ((!next && !simulated) || hidden(name))
    return NULL;
  if (fn == FN_COUNT)
    return next;
  shim_next[fn] = next;
  return shim_functions[fn].wrapper;
}

PFN_vkVoidFunction vkGetInstanceProcAddr(VkInstance instance, const char *name)
{
  return ready() ? wrapped(name, next_instance_proc(instance, name)) : NULL;
}

PFN_vkVoidFunction vkGetDeviceProcAddr(VkDevice device, const char *name)
{
  return ready() ? wrapped(name, next_device_proc(device, name)) : NULL;
}

PFN_vkVoidFunction shim_GetDeviceProcAddr(VkDevice device, const char *name)
{
  return vkGetDeviceProcAddr(device, name);
}

VkResult shim_EnumerateInstanceVersion(uint32_t *version)
{
  const VkResult failed = shim_enter(FN_EnumerateInstanceVersion);
  const VkResult result = failed ? failed : NEXT(EnumerateInstanceVersion)(version);
  if (!result && shim_fake.loader_version && *version > shim_fake.loader_version)
    *version = shim_fake.loader_version;
  return result;
}

VkResult shim_EnumerateInstanceLayerProperties(uint32_t *count, VkLayerProperties *list)
{
  const VkResult failed = shim_enter(FN_EnumerateInstanceLayerProperties);
  const VkResult result = failed ? failed : NEXT(EnumerateInstanceLayerProperties)(count, list);
  for (uint32_t i = 0; !result && list && shim_fake.layer_version && i < *count; i++)
    list[i].specVersion = shim_fake.layer_version;
  return result;
}
