/* Memory of the caller as a buffer's memory: VK_EXT_external_memory_host. */
#include "vk.h"

#include <inttypes.h>

/* [buffer] Which types of memory can the pages become, and does the buffer take one of them? */
static xb_code choose_type(const xb_be_device *d, const xb_be_buffer *b, const xb_buffer_desc *desc, uint32_t *type,
                           xb_error *err)
{
  VkMemoryHostPointerPropertiesEXT pages = {.sType = VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT};
  VkMemoryRequirements needs;
  const VkResult result = d->vk.GetMemoryHostPointerPropertiesEXT(
      d->handle, VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT, desc->host, &pages);
  if (result == VK_ERROR_INVALID_EXTERNAL_HANDLE)
    return xb_fail_native(err, XB_INVALID, "vkGetMemoryHostPointerPropertiesEXT", (int)result, vk_result_name(result),
                          "%" PRIu64 " bytes at %p cannot be imported", desc->bytes, desc->host);
  if (result)
    return vk_fail(err, "vkGetMemoryHostPointerPropertiesEXT", result);
  d->vk.GetBufferMemoryRequirements(d->handle, b->handle, &needs);
  if (needs.size > desc->bytes)
    return xb_fail(err, XB_UNSUPPORTED, "xb_buffer_create",
                   "a buffer of %" PRIu64 " bytes takes %" PRIu64 " bytes of imported memory", desc->bytes, needs.size);
  return vk_choose_memory_type(d, needs.memoryTypeBits & pages.memoryTypeBits, b->mem, type, err);
}

xb_code vk_import(xb_be_device *d, xb_be_buffer *b, const xb_buffer_desc *desc, xb_error *err)
{
  if (!d->vk.GetMemoryHostPointerPropertiesEXT)
    return xb_fail(err, XB_UNSUPPORTED, "xb_buffer_create", "the driver has no vkGetMemoryHostPointerPropertiesEXT");
  uint32_t type = 0;
  const xb_code code = choose_type(d, b, desc, &type, err);
  if (code)
    return code;
  b->coherent = true;
  const VkImportMemoryHostPointerInfoEXT pages = {
      .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT,
      .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT,
      .pHostPointer = desc->host,
  };
  const VkMemoryAllocateInfo info = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
      .pNext = &pages,
      .allocationSize = desc->bytes,
      .memoryTypeIndex = type,
  };
  VkResult result = d->vk.AllocateMemory(d->handle, &info, NULL, &b->memory);
  if (result == VK_ERROR_INVALID_EXTERNAL_HANDLE) {
    b->memory = VK_NULL_HANDLE;
    return xb_fail_native(err, XB_INVALID, "vkAllocateMemory", (int)result, vk_result_name(result),
                          "%" PRIu64 " bytes at %p cannot be imported: give memory of malloc or mmap, not of a device",
                          desc->bytes, desc->host);
  }
  if (result)
    return vk_fail_made(err, "vkAllocateMemory", result, b->memory);
  result = d->vk.BindBufferMemory(d->handle, b->handle, b->memory, 0);
  return result ? vk_fail(err, "vkBindBufferMemory", result) : XB_OK;
}
