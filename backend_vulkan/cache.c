/* XB_PIPELINE_CACHE=FOLDER: what the driver keeps of each pipeline becomes a file there. NVIDIA's has the machine code:
 * script/instructions reads it. A tool, so what fails is left out. */
#include "vk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

VkPipelineCache vk_cache_create(const xb_be_device *d)
{
  const VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  const char *const folder = getenv("XB_PIPELINE_CACHE");
  VkPipelineCache cache = VK_NULL_HANDLE;
  if (folder && *folder && d->vk.CreatePipelineCache(d->handle, &info, NULL, &cache))
    cache = VK_NULL_HANDLE;
  return cache;
}

static void save(const char *label, const void *data, size_t bytes)
{
  char path[512];
  const char *const folder = getenv("XB_PIPELINE_CACHE");
  if (snprintf(path, sizeof path, "%s/%s.cache", folder, label) >= (int)sizeof path)
    return;
  for (char *c = path + strlen(folder) + 1; *c; c++)
    if (*c == '/')
      *c = '_';
  FILE *file = fopen(path, "wb");
  if (!file)
    return;
  fwrite(data, 1, bytes, file);
  fclose(file);
}

void vk_cache_save(const xb_be_device *d, VkPipelineCache cache, const char *label)
{
  size_t bytes = 0;
  if (!cache)
    return;
  void *data = d->vk.GetPipelineCacheData(d->handle, cache, &bytes, NULL) ? NULL : malloc(bytes);
  if (data && !d->vk.GetPipelineCacheData(d->handle, cache, &bytes, data))
    save(label, data, bytes);
  free(data);
  d->vk.DestroyPipelineCache(d->handle, cache, NULL);
}
