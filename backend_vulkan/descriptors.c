/* Layouts of a kernel's descriptor sets, and the sets of one command list. A list may have thousands of dispatches that
 * use only a few sets. */
#include "vk.h"

#include "core/location.h"

#include <stdlib.h>
#include <string.h>

enum { SETS_A_POOL = 64 };

/* ---- Layouts ---------------------------------------------------------------------------------------------------- */

static VkDescriptorType descriptor_type(const xb_be_kernel *kernel, uint32_t binding)
{
  return kernel->uniform_bindings >> binding & 1         ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER
         : kernel->texel_bindings >> binding & 1         ? VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER
         : kernel->storage_texel_bindings >> binding & 1 ? VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER
         : kernel->image_bindings >> binding & 1         ? VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER
         : kernel->storage_image_bindings >> binding & 1 ? VK_DESCRIPTOR_TYPE_STORAGE_IMAGE
         : kernel->sampler_bindings >> binding & 1       ? VK_DESCRIPTOR_TYPE_SAMPLER
                                                         : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

void vk_take_bindings(const xb_kernel_desc *desc, const vk_reflection *found, xb_be_kernel *k)
{
  k->used_bindings = found->used_bindings;
  k->uniform_bindings = found->uniform_bindings;
  k->texel_bindings = found->texel_bindings;
  k->storage_texel_bindings = found->storage_texel_bindings;
  k->image_bindings = found->image_bindings;
  k->storage_image_bindings = found->storage_image_bindings;
  k->sampler_bindings = found->sampler_bindings;
  k->push_bytes = found->push_bytes;
  for (uint32_t i = 0; i < desc->binding_count; i++) {
    k->locations[i] = xb_location_of(desc, i);
    if ((found->used_bindings >> i & 1) && k->locations[i].set >= k->set_count)
      k->set_count = k->locations[i].set + 1;
  }
}

/* An array has as many descriptors as bindings. */
static uint32_t elements(const xb_be_kernel *k, uint32_t binding)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < XB_MAX_BINDINGS; i++)
    count += (k->used_bindings >> i & 1) && k->locations[i].set == k->locations[binding].set &&
             k->locations[i].binding == k->locations[binding].binding;
  return count;
}

/* [kernel] Create the layout of one set: its buffers. */
static xb_code create_set_layout(xb_be_device *d, xb_be_kernel *k, uint32_t set, xb_error *err)
{
  VkDescriptorSetLayoutBinding bindings[XB_MAX_BINDINGS];
  uint32_t count = 0;
  for (uint32_t i = 0; i < XB_MAX_BINDINGS; i++)
    if ((k->used_bindings >> i & 1) && k->locations[i].set == set && !k->locations[i].element)
      bindings[count++] = (VkDescriptorSetLayoutBinding){
          .binding = k->locations[i].binding,
          .descriptorType = descriptor_type(k, i),
          .descriptorCount = elements(k, i),
          .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
      };
  const VkDescriptorSetLayoutCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
      .bindingCount = count,
      .pBindings = bindings,
  };
  const VkResult result = d->vk.CreateDescriptorSetLayout(d->handle, &info, NULL, &k->set_layouts[set]);
  return result ? vk_fail_made(err, "vkCreateDescriptorSetLayout", result, k->set_layouts[set]) : XB_OK;
}

/* [kernel] Create the layout: the sets, and the argument struct as push constants. */
xb_code vk_create_layouts(xb_be_device *d, xb_be_kernel *k, xb_error *err)
{
  for (uint32_t set = 0; set < k->set_count; set++) {
    const xb_code code = create_set_layout(d, k, set, err);
    if (code)
      return code;
  }
  const VkPushConstantRange range = {.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT, .size = k->push_bytes};
  const VkPipelineLayoutCreateInfo layout = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
      .setLayoutCount = k->set_count,
      .pSetLayouts = k->set_layouts,
      .pushConstantRangeCount = k->push_bytes ? 1 : 0,
      .pPushConstantRanges = &range,
  };
  const VkResult result = d->vk.CreatePipelineLayout(d->handle, &layout, NULL, &k->layout);
  return result ? vk_fail_made(err, "vkCreatePipelineLayout", result, k->layout) : XB_OK;
}

/* ---- Sets ------------------------------------------------------------------------------------------------------- */

static bool same(const vk_set *set, const xb_be_dispatch *dispatch)
{
  if (set->kernel != dispatch->kernel)
    return false;
  for (uint32_t i = 0; i < dispatch->binding_count; i++) {
    const xb_be_binding *a = &set->bindings[i], *b = &dispatch->bindings[i];
    if (a->buffer != b->buffer || a->offset != b->offset || a->size != b->size || a->format != b->format ||
        a->channels != b->channels || a->image != b->image || !vk_same_sampler(a->sampler, b->sampler))
      return false;
  }
  return true;
}

static xb_code add_pool(xb_be_device *d, vk_sets *sets, xb_error *err)
{
  if (!xb_grow(&sets->pools, &sets->pool_capacity, sets->pool_count, sizeof *sets->pools))
    return vk_no_host_memory(err, "vkCreateDescriptorPool");
  const VkDescriptorPoolSize sizes[] = {
      {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .descriptorCount = SETS_A_POOL * XB_MAX_BINDINGS},
      {.type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, .descriptorCount = SETS_A_POOL * XB_MAX_BINDINGS},
      {.type = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, .descriptorCount = SETS_A_POOL * XB_MAX_BINDINGS},
      {.type = VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, .descriptorCount = SETS_A_POOL * XB_MAX_BINDINGS},
      {.type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, .descriptorCount = SETS_A_POOL * XB_MAX_BINDINGS},
      {.type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, .descriptorCount = SETS_A_POOL * XB_MAX_BINDINGS},
      {.type = VK_DESCRIPTOR_TYPE_SAMPLER, .descriptorCount = SETS_A_POOL * XB_MAX_BINDINGS},
  };
  const VkDescriptorPoolCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
      .maxSets = SETS_A_POOL * XB_MAX_SETS,
      .poolSizeCount = sizeof sizes / sizeof *sizes,
      .pPoolSizes = sizes,
  };
  const VkResult result = d->vk.CreateDescriptorPool(d->handle, &info, NULL, &sets->pools[sets->pool_count]);
  if (result)
    return vk_fail(err, "vkCreateDescriptorPool", result);
  sets->pool_count++;
  return XB_OK;
}

static xb_code image_info(xb_be_device *d, vk_sets *sets, const xb_be_binding *b, VkDescriptorImageInfo *info,
                          xb_error *err)
{
  *info = (VkDescriptorImageInfo){0};
  if (b->image) {
    info->imageView = b->image->view;
    info->imageLayout = b->image->layout;
  }
  return b->kind == XB_BINDING_STORAGE_IMAGE ? XB_OK : vk_find_sampler(d, sets, b->sampler, &info->sampler, err);
}

/* [dispatch] Write the buffers and ranges into sets. Other buffers or ranges need other sets. */
static xb_code write_sets(xb_be_device *d, vk_sets *sets, const VkDescriptorSet *handles,
                          const xb_be_dispatch *dispatch, xb_error *err)
{
  const xb_be_kernel *k = dispatch->kernel;
  VkDescriptorBufferInfo buffers[XB_MAX_BINDINGS];
  VkDescriptorImageInfo images[XB_MAX_BINDINGS];
  VkBufferView views[XB_MAX_BINDINGS];
  xb_code code = XB_OK;
  VkWriteDescriptorSet writes[XB_MAX_BINDINGS];
  uint32_t count = 0;
  for (uint32_t i = 0; i < dispatch->binding_count && !code; i++) {
    if (!(k->used_bindings >> i & 1))
      continue;
    const xb_be_binding *b = &dispatch->bindings[i];
    if (b->kind == XB_BINDING_TEXELS || b->kind == XB_BINDING_STORAGE_TEXELS)
      code = vk_find_view(d, sets, b, &views[i], err);
    else if (b->kind >= XB_BINDING_IMAGE)
      code = image_info(d, sets, b, &images[i], err);
    else
      buffers[i] = (VkDescriptorBufferInfo){.buffer = b->buffer->handle, .offset = b->offset, .range = b->size};
    writes[count++] = (VkWriteDescriptorSet){
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = handles[k->locations[i].set],
        .dstBinding = k->locations[i].binding,
        .dstArrayElement = k->locations[i].element,
        .descriptorCount = 1,
        .descriptorType = descriptor_type(k, i),
        .pBufferInfo = &buffers[i],
        .pImageInfo = &images[i],
        .pTexelBufferView = &views[i],
    };
  }
  if (!code)
    d->vk.UpdateDescriptorSets(d->handle, count, writes, 0, NULL);
  return code;
}

static xb_code add_set(xb_be_device *d, vk_sets *sets, const xb_be_dispatch *dispatch, const vk_set **added,
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
      .descriptorSetCount = dispatch->kernel->set_count,
      .pSetLayouts = dispatch->kernel->set_layouts,
  };
  vk_set *set = &sets->sets[sets->set_count];
  *set = (vk_set){.kernel = dispatch->kernel};
  const VkResult result = d->vk.AllocateDescriptorSets(d->handle, &info, set->handles);
  if (result)
    return vk_fail(err, "vkAllocateDescriptorSets", result);
  const xb_code code = write_sets(d, sets, set->handles, dispatch, err);
  if (code)
    return code;
  sets->set_count++;
  *added = set;
  memcpy(set->bindings, dispatch->bindings, dispatch->binding_count * sizeof *dispatch->bindings);
  return XB_OK;
}

xb_code vk_sets_find(xb_be_device *d, vk_sets *sets, const xb_be_dispatch *dispatch, const vk_set **set, xb_error *err)
{
  for (size_t i = sets->set_count; i-- > 0;) /* the latest is the most likely */
    if (same(&sets->sets[i], dispatch)) {
      *set = &sets->sets[i];
      return XB_OK;
    }
  return add_set(d, sets, dispatch, set, err);
}

void vk_sets_free(xb_be_device *d, vk_sets *sets)
{
  for (size_t i = 0; i < sets->pool_count && !d->dead; i++)
    d->vk.DestroyDescriptorPool(d->handle, sets->pools[i], NULL);
  vk_views_free(d, sets);
  free(sets->pools);
  free(sets->sets);
  *sets = (vk_sets){0};
}
