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

/* What drivers call it, in lower case; the first word that fits counts. Mesa's drivers for AMD say "Spilled VGPRs",
 * "LDS size" and "Subgroups per SIMD"; NVIDIA's says "Register Count" and "Binary Size"; Intel's "Instruction Count".
 */
typedef enum meaning {
  NOTHING,
  REGISTERS,
  SCALARS,
  SPILLS,
  SPILLED_SCALARS,
  SPILL_BYTES,
  SHARED,
  CODE,
  WAVES,
  COUNT
} meaning;
static const struct {
  const char *word;
  meaning meaning;
} known[] = {
    {"pre-sched", NOTHING},
    {"spilled sgpr", SPILLED_SCALARS},
    {"spilled vgpr", SPILLS},
    {"spill count", NOTHING},
    {"fill count", NOTHING},
    {"sgpr", SCALARS},
    {"vgpr", REGISTERS},
    {"register", REGISTERS},
    {"shared", SHARED},
    {"lds size", SHARED},
    {"scratch size", SPILL_BYTES},
    {"binary", CODE},
    {"code", CODE},
    {"per simd", WAVES},
    {"instruction", COUNT},
};

static meaning meaning_of(const char *name)
{
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (names(name, known[i].word))
      return known[i].meaning;
  return NOTHING;
}

static void keep(uint32_t *place, uint32_t value)
{
  if (!*place)
    *place = value;
}

/* NVIDIA's 'Local Memory Size' is ignored: its value makes no sense (2^36). */
static void take(const VkPipelineExecutableStatisticKHR *s, xb_kernel_info *info)
{
  const uint32_t value = value_of(s);
  switch (meaning_of(s->name)) {
  case REGISTERS: keep(&info->registers, value); break;
  case SCALARS: keep(&info->scalar_registers, value); break;
  case SPILLS:
    info->spills_known = true;
    keep(&info->spilled_registers, value);
    break;
  case SPILLED_SCALARS: keep(&info->spilled_scalars, value); break;
  case SPILL_BYTES: keep(&info->spill_bytes, value); break;
  case SHARED: keep(&info->shared_bytes, value); break;
  case CODE: keep(&info->code_bytes, value); break;
  case WAVES: keep(&info->waves_per_simd, value); break;
  case COUNT: keep(&info->instructions, value); break;
  case NOTHING: break;
  }
}

/* RADV tells scratch memory by the wave. It counts waves in units of the smallest wave: where that has 32 lanes, a wave
 * of 64 counts as two, up to Mesa 25 at least. */
static void count_by_thread_and_wave(const xb_be_device *d, xb_kernel_info *info)
{
  if (!info->waves_per_simd || !info->subgroup_size)
    return;
  info->spill_bytes /= info->subgroup_size;
  info->waves_per_simd /= info->subgroup_size > d->subgroup_min ? info->subgroup_size / d->subgroup_min : 1;
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
    for (uint32_t i = 0; i < vk_at_most(count, MAX_STATISTICS); i++)
      take(&statistics[i], info);
  count_by_thread_and_wave(d, info);
  free(statistics);
}

/* Of the texts that a driver has, the last one is nearest to the machine. */
char *vk_read_text(const xb_be_device *d, VkPipeline pipeline)
{
  const VkPipelineExecutableInfoKHR first = {.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR,
                                             .pipeline = pipeline};
  enum { MOST = 8 };
  VkPipelineExecutableInternalRepresentationKHR texts[MOST] = {0};
  uint32_t count = MOST;
  for (uint32_t i = 0; i < MOST; i++)
    texts[i].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR;
  if (d->vk.GetPipelineExecutableInternalRepresentationsKHR(d->handle, &first, &count, texts) < 0)
    return NULL;
  count = vk_at_most(count, MOST);
  while (count && (!texts[count - 1].isText || !texts[count - 1].dataSize))
    count--;
  char *text = count ? calloc(texts[count - 1].dataSize + 1, 1) : NULL;
  if (!text)
    return NULL;
  for (uint32_t i = 0; i < count; i++)
    texts[i].pData = i == count - 1 ? text : NULL;
  if (d->vk.GetPipelineExecutableInternalRepresentationsKHR(d->handle, &first, &count, texts) >= 0)
    return text;
  free(text);
  return NULL;
}
