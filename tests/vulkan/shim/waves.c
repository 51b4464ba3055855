/* Waves whose lanes do not all exist: kernels see waves of twice as many lanes as the device has, so the upper half is
 * missing, unless they ask for full waves. Drivers with several sizes may do so. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER = 5, BOUND = 3, OP_LOAD = 61, OP_COPY_OBJECT = 83, OP_CONSTANT = 43, OP_DECORATE = 71, OP_FUNCTION = 54 };
enum { BUILTIN = 11, SUBGROUP_SIZE = 36, MOST_VARIABLES = 8 };

static uint32_t *code; /* of the last module; the backend makes one for each pipeline */
static size_t bytes;
static uint32_t size_asked, own_size;
static bool full_asked;

void shim_module_info(const VkShaderModuleCreateInfo *info)
{
  free(code);
  bytes = info->codeSize;
  code = malloc(bytes);
  if (code)
    memcpy(code, info->pCode, bytes);
}

void shim_wave_properties(VkBaseOutStructure *s)
{
  if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES) {
    VkPhysicalDeviceSubgroupProperties *p = (VkPhysicalDeviceSubgroupProperties *)s;
    own_size = p->subgroupSize;
    if (shim_fake.half_waves)
      p->subgroupSize *= 2;
    if (shim_fake.waves)
      p->subgroupSize = shim_fake.waves;
  }
  if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES) {
    VkPhysicalDeviceSubgroupSizeControlProperties *p = (VkPhysicalDeviceSubgroupSizeControlProperties *)s;
    if (shim_fake.waves || shim_fake.half_waves)
      p->requiredSubgroupSizeStages = shim_fake.no_sizes ? 0 : VK_SHADER_STAGE_COMPUTE_BIT;
    if (shim_fake.half_waves)
      p->maxSubgroupSize *= 2;
    if (shim_fake.least_waves)
      p->minSubgroupSize = shim_fake.least_waves;
    if (shim_fake.most_waves)
      p->maxSubgroupSize = shim_fake.most_waves;
    if (shim_fake.most_waves_of_group)
      p->maxComputeWorkgroupSubgroups = shim_fake.most_waves_of_group;
  }
}

static bool is_size(const uint32_t *words, size_t count, uint32_t variable)
{
  for (size_t i = HEADER; i < count && words[i] >> 16; i += words[i] >> 16)
    if (words[i] == (4u << 16 | OP_DECORATE) && words[i + 1] == variable && words[i + 2] == BUILTIN)
      return words[i + 3] == SUBGROUP_SIZE;
  return false;
}

/* The last module, but each load of the size of a wave gives twice the device's. NULL: it has none. */
static uint32_t *with_larger_waves(size_t *changed_bytes)
{
  const size_t count = bytes / sizeof *code;
  uint32_t type = 0, *out = code ? malloc(bytes + 4 * sizeof *code) : NULL;
  if (!out)
    return NULL;
  for (size_t i = HEADER; i < count && code[i] >> 16; i += code[i] >> 16)
    if (code[i] == (4u << 16 | OP_LOAD) && is_size(code, count, code[i + 3]))
      type = code[i + 1];
  const uint32_t twice = code[BOUND];
  size_t at = HEADER;
  memcpy(out, code, HEADER * sizeof *out);
  out[BOUND]++;
  bool declared = false;
  for (size_t i = HEADER; type && i < count && code[i] >> 16; i += code[i] >> 16) {
    if ((code[i] & 0xffff) == OP_FUNCTION && !declared) {
      memcpy(out + at, (const uint32_t[]){4u << 16 | OP_CONSTANT, type, twice, 2 * own_size}, 4 * sizeof *out);
      at += 4;
      declared = true;
    }
    memcpy(out + at, code + i, (code[i] >> 16) * sizeof *out);
    if (code[i] == (4u << 16 | OP_LOAD) && is_size(code, count, code[i + 3])) {
      out[at] = 4u << 16 | OP_COPY_OBJECT;
      out[at + 3] = twice;
    }
    at += code[i] >> 16;
  }
  *changed_bytes = at * sizeof *out;
  if (type)
    return out;
  free(out);
  return NULL;
}

VkShaderModule shim_stage_info(VkDevice device, VkPipelineShaderStageCreateInfo *stage)
{
  const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo *size = stage->pNext;
  full_asked = stage->flags & VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
  size_asked = size ? size->requiredSubgroupSize : 0;
  if (shim_fake.half_waves || shim_fake.waves) { /* the device has only its own */
    stage->pNext = NULL;
    stage->flags = 0;
  }
  VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  uint32_t *changed = shim_fake.half_waves && !full_asked ? with_larger_waves(&info.codeSize) : NULL;
  VkShaderModule module = VK_NULL_HANDLE;
  info.pCode = changed;
  if (changed && !NEXT(CreateShaderModule)(device, &info, NULL, &module))
    stage->module = module;
  free(changed);
  return module;
}

uint32_t shim_waves_asked(bool *full)
{
  *full = full_asked;
  return size_asked;
}
