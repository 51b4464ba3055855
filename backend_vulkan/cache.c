/* Pipeline caches, of one pipeline each. XB_PIPELINE_CACHE=FOLDER: what the driver keeps of each pipeline becomes a
 * file there, whole or not at all. NVIDIA's has the machine code: bench/isa/pipeline_data.c reads it. A driver may
 * refuse a cache, or data that it does not know: the pipeline is then compiled. */
#include "vk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

VkPipelineCache vk_cache_create(const xb_be_device *d, const xb_kernel_desc *desc)
{
  const bool wanted = desc->binary_form == XB_BINARY_CACHE;
  const VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
                                          .initialDataSize = wanted ? desc->binary_bytes : 0,
                                          .pInitialData = wanted ? desc->binary : NULL};
  const char *const folder = getenv("XB_PIPELINE_CACHE");
  VkPipelineCache cache = VK_NULL_HANDLE;
  if ((wanted || (folder && *folder)) && d->vk.CreatePipelineCache(d->handle, &info, NULL, &cache))
    cache = VK_NULL_HANDLE;
  return cache;
}

static void save(const char *label, const void *data, size_t bytes)
{
  char path[512], part[sizeof path + 8];
  const char *const folder = getenv("XB_PIPELINE_CACHE");
  if (!folder || !*folder)
    return;
  if (snprintf(path, sizeof path, "%s/%s.cache", folder, label) >= (int)sizeof path)
    return;
  for (char *c = path + strlen(folder) + 1; *c; c++)
    if (*c == '/')
      *c = '_';
  snprintf(part, sizeof part, "%s.part", path);
  FILE *file = fopen(part, "wb");
  if (!file)
    return;
  const bool whole = fwrite(data, 1, bytes, file) == bytes;
  if (fclose(file) || !whole || rename(part, path))
    remove(part);
}

void vk_cache_take(const xb_be_device *d, VkPipelineCache cache, const xb_kernel_desc *desc, xb_be_kernel *k)
{
  size_t bytes = 0;
  if (!cache)
    return;
  void *data = d->vk.GetPipelineCacheData(d->handle, cache, &bytes, NULL) ? NULL : malloc(bytes);
  const size_t room = bytes;
  if (data && !d->vk.GetPipelineCacheData(d->handle, cache, &bytes, data)) {
    bytes = bytes < room ? bytes : room;
    save(vk_kernel_label(desc), data, bytes);
    if (desc->binary_form == XB_BINARY_CACHE && !desc->binary) {
      k->binary = data;
      k->binary_bytes = bytes;
      data = NULL;
    }
  }
  free(data);
  d->vk.DestroyPipelineCache(d->handle, cache, NULL);
}

void vk_kernel_binary(const xb_be_kernel *k, const void **data, size_t *bytes)
{
  *data = k->binary;
  *bytes = k->binary_bytes;
}
