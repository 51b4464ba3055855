/* Pipeline binaries: VK_KHR_pipeline_binary. A kernel's binary is, for each binary of its pipeline, a header and the
 * driver's data, one after the other. */
#include "vk.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 8 }; /* a compute pipeline has one, or a few */

typedef struct header {
  VkPipelineBinaryKeyKHR key;
  uint64_t bytes;
} header;

static void destroy_all(const xb_be_device *d, VkPipelineBinaryKHR *list, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    d->vk.DestroyPipelineBinaryKHR(d->handle, list[i], NULL);
}

/* ---- Keeping ---------------------------------------------------------------------------------------------------- */

static xb_code append(const xb_be_device *d, VkPipelineBinaryKHR binary, xb_be_kernel *k, xb_error *err)
{
  const char *const call = "vkGetPipelineBinaryDataKHR";
  const VkPipelineBinaryDataInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_DATA_INFO_KHR,
                                            .pipelineBinary = binary};
  header h = {.key.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_KEY_KHR};
  size_t bytes = 0;
  VkResult result = d->vk.GetPipelineBinaryDataKHR(d->handle, &info, &h.key, &bytes, NULL);
  if (result)
    return vk_fail(err, call, result);
  const size_t room = bytes;
  char *grown = realloc(k->binary, k->binary_bytes + sizeof h + room);
  if (!grown)
    return vk_no_host_memory(err, call);
  k->binary = grown;
  result = d->vk.GetPipelineBinaryDataKHR(d->handle, &info, &h.key, &bytes, grown + k->binary_bytes + sizeof h);
  if (result)
    return vk_fail(err, call, result);
  h.key.pNext = NULL;
  h.bytes = bytes = bytes < room ? bytes : room;
  memcpy(grown + k->binary_bytes, &h, sizeof h);
  k->binary_bytes += sizeof h + bytes;
  return XB_OK;
}

/* [kernel] Take the binaries from the pipeline, which has captured them. */
xb_code vk_keep_binary(const xb_be_device *d, xb_be_kernel *k, xb_error *err)
{
  const VkPipelineBinaryCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR,
                                              .pipeline = k->pipeline};
  VkPipelineBinaryKHR list[MOST] = {0};
  VkPipelineBinaryHandlesInfoKHR handles = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_HANDLES_INFO_KHR};
  VkResult result = d->vk.CreatePipelineBinariesKHR(d->handle, &info, NULL, &handles);
  if (!result && (!handles.pipelineBinaryCount || handles.pipelineBinaryCount > MOST))
    return xb_fail(err, XB_UNSUPPORTED, "xb_kernel_create", "the pipeline has %u binaries, expected 1 to %d",
                   handles.pipelineBinaryCount, MOST);
  handles.pPipelineBinaries = list;
  result = result ? result : d->vk.CreatePipelineBinariesKHR(d->handle, &info, NULL, &handles);
  if (result)
    return vk_fail(err, "vkCreatePipelineBinariesKHR", result);
  xb_code code = XB_OK;
  const uint32_t count = vk_at_most(handles.pipelineBinaryCount, MOST);
  for (uint32_t i = 0; i < count && !code; i++)
    code = append(d, list[i], k, err);
  destroy_all(d, list, count);
  return code;
}

/* ---- Using ------------------------------------------------------------------------------------------------------ */

/* The number of binaries; 0 if the lengths do not fit. */
static uint32_t split(const xb_kernel_desc *desc, VkPipelineBinaryKeyKHR keys[MOST], VkPipelineBinaryDataKHR data[MOST])
{
  const char *const all = desc->binary;
  size_t at = 0;
  uint32_t count = 0;
  for (header h; at < desc->binary_bytes && count < MOST; at += sizeof h + h.bytes, count++) {
    if (desc->binary_bytes - at < sizeof h)
      return 0;
    memcpy(&h, all + at, sizeof h);
    if (h.bytes > desc->binary_bytes - at - sizeof h)
      return 0;
    keys[count] = h.key;
    data[count] = (VkPipelineBinaryDataKHR){.dataSize = h.bytes, .pData = (char *)(uintptr_t)all + at + sizeof h};
  }
  return at == desc->binary_bytes ? count : 0;
}

/* [kernel] Make binaries of the data, and a pipeline of them. It needs no shader module. */
xb_code vk_pipeline_from_binary(const xb_be_device *d, const xb_kernel_desc *desc, VkComputePipelineCreateInfo *info,
                                VkPipeline *pipeline, xb_error *err)
{
  VkPipelineBinaryKeyKHR keys[MOST];
  VkPipelineBinaryDataKHR data[MOST];
  VkPipelineBinaryKHR list[MOST] = {0};
  const VkPipelineBinaryKeysAndDataKHR both = {split(desc, keys, data), keys, data};
  const VkPipelineBinaryCreateInfoKHR create = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR,
                                                .pKeysAndDataInfo = &both};
  VkPipelineBinaryHandlesInfoKHR handles = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_HANDLES_INFO_KHR,
                                            .pipelineBinaryCount = both.binaryCount,
                                            .pPipelineBinaries = list};
  if (!both.binaryCount)
    return xb_fail(err, XB_INVALID, vk_kernel_label(desc),
                   "the binary is damaged: pass the result of xb_kernel_binary");
  VkResult result = d->vk.CreatePipelineBinariesKHR(d->handle, &create, NULL, &handles);
  if (result)
    return vk_fail(err, "vkCreatePipelineBinariesKHR", result);
  const VkPipelineBinaryInfoKHR from = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR,
      .binaryCount = both.binaryCount,
      .pPipelineBinaries = list,
  };
  info->pNext = &from;
  result = d->vk.CreateComputePipelines(d->handle, VK_NULL_HANDLE, 1, info, NULL, pipeline);
  destroy_all(d, list, both.binaryCount);
  return result ? vk_fail(err, "vkCreateComputePipelines", result) : XB_OK;
}
