/* The simulated physical device, its queues and its clock. */
#include "internal.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static const char SEMAPHORES[] = VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME;
static bool asked_for_all; /* the last instance */
static bool copy_family;   /* the last family is simulated */
static uint32_t family_count;
static VkAccessFlags last_barrier;
static uint32_t taken, given;
static char enabled[XB_SHIM_EXTENSIONS][64]; /* copies: the caller may free its texts */
static uint32_t enabled_count;

void shim_instance_info(const VkInstanceCreateInfo *info)
{
  asked_for_all = info->flags & VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR;
}

VkResult shim_EnumeratePhysicalDevices(VkInstance instance, uint32_t *count, VkPhysicalDevice *list)
{
  const VkResult failed = shim_enter(FN_EnumeratePhysicalDevices);
  const VkResult result = failed ? failed : NEXT(EnumeratePhysicalDevices)(instance, count, list);
  if (!result && (shim_fake.no_devices || (shim_fake.portability && !asked_for_all)))
    *count = 0;
  if (!result && shim_fake.twice && *count) {
    if (list)
      list[1] = list[0]; /* the caller has room for two: it was told so */
    *count = 2;
  }
  *count = shim_length(*count, list);
  return result;
}

VkResult shim_EnumerateDeviceExtensionProperties(VkPhysicalDevice physical, const char *layer, uint32_t *count,
                                                 VkExtensionProperties *list)
{
  const VkResult failed = shim_enter(FN_EnumerateDeviceExtensionProperties);
  const uint32_t room = *count;
  const VkResult result = failed ? failed : NEXT(EnumerateDeviceExtensionProperties)(physical, layer, count, list);
  const char *missing = shim_fake.no_extension;
  const char *more = shim_fake.semaphores ? SEMAPHORES : shim_fake.more_extension;
  if (!result && more) {
    if (list && *count < room)
      snprintf(list[*count].extensionName, sizeof list[0].extensionName, "%s", more);
    ++*count;
  }
  *count = shim_length(*count, list);
  if (result || !missing || !list)
    return result;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < *count; i++)
    if (*missing && strcmp(list[i].extensionName, missing) != 0)
      list[kept++] = list[i];
  *count = kept;
  return result;
}

void shim_GetPhysicalDeviceProperties2(VkPhysicalDevice physical, VkPhysicalDeviceProperties2 *out)
{
  shim_enter(FN_GetPhysicalDeviceProperties2);
  NEXT(GetPhysicalDeviceProperties2)(physical, out);
  if (shim_fake.device_version && out->properties.apiVersion > shim_fake.device_version)
    out->properties.apiVersion = shim_fake.device_version;
  if (shim_fake.timestamp_period > 0)
    out->properties.limits.timestampPeriod = shim_fake.timestamp_period;
  VkPhysicalDeviceLimits *limits = &out->properties.limits;
  if (shim_fake.lie == XB_SHIM_NO_GROUPS)
    memset(limits->maxComputeWorkGroupCount, 0, sizeof limits->maxComputeWorkGroupCount);
  if (shim_fake.lie == XB_SHIM_NO_ALIGNMENT) {
    limits->minTexelBufferOffsetAlignment = limits->minUniformBufferOffsetAlignment = 0;
    limits->minStorageBufferOffsetAlignment = 48;
  }
  if (shim_fake.lie == XB_SHIM_NO_RANGE)
    limits->maxStorageBufferRange = 0;
  for (VkBaseOutStructure *s = out->pNext; s; s = s->pNext) {
    shim_wave_properties(s);
    if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES && shim_fake.lie == XB_SHIM_NO_SUBGROUPS)
      ((VkPhysicalDeviceSubgroupProperties *)s)->subgroupSize = 0;
    if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES && shim_fake.subgroup_operations)
      ((VkPhysicalDeviceSubgroupProperties *)s)->supportedOperations = shim_fake.subgroup_operations;
    if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES && shim_fake.max_allocation_bytes)
      ((VkPhysicalDeviceMaintenance3Properties *)s)->maxMemoryAllocationSize = shim_fake.max_allocation_bytes;
  }
}

void shim_GetPhysicalDeviceFeatures2(VkPhysicalDevice physical, VkPhysicalDeviceFeatures2 *out)
{
  shim_enter(FN_GetPhysicalDeviceFeatures2);
  NEXT(GetPhysicalDeviceFeatures2)(physical, out);
  for (VkBaseOutStructure *s = out->pNext; s && shim_fake.more_extension; s = s->pNext) {
    if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SUBGROUP_ROTATE_FEATURES_KHR)
      ((VkPhysicalDeviceShaderSubgroupRotateFeaturesKHR *)s)->shaderSubgroupRotate = VK_TRUE;
    if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COMPUTE_SHADER_DERIVATIVES_FEATURES_NV)
      ((VkPhysicalDeviceComputeShaderDerivativesFeaturesNV *)s)->computeDerivativeGroupLinear = VK_TRUE;
  }
  if (!shim_fake.no_features)
    return;
  out->features.shaderImageGatherExtended = out->features.shaderResourceMinLod = VK_FALSE;
  out->features.shaderFloat64 = out->features.shaderInt64 = out->features.shaderInt16 = VK_FALSE;
  for (VkBaseOutStructure *s = out->pNext; s; s = s->pNext) {
    VkPhysicalDevice16BitStorageFeatures *narrow = (VkPhysicalDevice16BitStorageFeatures *)s;
    if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES)
      narrow->storageBuffer16BitAccess = narrow->uniformAndStorageBuffer16BitAccess = narrow->storagePushConstant16 =
          VK_FALSE;
    if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES)
      ((VkPhysicalDevice8BitStorageFeatures *)s)->storageBuffer8BitAccess = VK_FALSE;
    if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES)
      ((VkPhysicalDeviceShaderFloat16Int8Features *)s)->shaderFloat16 =
          ((VkPhysicalDeviceShaderFloat16Int8Features *)s)->shaderInt8 = VK_FALSE;
    if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES)
      ((VkPhysicalDeviceShaderAtomicInt64Features *)s)->shaderBufferInt64Atomics = VK_FALSE;
    if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT)
      ((VkPhysicalDeviceShaderAtomicFloatFeaturesEXT *)s)->shaderBufferFloat32AtomicAdd =
          ((VkPhysicalDeviceShaderAtomicFloatFeaturesEXT *)s)->shaderBufferFloat64AtomicAdd = VK_FALSE;
  }
}

void shim_GetPhysicalDeviceQueueFamilyProperties2(VkPhysicalDevice physical, uint32_t *count,
                                                  VkQueueFamilyProperties2 *list)
{
  shim_enter(FN_GetPhysicalDeviceQueueFamilyProperties2);
  enum { MOST = 16 };
  VkQueueFamilyProperties2 own[MOST + 1];
  uint32_t all = 0;
  const uint32_t room = *count;
  NEXT(GetPhysicalDeviceQueueFamilyProperties2)(physical, &all, NULL);
  all = all < MOST ? all : MOST;
  for (uint32_t i = 0; i < all; i++)
    own[i] = (VkQueueFamilyProperties2){.sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_PROPERTIES_2};
  NEXT(GetPhysicalDeviceQueueFamilyProperties2)(physical, &all, own);
  bool copies = false;
  for (uint32_t i = 0; i < all; i++)
    copies |= !(own[i].queueFamilyProperties.queueFlags & (VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT));
  copy_family = shim_fake.copy_queue && !copies;
  if (copy_family) {
    own[all] = own[0];
    own[all++].queueFamilyProperties.queueFlags = VK_QUEUE_TRANSFER_BIT;
  }
  family_count = all;
  *count = !list || all < room ? all : room;
  if (shim_fake.lie == XB_SHIM_NO_FAMILIES)
    *count = 0;
  if (!list)
    return;
  for (uint32_t i = 0; i < *count; i++) {
    VkQueueFamilyProperties *p = &list[i].queueFamilyProperties;
    *p = own[i].queueFamilyProperties;
    if (shim_fake.queue_count)
      p->queueCount = shim_fake.queue_count;
    if (shim_fake.no_compute)
      p->queueFlags &= ~(VkQueueFlags)VK_QUEUE_COMPUTE_BIT;
    if (shim_fake.set_timestamp_bits)
      p->timestampValidBits = shim_fake.timestamp_bits;
    if (copy_family && i == all - 1 && shim_fake.copy_timestamp_bits)
      p->timestampValidBits = shim_fake.copy_timestamp_bits;
  }
  for (uint32_t i = *count; shim_fake.fills_families && i < room; i++)
    list[i].queueFamilyProperties = list[0].queueFamilyProperties;
  if (shim_fake.fills_families)
    *count = room;
  *count = shim_length(*count, list);
}

uint32_t shim_family(uint32_t family)
{
  return copy_family && family == family_count - 1 ? 0 : family;
}

void shim_device_info(VkDeviceCreateInfo *info, VkDeviceQueueCreateInfo *queues, const char **names)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < info->queueCreateInfoCount; i++) {
    if (shim_family(info->pQueueCreateInfos[i].queueFamilyIndex) != info->pQueueCreateInfos[i].queueFamilyIndex)
      continue;
    queues[kept] = info->pQueueCreateInfos[i];
    if (shim_fake.queue_count)
      queues[kept].queueCount = 1;
    kept++;
  }
  info->queueCreateInfoCount = kept;
  info->pQueueCreateInfos = queues;

  const char *missing = shim_fake.no_extension, *more = shim_fake.semaphores ? SEMAPHORES : shim_fake.more_extension;
  enabled_count = kept = 0;
  for (uint32_t i = 0; i < info->enabledExtensionCount && i < XB_SHIM_EXTENSIONS; i++) {
    const char *name = info->ppEnabledExtensionNames[i];
    if (!more || strcmp(name, more) != 0)
      names[kept++] = name;
    snprintf(enabled[enabled_count++], sizeof enabled[0], "%s", name);
    if (missing && (!*missing || strcmp(missing, name) == 0))
      shim_wrong("vkCreateDevice with %s, which the device lacks", name);
  }
  info->enabledExtensionCount = kept;
  info->ppEnabledExtensionNames = names;
  for (VkBaseOutStructure *s = (VkBaseOutStructure *)(uintptr_t)info->pNext; s && more; s = s->pNext)
    if (s->sType ==
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COMPUTE_SHADER_DERIVATIVES_FEATURES_NV) /* the real one lacks it */
      ((VkPhysicalDeviceComputeShaderDerivativesFeaturesNV *)s)->computeDerivativeGroupLinear = VK_FALSE;
}

bool shim_enabled(const char *extension)
{
  for (uint32_t i = 0; i < enabled_count; i++)
    if (!strcmp(enabled[i], extension))
      return true;
  return false;
}

void shim_buffer_info(VkBufferCreateInfo *info)
{
  if (copy_family)
    info->sharingMode = VK_SHARING_MODE_EXCLUSIVE;
}

void shim_image_info(VkImageCreateInfo *info)
{
  if (copy_family)
    info->sharingMode = VK_SHARING_MODE_EXCLUSIVE;
}

void shim_GetDeviceQueue(VkDevice device, uint32_t family, uint32_t index, VkQueue *out)
{
  shim_enter(FN_GetDeviceQueue);
  NEXT(GetDeviceQueue)(device, shim_family(family), shim_fake.queue_count ? 0 : index, out);
  if (shim_fake.lie == XB_SHIM_NO_QUEUES)
    *out = VK_NULL_HANDLE;
}

static uint64_t shown_ticks(uint64_t ticks)
{
  switch (shim_fake.lie) {
  case XB_SHIM_STOPPED_CLOCK: return 12345;
  case XB_SHIM_FAST_CLOCK: return ticks * 1000;
  case XB_SHIM_BACKWARD_CLOCK: return UINT64_MAX - ticks;
  default: return ticks;
  }
}

VkResult shim_GetQueryPoolResults(VkDevice device, VkQueryPool pool, uint32_t first, uint32_t count, size_t bytes,
                                  void *data, VkDeviceSize stride, VkQueryResultFlags flags)
{
  VkResult result = shim_enter(FN_GetQueryPoolResults);
  if (!result)
    result = NEXT(GetQueryPoolResults)(device, pool, first, count, bytes, data, stride, flags);
  for (uint32_t i = 0; !result && i < count; i++) {
    uint64_t ticks;
    memcpy(&ticks, (const char *)data + i * stride, sizeof ticks);
    ticks = first + i < shim_fake.tick_count ? shim_fake.ticks[first + i] : shown_ticks(ticks);
    memcpy((char *)data + i * stride, &ticks, sizeof ticks);
  }
  return result;
}

VkResult shim_GetPhysicalDeviceCalibrateableTimeDomainsEXT(VkPhysicalDevice physical, uint32_t *count,
                                                           VkTimeDomainEXT *out)
{
  const VkResult failed = shim_enter(FN_GetPhysicalDeviceCalibrateableTimeDomainsEXT);
  const VkResult result = failed ? failed : NEXT(GetPhysicalDeviceCalibrateableTimeDomainsEXT)(physical, count, out);
  for (uint32_t i = 0; !result && out && shim_fake.raw_clock && i < *count; i++)
    if (out[i] == VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT)
      out[i] = VK_TIME_DOMAIN_CLOCK_MONOTONIC_RAW_EXT;
  return result;
}

static uint64_t clock_now(clockid_t id)
{
  struct timespec t;
  clock_gettime(id, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

VkResult shim_GetCalibratedTimestampsEXT(VkDevice device, uint32_t count, const VkCalibratedTimestampInfoEXT *infos,
                                         uint64_t *out, uint64_t *deviation)
{
  const VkResult failed = shim_enter(FN_GetCalibratedTimestampsEXT);
  VkCalibratedTimestampInfoEXT asked[2] = {infos[0], infos[1]}; /* the backend asks for two clocks */
  if (shim_fake.raw_clock)
    asked[1].timeDomain = VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT;
  const VkResult result = failed ? failed : NEXT(GetCalibratedTimestampsEXT)(device, count, asked, out, deviation);
  if (!result && infos[1].timeDomain == VK_TIME_DOMAIN_CLOCK_MONOTONIC_RAW_EXT)
    out[1] -= clock_now(CLOCK_MONOTONIC) - clock_now(CLOCK_MONOTONIC_RAW);
  return result;
}

uint32_t shim_owners(bool external)
{
  return external ? given : taken;
}

uint32_t shim_last_barrier(void)
{
  return last_barrier;
}

void shim_CmdPipelineBarrier(VkCommandBuffer commands, VkPipelineStageFlags from, VkPipelineStageFlags to,
                             VkDependencyFlags flags, uint32_t memory_count, const VkMemoryBarrier *memory,
                             uint32_t buffer_count, const VkBufferMemoryBarrier *buffers, uint32_t image_count,
                             const VkImageMemoryBarrier *images)
{
  shim_enter(FN_CmdPipelineBarrier);
  last_barrier = memory_count ? memory[0].dstAccessMask : 0;
  for (uint32_t i = 0; i < buffer_count; i++) {
    taken += buffers[i].srcQueueFamilyIndex == VK_QUEUE_FAMILY_EXTERNAL;
    given += buffers[i].dstQueueFamilyIndex == VK_QUEUE_FAMILY_EXTERNAL;
  }
  if (!shim_fake.no_barriers)
    NEXT(CmdPipelineBarrier)
  (commands, from, to, flags, memory_count, memory, buffer_count, buffers, image_count, images);
}
