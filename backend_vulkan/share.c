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

/* ---- Owners ------------------------------------------------------------------------------------------------------ */

/* [barrier] A buffer whose memory other devices use has one owner at a time. A list owns it from its first use to the
 * list's end; the point or semaphore that the next user waits for orders the two. */
static void change_owner(xb_be_commands *c, const xb_be_buffer *b, bool take)
{
  const xb_be_device *d = c->device;
  /* A buffer that several queue families share belongs to all of them. */
  const uint32_t own = d->family_count > 1 ? VK_QUEUE_FAMILY_IGNORED : d->queues[c->queue].family;
  const VkBufferMemoryBarrier barrier = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
      .srcAccessMask = take ? 0 : VK_ACCESS_MEMORY_WRITE_BIT,
      .dstAccessMask = take ? VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT : 0,
      .srcQueueFamilyIndex = take ? VK_QUEUE_FAMILY_EXTERNAL : own,
      .dstQueueFamilyIndex = take ? own : VK_QUEUE_FAMILY_EXTERNAL,
      .buffer = b->handle,
      .size = VK_WHOLE_SIZE,
  };
  d->vk.CmdPipelineBarrier(c->handle, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0,
                           NULL, 1, &barrier, 0, NULL);
}

xb_code vk_take(xb_be_commands *c, const xb_be_buffer *b, xb_error *err)
{
  if (!b || !b->external)
    return XB_OK;
  for (size_t i = 0; i < c->taken_count; i++)
    if (c->taken[i] == b)
      return XB_OK;
  if (!xb_grow(&c->taken, &c->taken_capacity, c->taken_count, sizeof *c->taken))
    return vk_no_host_memory(err, "xb_commands");
  c->taken[c->taken_count++] = b;
  change_owner(c, b, true);
  return XB_OK;
}

void vk_give_back(xb_be_commands *c)
{
  for (size_t i = 0; i < c->taken_count; i++)
    change_owner(c, c->taken[i], false);
}
