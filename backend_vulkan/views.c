/* What a list's dispatches read texels through: views of buffers, and samplers. Dispatches share them. */
#include "vk.h"

#include <stdlib.h>

bool vk_same_sampler(xb_sample_mode a, xb_sample_mode b)
{
  return a.filter == b.filter && a.address == b.address && a.normalized == b.normalized;
}

/* [dispatch] A texel buffer: its format is in a view, not in the code. */
xb_code vk_find_view(xb_be_device *d, vk_sets *sets, const xb_be_binding *b, VkBufferView *view, xb_error *err)
{
  for (size_t i = 0; i < sets->view_count; i++) {
    const xb_be_binding *of = &sets->views[i].of;
    if (of->buffer == b->buffer && of->offset == b->offset && of->size == b->size && of->format == b->format &&
        of->channels == b->channels && of->kind == b->kind) {
      *view = sets->views[i].handle;
      return XB_OK;
    }
  }
  const VkFormat format = vk_format(b->format, b->channels);
  if (!vk_has_texel_buffers(d, format, b->kind == XB_BINDING_STORAGE_TEXELS))
    return xb_fail(err, XB_UNSUPPORTED, "vkCreateBufferView",
                   "this device has no %stexel buffers of this format (%u channels of %u bytes)",
                   b->kind == XB_BINDING_STORAGE_TEXELS ? "storage " : "", b->channels, xb_texel_bytes(b->format));
  if (!xb_grow(&sets->views, &sets->view_capacity, sets->view_count, sizeof *sets->views))
    return vk_no_host_memory(err, "vkCreateBufferView");
  const VkBufferViewCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
      .buffer = b->buffer->handle,
      .format = format,
      .offset = b->offset,
      .range = b->size,
  };
  const VkResult result = d->vk.CreateBufferView(d->handle, &info, NULL, view);
  if (result)
    return vk_fail(err, "vkCreateBufferView", result);
  sets->views[sets->view_count++] = (vk_texel_view){.of = *b, .handle = *view};
  return XB_OK;
}

/* [dispatch] Samplers of unnormalized coordinates have limits: one filter, no levels, no wrapping. */
xb_code vk_find_sampler(xb_be_device *d, vk_sets *sets, xb_sample_mode s, VkSampler *found, xb_error *err)
{
  static const VkSamplerAddressMode modes[] = {
      [XB_ADDRESS_CLAMP] = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
      [XB_ADDRESS_WRAP] = VK_SAMPLER_ADDRESS_MODE_REPEAT,
      [XB_ADDRESS_BORDER] = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
  };
  for (size_t i = 0; i < sets->sampler_count; i++)
    if (vk_same_sampler(sets->samplers[i].of, s)) {
      *found = sets->samplers[i].handle;
      return XB_OK;
    }
  if (!xb_grow(&sets->samplers, &sets->sampler_capacity, sets->sampler_count, sizeof *sets->samplers))
    return vk_no_host_memory(err, "vkCreateSampler");
  const VkFilter filter = s.filter == XB_FILTER_LINEAR ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
  const VkSamplerCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
      .magFilter = filter,
      .minFilter = filter,
      .mipmapMode = VK_SAMPLER_MIPMAP_MODE_NEAREST,
      .addressModeU = modes[s.address],
      .addressModeV = modes[s.address],
      .addressModeW = modes[s.address],
      .borderColor = VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK,
      .unnormalizedCoordinates = !s.normalized,
  };
  const VkResult result = d->vk.CreateSampler(d->handle, &info, NULL, found);
  if (result)
    return vk_fail(err, "vkCreateSampler", result);
  sets->samplers[sets->sampler_count++] = (vk_sampler){.of = s, .handle = *found};
  return XB_OK;
}

void vk_views_free(xb_be_device *d, vk_sets *sets)
{
  for (size_t i = 0; i < sets->view_count && !d->dead; i++)
    d->vk.DestroyBufferView(d->handle, sets->views[i].handle, NULL);
  for (size_t i = 0; i < sets->sampler_count && !d->dead; i++)
    d->vk.DestroySampler(d->handle, sets->samplers[i].handle, NULL);
  free(sets->views);
  free(sets->samplers);
}
