/* Images: each has its own memory, and one view. A copy to an image changes all of it, so what was there before is not
 * kept; afterwards it has the layout for reading. */
#include "vk.h"

#include <stdlib.h>

VkFormat vk_format(xb_texel format, uint32_t channels)
{
  static const VkFormat formats[XB_TEXELS][3] = {
      [XB_TEXEL_FLOAT32] = {VK_FORMAT_R32_SFLOAT, VK_FORMAT_R32G32_SFLOAT, VK_FORMAT_R32G32B32A32_SFLOAT},
      [XB_TEXEL_FLOAT16] = {VK_FORMAT_R16_SFLOAT, VK_FORMAT_R16G16_SFLOAT, VK_FORMAT_R16G16B16A16_SFLOAT},
      [XB_TEXEL_UNORM8] = {VK_FORMAT_R8_UNORM, VK_FORMAT_R8G8_UNORM, VK_FORMAT_R8G8B8A8_UNORM},
      [XB_TEXEL_UINT8] = {VK_FORMAT_R8_UINT, VK_FORMAT_R8G8_UINT, VK_FORMAT_R8G8B8A8_UINT},
      [XB_TEXEL_INT32] = {VK_FORMAT_R32_SINT, VK_FORMAT_R32G32_SINT, VK_FORMAT_R32G32B32A32_SINT},
      [XB_TEXEL_UINT32] = {VK_FORMAT_R32_UINT, VK_FORMAT_R32G32_UINT, VK_FORMAT_R32G32B32A32_UINT},
  };
  return formats[format][channels / 2];
}

static VkFormatProperties properties_of(const vk_instance *instance, VkPhysicalDevice physical, VkFormat format)
{
  VkFormatProperties2 p = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2};
  instance->vk.GetPhysicalDeviceFormatProperties2(physical, format, &p);
  return p.formatProperties;
}

static VkFormatFeatureFlags features_of(const vk_instance *instance, VkPhysicalDevice physical, VkFormat format)
{
  return properties_of(instance, physical, format).optimalTilingFeatures;
}

bool vk_has_texel_buffers(const xb_be_device *d, VkFormat format, bool storage)
{
  return properties_of(&d->instance, d->physical, format).bufferFeatures &
         (storage ? VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT : VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT);
}

/* Every device samples these formats; not every one filters 32 bits, and none integers. */
uint32_t vk_linear_formats(const vk_instance *instance, VkPhysicalDevice physical)
{
  uint32_t formats = 0;
  for (int f = XB_TEXEL_NONE + 1; f < XB_TEXELS; f++) {
    const VkFormatFeatureFlags all = features_of(instance, physical, vk_format((xb_texel)f, 1)) &
                                     features_of(instance, physical, vk_format((xb_texel)f, 2)) &
                                     features_of(instance, physical, vk_format((xb_texel)f, 4));
    if (all & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT)
      formats |= 1u << f;
  }
  return formats;
}

/* [image] Create the handle. */
static xb_code create_handle(xb_be_device *d, const xb_image_desc *desc, xb_be_image *i, xb_error *err)
{
  const bool shared = d->family_count > 1;
  const VkFormat format = vk_format(desc->format, desc->channels);
  if (desc->storage && !(features_of(&d->instance, d->physical, format) & VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT))
    return xb_fail(err, XB_UNSUPPORTED, "xb_image_create",
                   "this device has no storage images of this format (%u channels of %u bytes)", desc->channels,
                   xb_texel_bytes(desc->format));
  const VkImageCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
      .imageType = desc->depth    ? VK_IMAGE_TYPE_3D
                   : desc->height ? VK_IMAGE_TYPE_2D
                                  : VK_IMAGE_TYPE_1D,
      .format = format,
      .extent = i->extent,
      .mipLevels = 1,
      .arrayLayers = 1,
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .tiling = VK_IMAGE_TILING_OPTIMAL,
      .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
               (desc->storage ? VK_IMAGE_USAGE_STORAGE_BIT : 0),
      .sharingMode = shared ? VK_SHARING_MODE_CONCURRENT : VK_SHARING_MODE_EXCLUSIVE,
      .queueFamilyIndexCount = shared ? d->family_count : 0,
      .pQueueFamilyIndices = d->families,
      .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
  };
  const VkResult result = d->vk.CreateImage(d->handle, &info, NULL, &i->handle);
  return result ? vk_fail_made(err, "vkCreateImage", result, i->handle) : XB_OK;
}

/* [image] Allocate device memory, and bind it. */
static xb_code allocate(xb_be_device *d, xb_be_image *i, xb_error *err)
{
  VkMemoryRequirements needs;
  d->vk.GetImageMemoryRequirements(d->handle, i->handle, &needs);
  uint32_t type = 0;
  const xb_code code = vk_choose_memory_type(d, needs.memoryTypeBits, XB_MEM_DEVICE, &type, err);
  if (code)
    return code;
  const uint32_t heap = d->memory.memoryTypes[type].heapIndex;
  if (needs.size > d->memory.memoryHeaps[heap].size) /* vkAllocateMemory must not be called with this size */
    return vk_no_memory(d, VK_ERROR_OUT_OF_DEVICE_MEMORY, needs.size, heap, err);
  const VkMemoryDedicatedAllocateInfo alone = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO,
      .image = i->handle,
  };
  const VkMemoryAllocateInfo info = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
      .pNext = &alone,
      .allocationSize = needs.size,
      .memoryTypeIndex = type,
  };
  VkResult result = d->vk.AllocateMemory(d->handle, &info, NULL, &i->memory);
  if (result) {
    const xb_code failed = vk_fail_made(err, "vkAllocateMemory", result, i->memory);
    return failed == XB_NOMEM ? vk_no_memory(d, result, needs.size, heap, err) : failed;
  }
  result = d->vk.BindImageMemory(d->handle, i->handle, i->memory, 0);
  return result ? vk_fail(err, "vkBindImageMemory", result) : XB_OK;
}

static const VkImageSubresourceRange WHOLE = {
    .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .levelCount = 1, .layerCount = 1};

/* [image] A view is what a descriptor has. */
static xb_code create_view(xb_be_device *d, const xb_image_desc *desc, xb_be_image *i, xb_error *err)
{
  const VkImageViewCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
      .image = i->handle,
      .viewType = desc->depth    ? VK_IMAGE_VIEW_TYPE_3D
                  : desc->height ? VK_IMAGE_VIEW_TYPE_2D
                                 : VK_IMAGE_VIEW_TYPE_1D,
      .format = vk_format(desc->format, desc->channels),
      .subresourceRange = WHOLE,
  };
  const VkResult result = d->vk.CreateImageView(d->handle, &info, NULL, &i->view);
  return result ? vk_fail_made(err, "vkCreateImageView", result, i->view) : XB_OK;
}

xb_code vk_image_create(xb_be_device *d, const xb_image_desc *desc, xb_be_image **image, xb_error *err)
{
  xb_be_image *i = calloc(1, sizeof *i);
  if (!i)
    return vk_no_host_memory(err, "xb_image_create");
  i->extent = (VkExtent3D){desc->width, desc->height ? desc->height : 1, desc->depth ? desc->depth : 1};
  i->layout = desc->storage ? VK_IMAGE_LAYOUT_GENERAL : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
  xb_code code = create_handle(d, desc, i, err);
  if (!code)
    code = allocate(d, i, err);
  if (!code)
    code = create_view(d, desc, i, err);
  if (!code)
    vk_name_object(d, VK_OBJECT_TYPE_IMAGE, (uint64_t)i->handle, desc->label);
  code = vk_validated(d->instance.validation, code, "xb_image_create", err);
  if (code) {
    vk_image_destroy(d, i);
    return code;
  }
  *image = i;
  return XB_OK;
}

void vk_image_destroy(xb_be_device *d, xb_be_image *i)
{
  if (!d->dead) {
    d->vk.DestroyImageView(d->handle, i->view, NULL);
    d->vk.DestroyImage(d->handle, i->handle, NULL);
    d->vk.FreeMemory(d->handle, i->memory, NULL);
  }
  free(i);
}

/* [image] Change the layout, between what is done before and after. */
static void change_layout(xb_be_commands *c, const xb_be_image *i, VkImageLayout from, VkImageLayout to)
{
  const VkAccessFlags shaders = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
  const bool before = from != VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL && from != VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
  const VkImageMemoryBarrier barrier = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
      .srcAccessMask = from == VK_IMAGE_LAYOUT_UNDEFINED ? 0
                       : before                          ? shaders
                                                         : VK_ACCESS_TRANSFER_WRITE_BIT,
      .dstAccessMask = before ? VK_ACCESS_TRANSFER_WRITE_BIT | VK_ACCESS_TRANSFER_READ_BIT : shaders,
      .oldLayout = from,
      .newLayout = to,
      .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .image = i->handle,
      .subresourceRange = WHOLE,
  };
  const VkPipelineStageFlags both = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
  c->device->vk.CmdPipelineBarrier(c->handle, before ? both : VK_PIPELINE_STAGE_TRANSFER_BIT,
                                   before ? VK_PIPELINE_STAGE_TRANSFER_BIT : both, 0, 0, NULL, 0, NULL, 1, &barrier);
}

static VkBufferImageCopy region_of(const xb_be_image *i, const xb_be_binding *buffer)
{
  return (VkBufferImageCopy){
      .bufferOffset = buffer->offset,
      .imageSubresource = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .layerCount = 1},
      .imageExtent = i->extent,
  };
}

/* [image] Copy: the driver knows the order of the texels. */
xb_code vk_cmd_copy_to_image(xb_be_commands *c, xb_be_image *dst, const xb_be_binding *src, xb_error *err)
{
  vk_settle_barrier(c, 0);
  const xb_code code = vk_take(c, src->buffer, err);
  if (code)
    return code;
  const VkBufferImageCopy region = region_of(dst, src);
  change_layout(c, dst, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
  c->device->vk.CmdCopyBufferToImage(c->handle, src->buffer->handle, dst->handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                     1, &region);
  change_layout(c, dst, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, dst->layout);
  return XB_OK;
}

xb_code vk_cmd_copy_from_image(xb_be_commands *c, const xb_be_binding *dst, xb_be_image *src, xb_error *err)
{
  vk_settle_barrier(c, 0);
  const xb_code code = vk_take(c, dst->buffer, err);
  if (code)
    return code;
  const VkBufferImageCopy region = region_of(src, dst);
  change_layout(c, src, src->layout, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
  c->device->vk.CmdCopyImageToBuffer(c->handle, src->handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, dst->buffer->handle,
                                     1, &region);
  change_layout(c, src, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, src->layout);
  vk_note_write(c, dst->buffer);
  return XB_OK;
}
