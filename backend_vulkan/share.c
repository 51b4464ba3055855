/* Memory that several devices use, also of other APIs: VK_KHR_external_memory_fd. */
#include "vk.h"

const void *vk_share_chain(const xb_buffer_desc *desc, vk_share *share)
{
  const VkExternalMemoryHandleTypeFlagBits type = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
  if (desc->exportable)
    share->out =
        (VkExportMemoryAllocateInfo){.sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO, .handleTypes = type};
  else if (desc->mem == XB_MEM_SHARED)
    share->in = (VkImportMemoryFdInfoKHR){
        .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR, .handleType = type, .fd = desc->shared.fd};
  else
    return NULL;
  return share;
}

xb_code vk_buffer_export(xb_be_device *d, xb_be_buffer *b, xb_shared *shared, xb_error *err)
{
  const VkMemoryGetFdInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR,
      .memory = b->memory,
      .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT,
  };
  if (!d->vk.GetMemoryFdKHR)
    return xb_fail(err, XB_UNSUPPORTED, "xb_buffer_export", "the driver has no vkGetMemoryFdKHR");
  const VkResult result = d->vk.GetMemoryFdKHR(d->handle, &info, &shared->fd);
  if (result) {
    shared->fd = -1;
    return vk_fail(err, "vkGetMemoryFdKHR", result);
  }
  shared->bytes = b->bytes;
  shared->dedicated = true;
  return XB_OK;
}
