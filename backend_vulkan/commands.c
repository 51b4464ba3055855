/* Command lists. Each has its own VkCommandBuffer and pool. */
#include "vk.h"

#include <stdio.h>
#include <stdlib.h>

static const VkAccessFlags WRITES = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
static const VkAccessFlags READS = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT;
static const VkAccessFlags SPECIAL_READS = VK_ACCESS_UNIFORM_READ_BIT | VK_ACCESS_INDIRECT_COMMAND_READ_BIT;

/* [barrier] Later work of the stages `to` sees the earlier writes of the stages `from`. */
static void memory_barrier(xb_be_commands *c, VkPipelineStageFlags from, VkAccessFlags written, VkPipelineStageFlags to,
                           VkAccessFlags used)
{
  const VkMemoryBarrier barrier = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
      .srcAccessMask = written,
      .dstAccessMask = used,
  };
  c->device->vk.CmdPipelineBarrier(c->handle, from, to, 0, 1, &barrier, 0, NULL, 0, NULL);
}

void vk_full_barrier(xb_be_commands *c)
{
  vk_settle_barrier(c, 0);
  c->special = SPECIAL_READS;
  memory_barrier(c, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_MEMORY_WRITE_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                 VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT);
}

/* [barrier] Order dispatches, copies and fills. A copy queue has no compute stage. */
static void order_all(xb_be_commands *c, VkAccessFlags special)
{
  const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
  const VkPipelineStageFlags more =
      special & VK_ACCESS_INDIRECT_COMMAND_READ_BIT ? VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT : 0;
  if (c->queue < XB_QUEUE_COPY)
    memory_barrier(c, stages, WRITES, stages | more, READS | WRITES | special);
  else
    memory_barrier(c, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                   VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
}

/* [barrier] A barrier is recorded with the next command: only then is it known if that reads uniform buffers or group
 * counts. Barriers of lists that read neither do not order these reads, which may cost time. */
void vk_settle_barrier(xb_be_commands *c, VkAccessFlags special)
{
  if (!c->barrier_pending && !(special & ~c->special))
    return;
  order_all(c, special);
  c->special = c->barrier_pending ? special : c->special | special;
  c->barrier_pending = false;
}

/* [begin] Create a pool, for one queue family, and a command buffer. */
static xb_code create_buffer(xb_be_commands *c, xb_error *err)
{
  xb_be_device *d = c->device;
  const VkCommandPoolCreateInfo pool = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
      .queueFamilyIndex = d->queues[c->queue].family,
  };
  VkResult result = d->vk.CreateCommandPool(d->handle, &pool, NULL, &c->pool);
  if (result)
    return vk_fail_made(err, "vkCreateCommandPool", result, c->pool);
  const VkCommandBufferAllocateInfo buffer = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
      .commandPool = c->pool,
      .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
      .commandBufferCount = 1,
  };
  result = d->vk.AllocateCommandBuffers(d->handle, &buffer, &c->handle);
  return result ? vk_fail(err, "vkAllocateCommandBuffers", result) : XB_OK;
}

/* [begin] Begin with a barrier, because submissions to the same queue may overlap. */
static xb_code begin(xb_be_commands *c, xb_error *err)
{
  /* A list without timestamps may be submitted again while it is in flight. */
  const VkCommandBufferBeginInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
      .flags = c->timestamp_count ? 0 : VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
  };
  const VkResult result = c->device->vk.BeginCommandBuffer(c->handle, &info);
  if (result)
    return vk_fail(err, "vkBeginCommandBuffer", result);
  if (c->timestamp_count && c->queue < XB_QUEUE_COPY)
    c->device->vk.CmdResetQueryPool(c->handle, c->queries, 0, c->timestamp_count);
  vk_full_barrier(c);
  return XB_OK;
}

xb_code vk_commands_create(xb_be_device *d, const xb_commands_desc *desc, xb_be_commands **commands, xb_error *err)
{
  xb_be_commands *c = calloc(1, sizeof *c);
  if (!c)
    return vk_no_host_memory(err, "xb_commands_create");
  c->device = d;
  c->queue = desc->queue;
  snprintf(c->label, sizeof c->label, "%s", desc->label ? desc->label : "commands");
  xb_code code = create_buffer(c, err);
  if (!code)
    code = vk_timestamps_create(c, desc->timestamp_count, err);
  if (!code)
    code = begin(c, err);
  if (!code)
    vk_name_object(d, VK_OBJECT_TYPE_COMMAND_BUFFER, (uint64_t)(uintptr_t)c->handle, desc->label);
  code = vk_validated(d->instance.validation, code, c->label, err);
  if (code) {
    vk_commands_destroy(d, c);
    return code;
  }
  *commands = c;
  return XB_OK;
}

void vk_commands_destroy(xb_be_device *d, xb_be_commands *c)
{
  vk_sets_free(d, &c->sets);
  if (!d->dead) {
    d->vk.DestroyQueryPool(d->handle, c->queries, NULL);
    d->vk.DestroyCommandPool(d->handle, c->pool, NULL);
  }
  free(c->taken);
  free(c->before_first);
  free(c);
}

/* ---- Recording -------------------------------------------------------------------------------------------------- */

void vk_note_write(xb_be_commands *c, const xb_be_buffer *buffer)
{
  if (!buffer) /* of an image */
    return;
  c->host_reads |=
      buffer->mem == XB_MEM_READBACK || buffer->mem == XB_MEM_DEVICE_MAPPED || buffer->mem == XB_MEM_IMPORTED;
}

/* [dispatch] Bind the pipeline and the buffers, if they are not bound already, and set the arguments. */
static xb_code bind(xb_be_commands *c, const xb_be_dispatch *dispatch, xb_error *err)
{
  const vk_device_symbols *vk = &c->device->vk;
  const xb_be_kernel *k = dispatch->kernel;
  const vk_set *set = NULL;
  if (k->set_count) {
    const xb_code code = vk_sets_find(c->device, &c->sets, dispatch, &set, err);
    if (code)
      return code;
  }
  if (c->bound != k)
    vk->CmdBindPipeline(c->handle, VK_PIPELINE_BIND_POINT_COMPUTE, k->pipeline);
  if (set && (c->bound != k || c->bound_set != set->handles[0]))
    vk->CmdBindDescriptorSets(c->handle, VK_PIPELINE_BIND_POINT_COMPUTE, k->layout, 0, k->set_count, set->handles, 0,
                              NULL);
  c->bound = k;
  c->bound_set = set ? set->handles[0] : VK_NULL_HANDLE;
  if (k->push_bytes)
    vk->CmdPushConstants(c->handle, k->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, k->push_bytes, dispatch->args);
  return XB_OK;
}

static void begin_label(xb_be_commands *c, const char *label)
{
  const VkDebugUtilsLabelEXT info = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, .pLabelName = label};
  if (vk_takes_labels(c->device->instance.validation))
    c->device->instance.vk.CmdBeginDebugUtilsLabelEXT(c->handle, &info);
}

static void end_label(xb_be_commands *c)
{
  if (vk_takes_labels(c->device->instance.validation))
    c->device->instance.vk.CmdEndDebugUtilsLabelEXT(c->handle);
}

/* [dispatch] Dispatch groups. The shader defines the number of threads per group. */
static xb_code dispatch_groups(xb_be_commands *c, const xb_be_dispatch *dispatch, const xb_be_binding *groups,
                               xb_error *err)
{
  vk_settle_barrier(c, (dispatch->kernel->uniform_bindings ? VK_ACCESS_UNIFORM_READ_BIT : 0) |
                           (groups ? VK_ACCESS_INDIRECT_COMMAND_READ_BIT : 0));
  xb_code code = groups ? vk_take(c, groups->buffer, err) : XB_OK;
  for (uint32_t i = 0; i < dispatch->binding_count && !code; i++)
    code = vk_take(c, dispatch->bindings[i].buffer, err);
  code = code ? code : bind(c, dispatch, err);
  if (code)
    return code;
  begin_label(c, dispatch->kernel->label);
  if (groups)
    c->device->vk.CmdDispatchIndirect(c->handle, groups->buffer->handle, groups->offset);
  else
    c->device->vk.CmdDispatch(c->handle, dispatch->groups[0], dispatch->groups[1], dispatch->groups[2]);
  end_label(c);
  for (uint32_t i = 0; i < dispatch->binding_count; i++)
    vk_note_write(c, dispatch->bindings[i].buffer);
  for (uint32_t i = 0; i < dispatch->use_count; i++)
    vk_note_write(c, dispatch->uses[i].buffer);
  return XB_OK;
}

xb_code vk_cmd_dispatch(xb_be_commands *c, const xb_be_dispatch *dispatch, xb_error *err)
{
  return dispatch_groups(c, dispatch, NULL, err);
}

xb_code vk_cmd_dispatch_indirect(xb_be_commands *c, const xb_be_dispatch *dispatch, const xb_be_binding *groups,
                                 xb_error *err)
{
  return dispatch_groups(c, dispatch, groups, err);
}

/* [copy] Copy between buffers; host memory is a buffer, too. */
xb_code vk_cmd_copy(xb_be_commands *c, const xb_be_binding *dst, const xb_be_binding *src, xb_error *err)
{
  vk_settle_barrier(c, 0);
  xb_code code = vk_take(c, dst->buffer, err);
  code = code ? code : vk_take(c, src->buffer, err);
  if (code)
    return code;
  const VkBufferCopy region = {.srcOffset = src->offset, .dstOffset = dst->offset, .size = dst->size};
  c->device->vk.CmdCopyBuffer(c->handle, src->buffer->handle, dst->buffer->handle, 1, &region);
  vk_note_write(c, dst->buffer);
  return XB_OK;
}

xb_code vk_cmd_fill(xb_be_commands *c, const xb_be_binding *dst, uint32_t word, xb_error *err)
{
  vk_settle_barrier(c, 0);
  const xb_code code = vk_take(c, dst->buffer, err);
  if (code)
    return code;
  c->device->vk.CmdFillBuffer(c->handle, dst->buffer->handle, dst->offset, dst->size, word);
  vk_note_write(c, dst->buffer);
  return XB_OK;
}

xb_code vk_cmd_barrier(xb_be_commands *c, xb_error *err)
{
  (void)err;
  vk_settle_barrier(c, 0);
  c->barrier_pending = true;
  return XB_OK;
}

static xb_proc device_proc(void *device, const char *name)
{
  const vk_loader *loader = vk_loader_get(NULL);
  return loader ? (xb_proc)loader->GetDeviceProcAddr((VkDevice)device, name) : NULL;
}

xb_code vk_device_native(xb_be_device *d, xb_native_fn fn, void *user, xb_error *err)
{
  return fn(&(xb_native){.backend = "vulkan", .device = d->handle, .proc = device_proc}, user, err);
}

xb_code vk_cmd_native(xb_be_commands *c, xb_native_fn fn, void *user, xb_error *err)
{
  const xb_native native = {
      .backend = "vulkan",
      .device = c->device->handle,
      .commands = c->handle,
      .proc = device_proc,
  };
  /* It is unknown what `fn` binds, reads and writes. */
  vk_settle_barrier(c, SPECIAL_READS);
  c->bound = NULL;
  c->host_reads = true;
  return fn(&native, user, err);
}

/* [end] Make writes visible to the host; a fence alone does not. */
xb_code vk_commands_finish(xb_be_commands *c, xb_error *err)
{
  vk_settle_barrier(c, 0);
  vk_give_back(c);
  if (c->host_reads)
    memory_barrier(c, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_MEMORY_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                   VK_ACCESS_HOST_READ_BIT);
  const VkResult result = c->device->vk.EndCommandBuffer(c->handle);
  const xb_code code = result ? vk_fail(err, "vkEndCommandBuffer", result) : XB_OK;
  return vk_validated(c->device->instance.validation, code, c->label, err);
}
