/* Descriptor sets of one command list. A list may have thousands of dispatches that use only a few sets. */
#include "vk.h"

#include <stdlib.h>
#include <string.h>

enum { SETS_A_POOL = 64 };

static bool same(const vk_set *set, const xb_be_dispatch *dispatch)
{
  if (set->kernel != dispatch->kernel)
    return false;
  for (uint32_t i = 0; i < dispatch->binding_count; i++) {
    const xb_be_binding *a = &set->bindings[i], *b = &dispatch->bindings[i];
    if (a->buffer != b->buffer || a->offset != b->offset || a->size != b->size)
      return false;
  }
  return true;
}

static xb_code add_pool(xb_be_device *d, vk_sets *sets, xb_error *err)
{
  if (!xb_grow(&sets->pools, &sets->pool_capacity, sets->pool_count, sizeof *sets->pools))
    return vk_no_host_memory(err, "vkCreateDescriptorPool");
  const VkDescriptorPoolSize size = {
      .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
      .descriptorCount = SETS_A_POOL * XB_MAX_BINDINGS,
  };
  const VkDescriptorPoolCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
      .maxSets = SETS_A_POOL,
      .poolSizeCount = 1,
      .pPoolSizes = &size,
  };
  const VkResult result = d->vk.CreateDescriptorPool(d->handle, &info, NULL, &sets->pools[sets->pool_count]);
  if (result)
    return vk_fail(err, "vkCreateDescriptorPool", result);
  sets->pool_count++;
  return XB_OK;
}

/* [dispatch] Write the buffers and ranges into a set. Other buffers or ranges need another set. */
static void write_set(xb_be_device *d, VkDescriptorSet handle, const xb_be_dispatch *dispatch)
{
  VkDescriptorBufferInfo buffers[XB_MAX_BINDINGS];
  VkWriteDescriptorSet writes[XB_MAX_BINDINGS];
  for (uint32_t i = 0; i < dispatch->binding_count; i++) {
    const xb_be_binding *b = &dispatch->bindings[i];
    buffers[i] = (VkDescriptorBufferInfo){.buffer = b->buffer->handle, .offset = b->offset, .range = b->size};
    writes[i] = (VkWriteDescriptorSet){
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = handle,
        .dstBinding = i,
        .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .pBufferInfo = &buffers[i],
    };
  }
  d->vk.UpdateDescriptorSets(d->handle, dispatch->binding_count, writes, 0, NULL);
}

static xb_code add_set(xb_be_device *d, vk_sets *sets, const xb_be_dispatch *dispatch, VkDescriptorSet *handle,
                       xb_error *err)
{
  if (!xb_grow(&sets->sets, &sets->set_capacity, sets->set_count, sizeof *sets->sets))
    return vk_no_host_memory(err, "vkAllocateDescriptorSets");
  if (sets->set_count == sets->pool_count * SETS_A_POOL) {
    const xb_code code = add_pool(d, sets, err);
    if (code)
      return code;
  }
  const VkDescriptorSetAllocateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
      .descriptorPool = sets->pools[sets->pool_count - 1],
      .descriptorSetCount = 1,
      .pSetLayouts = &dispatch->kernel->set_layout,
  };
  const VkResult result = d->vk.AllocateDescriptorSets(d->handle, &info, handle);
  if (result)
    return vk_fail(err, "vkAllocateDescriptorSets", result);
  write_set(d, *handle, dispatch);
  vk_set *set = &sets->sets[sets->set_count++];
  *set = (vk_set){.kernel = dispatch->kernel, .handle = *handle};
  memcpy(set->bindings, dispatch->bindings, dispatch->binding_count * sizeof *dispatch->bindings);
  return XB_OK;
}

xb_code vk_sets_find(xb_be_device *d, vk_sets *sets, const xb_be_dispatch *dispatch, VkDescriptorSet *handle,
                     xb_error *err)
{
  for (size_t i = sets->set_count; i-- > 0;) /* the latest is the most likely */
    if (same(&sets->sets[i], dispatch)) {
      *handle = sets->sets[i].handle;
      return XB_OK;
    }
  return add_set(d, sets, dispatch, handle, err);
}

void vk_sets_free(xb_be_device *d, vk_sets *sets)
{
  for (size_t i = 0; i < sets->pool_count && !d->dead; i++)
    d->vk.DestroyDescriptorPool(d->handle, sets->pools[i], NULL);
  free(sets->pools);
  free(sets->sets);
  *sets = (vk_sets){0};
}
