/* The driver's statistics of a compiled kernel (VK_KHR_pipeline_executable_properties). Each driver has its own names,
 * so they are matched by a word. */
#include "vk.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STATISTICS = 64 };

static bool names(const char *text, const char *word)
{
  const size_t length = strlen(word);
  for (; *text; text++) {
    size_t i = 0;
    while (i < length && tolower((unsigned char)text[i]) == word[i])
      i++;
    if (i == length)
      return true;
  }
  return false;
}

static uint32_t value_of(const VkPipelineExecutableStatisticKHR *s)
{
  const uint64_t value = s->format == VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR  ? s->value.u64
                         : s->format == VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_INT64_KHR ? (uint64_t)s->value.i64
                                                                                          : 0;
  return value <= UINT32_MAX ? (uint32_t)value : 0;
}

/* 'Local Memory Size' is ignored: on NVIDIA its value makes no sense (2^36). */
static void take(const VkPipelineExecutableStatisticKHR *s, xb_kernel_info *info)
{
  if (names(s->name, "register") && !info->registers)
    info->registers = value_of(s);
  else if (names(s->name, "shared") && !info->shared_bytes)
    info->shared_bytes = value_of(s);
  else if ((names(s->name, "binary") || names(s->name, "code")) && !info->code_bytes)
    info->code_bytes = value_of(s);
}

void vk_read_statistics(const xb_be_device *d, VkPipeline pipeline, xb_kernel_info *info)
{
  const VkPipelineInfoKHR of = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR, .pipeline = pipeline};
  VkPipelineExecutablePropertiesKHR executable = {.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR};
  uint32_t count = 1; /* a compute pipeline has one */
  if (d->vk.GetPipelineExecutablePropertiesKHR(d->handle, &of, &count, &executable) < 0 || !count)
    return;
  if (executable.subgroupSize)
    info->subgroup_size = executable.subgroupSize;

  VkPipelineExecutableStatisticKHR *statistics = calloc(MAX_STATISTICS, sizeof *statistics);
  if (!statistics)
    return;
  for (uint32_t i = 0; i < MAX_STATISTICS; i++)
    statistics[i].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR;
  const VkPipelineExecutableInfoKHR first = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR,
      .pipeline = pipeline,
  };
  count = MAX_STATISTICS;
  if (d->vk.GetPipelineExecutableStatisticsKHR(d->handle, &first, &count, statistics) >= 0)
    for (uint32_t i = 0; i < count; i++)
      take(&statistics[i], info);
  free(statistics);
}
