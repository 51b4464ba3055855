/* Timeline semaphores that several devices know, also of other APIs: VK_KHR_external_semaphore_fd. */
#include "vk.h"

#include <stdlib.h>

bool vk_exports_semaphores(const vk_instance *instance, VkPhysicalDevice physical)
{
  const VkExternalSemaphoreFeatureFlags both =
      VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_SEMAPHORE_FEATURE_IMPORTABLE_BIT;
  const VkSemaphoreTypeCreateInfo type = {
      .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
      .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
  };
  const VkPhysicalDeviceExternalSemaphoreInfo info = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_SEMAPHORE_INFO,
      .pNext = &type,
      .handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT,
  };
  VkExternalSemaphoreProperties properties = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_PROPERTIES};
  instance->vk.GetPhysicalDeviceExternalSemaphoreProperties(physical, &info, &properties);
  return (properties.externalSemaphoreFeatures & both) == both;
}

/* Create a timeline semaphore, and import its payload if there is a file descriptor. */
static xb_code create(xb_be_device *d, int fd, VkSemaphore *handle, xb_error *err)
{
  const VkExportSemaphoreCreateInfo out = {
      .sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO,
      .handleTypes = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT,
  };
  const VkSemaphoreTypeCreateInfo type = {
      .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
      .pNext = fd < 0 ? &out : NULL,
      .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
  };
  const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
  VkResult result = d->vk.CreateSemaphore(d->handle, &info, NULL, handle);
  if (result)
    return vk_fail_made(err, "vkCreateSemaphore", result, *handle);
  if (fd < 0)
    return XB_OK;
  const VkImportSemaphoreFdInfoKHR in = {
      .sType = VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR,
      .semaphore = *handle,
      .handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT,
      .fd = fd,
  };
  result = d->vk.ImportSemaphoreFdKHR(d->handle, &in);
  if (result == VK_ERROR_INVALID_EXTERNAL_HANDLE || result == VK_ERROR_INITIALIZATION_FAILED) /* NVIDIA's driver */
    return xb_fail_native(err, XB_INVALID, "vkImportSemaphoreFdKHR", (int)result, vk_result_name(result),
                          "file descriptor %d is not a timeline semaphore of this GPU", fd);
  return result ? vk_fail(err, "vkImportSemaphoreFdKHR", result) : XB_OK;
}

xb_code vk_semaphore_create(xb_be_device *d, int fd, xb_be_semaphore **semaphore, xb_error *err)
{
  if (!d->vk.GetSemaphoreFdKHR || !d->vk.ImportSemaphoreFdKHR)
    return xb_fail(err, XB_UNSUPPORTED, "xb_semaphore_create",
                   "the driver lacks vkGetSemaphoreFdKHR or vkImportSemaphoreFdKHR");
  xb_be_semaphore *s = calloc(1, sizeof *s);
  if (!s)
    return vk_no_host_memory(err, "xb_semaphore_create");
  const xb_code code = vk_validated(d->instance.validation, create(d, fd, &s->handle, err), "xb_semaphore_create", err);
  if (code) {
    vk_semaphore_destroy(d, s);
    return code;
  }
  *semaphore = s;
  return XB_OK;
}

xb_code vk_semaphore_export(xb_be_device *d, xb_be_semaphore *s, int *fd, xb_error *err)
{
  const VkSemaphoreGetFdInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR,
      .semaphore = s->handle,
      .handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT,
  };
  const VkResult result = d->vk.GetSemaphoreFdKHR(d->handle, &info, fd);
  if (!result)
    return XB_OK;
  *fd = -1;
  return vk_fail(err, "vkGetSemaphoreFdKHR", result);
}

void vk_semaphore_destroy(xb_be_device *d, xb_be_semaphore *s)
{
  if (!d->dead)
    d->vk.DestroySemaphore(d->handle, s->handle, NULL);
  free(s);
}
