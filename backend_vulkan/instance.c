#include "vk.h"

#include <stdatomic.h>
#include <stdlib.h>

static xb_code check_version(const vk_loader *loader, uint32_t *version, xb_error *err)
{
  const VkResult result = loader->EnumerateInstanceVersion(version);
  if (result)
    return vk_fail(err, "vkEnumerateInstanceVersion", result);
  if (*version < VK_API_VERSION_1_1)
    return xb_fail(err, XB_UNAVAILABLE, "vulkan",
                   "the loader supports only Vulkan 1.0, but 1.1 is needed: install a newer loader");
  if (*version > VK_API_VERSION_1_3)
    *version = VK_API_VERSION_1_3;
  return XB_OK;
}

/* Drivers over another API, such as MoltenVK, are listed only on request. Loaders before 1.3.207 do not know it. */
static VkResult create_with_portability(vk_instance *instance, const VkInstanceCreateInfo *info)
{
  enum { MOST = 8 };
  const char *names[MOST] = {VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME};
  VkInstanceCreateInfo more = *info;
  for (uint32_t i = 0; i < info->enabledExtensionCount; i++)
    names[i + 1] = info->ppEnabledExtensionNames[i];
  more.flags |= VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR;
  more.enabledExtensionCount++;
  more.ppEnabledExtensionNames = names;
  const VkResult result = instance->loader->CreateInstance(&more, NULL, &instance->handle);
  return result == VK_ERROR_EXTENSION_NOT_PRESENT ? instance->loader->CreateInstance(info, NULL, &instance->handle)
                                                  : result;
}

static xb_code create(vk_instance *instance, xb_error *err)
{
  const VkApplicationInfo application = {
      .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
      .pApplicationName = "xbench",
      .pEngineName = "xbench",
      .apiVersion = instance->api_version,
  };
  VkInstanceCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
      .pApplicationInfo = &application,
  };
  if (instance->validation)
    vk_validation_enable(instance->validation, &info);
  const VkResult result = create_with_portability(instance, &info);
  /* Some loaders report a damaged manifest as out of memory. */
  if (result == VK_ERROR_INCOMPATIBLE_DRIVER || (result == VK_ERROR_OUT_OF_HOST_MEMORY && vk_driver_variable()))
    return vk_no_device(err);
  return result ? vk_fail(err, "vkCreateInstance", result) : XB_OK;
}

xb_code vk_instance_create(bool validation, vk_instance *instance, xb_error *err)
{
  *instance = (vk_instance){.loader = vk_loader_get(err)};
  if (!instance->loader)
    return XB_UNAVAILABLE;
  xb_code code = check_version(instance->loader, &instance->api_version, err);
  if (!code && validation)
    code = vk_validation_create(instance->loader, &instance->validation, err);
  if (!code)
    code = create(instance, err);
  if (!code)
    code = vk_load_instance_symbols(instance->loader, instance->handle, &instance->vk, err);
  if (!code && validation)
    code = vk_validation_listen(instance, err);
  return vk_validated(instance->validation, code, "vkCreateInstance", err);
}

/* The loader unloads the drivers with the last instance. But a thread that used a driver runs the driver's code once
 * more when it ends (NVIDIA's has thread-specific data), so the process keeps one instance. */
static bool keep(VkInstance handle)
{
  static _Atomic(VkInstance) kept;
  VkInstance none = VK_NULL_HANDLE;
  return atomic_compare_exchange_strong(&kept, &none, handle);
}

void vk_instance_destroy(vk_instance *instance)
{
  if (instance->messenger)
    instance->vk.DestroyDebugUtilsMessengerEXT(instance->handle, instance->messenger, NULL);
  if (instance->vk.DestroyInstance && !keep(instance->handle))
    instance->vk.DestroyInstance(instance->handle, NULL);
  instance->messenger = VK_NULL_HANDLE;
  instance->handle = VK_NULL_HANDLE;
}
