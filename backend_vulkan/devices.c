/* Lists the devices and their properties. */
#include "vk.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the loader's order: it ignores the second one if both are set. */
const char *vk_driver_variable(void)
{
  return getenv("VK_DRIVER_FILES") ? "VK_DRIVER_FILES" : getenv("VK_ICD_FILENAMES") ? "VK_ICD_FILENAMES" : NULL;
}

xb_code vk_no_device(xb_error *err)
{
  const char *variable = vk_driver_variable();
  if (variable)
    return xb_fail(err, XB_UNAVAILABLE, "vulkan",
                   "no Vulkan device: %s is '%s', and the loader finds no usable driver there: check these files and "
                   "the libraries that they name, or unset the variable",
                   variable, getenv(variable));
  return xb_fail(err, XB_UNAVAILABLE, "vulkan",
                 "no Vulkan device: install a driver (Debian: mesa-vulkan-drivers has lavapipe, which needs no GPU)");
}

static uint32_t api_version_of(const vk_instance *instance, VkPhysicalDevice physical)
{
  VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  instance->vk.GetPhysicalDeviceProperties2(physical, &properties);
  return properties.properties.apiVersion;
}

bool vk_memory_of(const vk_instance *instance, VkPhysicalDevice physical, VkPhysicalDeviceMemoryProperties *memory)
{
  VkPhysicalDeviceMemoryProperties2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2};
  instance->vk.GetPhysicalDeviceMemoryProperties2(physical, &all);
  *memory = all.memoryProperties;
  memory->memoryTypeCount = vk_at_most(memory->memoryTypeCount, VK_MAX_MEMORY_TYPES);
  memory->memoryHeapCount = vk_at_most(memory->memoryHeapCount, VK_MAX_MEMORY_HEAPS);
  bool possible = memory->memoryTypeCount == all.memoryProperties.memoryTypeCount &&
                  memory->memoryHeapCount == all.memoryProperties.memoryHeapCount;
  for (uint32_t i = 0; i < memory->memoryTypeCount; i++)
    possible &= memory->memoryTypes[i].heapIndex < memory->memoryHeapCount;
  return possible;
}

/* RADV makes one with RADV_FORCE_FAMILY: it looks like a GPU, and has no memory. */
static bool is_null_device(const vk_instance *instance, VkPhysicalDevice physical)
{
  VkPhysicalDeviceMemoryProperties memory;
  vk_memory_of(instance, physical, &memory);
  for (uint32_t i = 0; i < memory.memoryHeapCount; i++)
    if (memory.memoryHeaps[i].size)
      return false;
  return true;
}

xb_code vk_list_devices(const vk_instance *instance, VkPhysicalDevice **list, uint32_t *count, xb_error *err)
{
  const char *const call = "vkEnumeratePhysicalDevices";
  *list = NULL;
  *count = 0;
  uint32_t found = 0;
  VkResult result = instance->vk.EnumeratePhysicalDevices(instance->handle, &found, NULL);
  if (result == VK_ERROR_INITIALIZATION_FAILED || (!result && !found))
    return vk_no_device(err);
  if (result)
    return vk_fail(err, call, result);
  const uint32_t room = found;
  VkPhysicalDevice *all = calloc(room, sizeof(VkPhysicalDevice));
  if (!all)
    return vk_no_host_memory(err, call);
  result = instance->vk.EnumeratePhysicalDevices(instance->handle, &found, all);
  if (result < 0) {
    free(all);
    return vk_fail(err, call, result);
  }
  found = vk_at_most(found, room);
  uint32_t kept = 0, compilers = 0;
  for (uint32_t i = 0; i < found; i++) {
    const bool compiler = is_null_device(instance, all[i]);
    compilers += compiler;
    if (api_version_of(instance, all[i]) >= VK_API_VERSION_1_1 && compiler == instance->compile_only)
      all[kept++] = all[i];
  }
  if (!kept) {
    free(all);
    return compilers && !instance->compile_only
               ? xb_fail(err, XB_UNAVAILABLE, "vulkan",
                         "no Vulkan device: RADV_FORCE_FAMILY is set, so the driver compiles for an absent GPU: unset "
                         "the variable, or use xbench isa")
               : vk_no_device(err);
  }
  *list = all;
  *count = kept;
  return XB_OK;
}

static xb_device_type device_type(VkPhysicalDeviceType type)
{
  switch (type) {
  case VK_PHYSICAL_DEVICE_TYPE_CPU: return XB_DEVICE_CPU;
  case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: return XB_DEVICE_INTEGRATED;
  case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: return XB_DEVICE_DISCRETE;
  default: return XB_DEVICE_OTHER;
  }
}

/* Property structs. Those that vk_traits does not announce stay zero. */
typedef struct properties {
  VkPhysicalDeviceProperties2 core;
  VkPhysicalDeviceIDProperties id;
  VkPhysicalDeviceMaintenance3Properties maintenance3;
  VkPhysicalDeviceSubgroupProperties subgroup;
  VkPhysicalDeviceSubgroupSizeControlProperties sizes;
  VkPhysicalDeviceMaintenance4Properties maintenance4;
  VkPhysicalDeviceDriverProperties driver;
  VkPhysicalDevicePCIBusInfoPropertiesEXT pci;
  VkPhysicalDeviceShaderSMBuiltinsPropertiesNV sm;
  VkPhysicalDeviceExternalMemoryHostPropertiesEXT host;
} properties;

static void read_properties(const vk_instance *instance, VkPhysicalDevice physical, const vk_traits *traits,
                            properties *p)
{
  memset(p, 0, sizeof *p);
  p->core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  void **next = &p->core.pNext;
#define CHAIN(member, type, present)                                                                                   \
  p->member.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##type;                                                          \
  if (present) {                                                                                                       \
    *next = &p->member;                                                                                                \
    next = &p->member.pNext;                                                                                           \
  }
  CHAIN(id, ID_PROPERTIES, true)
  CHAIN(maintenance3, MAINTENANCE_3_PROPERTIES, true)
  CHAIN(subgroup, SUBGROUP_PROPERTIES, true)
  CHAIN(sizes, SUBGROUP_SIZE_CONTROL_PROPERTIES, traits->subgroup_sizes)
  CHAIN(maintenance4, MAINTENANCE_4_PROPERTIES, traits->maintenance4)
  CHAIN(driver, DRIVER_PROPERTIES, traits->driver_properties)
  CHAIN(pci, PCI_BUS_INFO_PROPERTIES_EXT, traits->pci)
  CHAIN(sm, SHADER_SM_BUILTINS_PROPERTIES_NV, traits->sm_builtins)
  CHAIN(host, EXTERNAL_MEMORY_HOST_PROPERTIES_EXT, traits->external_memory_host)
#undef CHAIN
  instance->vk.GetPhysicalDeviceProperties2(physical, &p->core);
}

static void describe_identity(const properties *p, const vk_traits *traits, xb_device_info *info)
{
  const VkPhysicalDeviceProperties *core = &p->core.properties;
  info->type = device_type(core->deviceType);
  snprintf(info->name, sizeof info->name, "%s", core->deviceName);
  if (traits->driver_properties)
    snprintf(info->driver, sizeof info->driver, "%.120s %.120s", p->driver.driverName, p->driver.driverInfo);
  else
    snprintf(info->driver, sizeof info->driver, "0x%" PRIx32, core->driverVersion);
  snprintf(info->api_version, sizeof info->api_version, "%" PRIu32 ".%" PRIu32 ".%" PRIu32,
           VK_API_VERSION_MAJOR(core->apiVersion), VK_API_VERSION_MINOR(core->apiVersion),
           VK_API_VERSION_PATCH(core->apiVersion));
  info->has_uuid = true;
  memcpy(info->uuid, p->id.deviceUUID, sizeof info->uuid);
  info->has_luid = p->id.deviceLUIDValid;
  memcpy(info->luid, p->id.deviceLUID, sizeof info->luid);
  if (traits->pci)
    snprintf(info->pci, sizeof info->pci, "%04" PRIx32 ":%02" PRIx32 ":%02" PRIx32 ".%" PRIx32, p->pci.pciDomain,
             p->pci.pciBus, p->pci.pciDevice, p->pci.pciFunction);
}

static void describe_limits(const properties *p, xb_device_info *info)
{
  const VkPhysicalDeviceLimits *limits = &p->core.properties.limits;
  /* Round down to whole pages: with a range of 2^32 - 4 bytes, an H200 silently loses the last 16 bytes. */
  info->max_binding_bytes = limits->maxStorageBufferRange & ~4095u;
  info->max_uniform_bytes = limits->maxUniformBufferRange;
  info->uniform_align = limits->minUniformBufferOffsetAlignment;
  info->binding_align = limits->minStorageBufferOffsetAlignment > 4 ? limits->minStorageBufferOffsetAlignment : 4;
  for (int i = 0; i < 3; i++) {
    info->max_groups[i] = limits->maxComputeWorkGroupCount[i];
    info->max_group_size[i] = limits->maxComputeWorkGroupSize[i];
  }
  info->max_group_threads = limits->maxComputeWorkGroupInvocations;
  info->shared_bytes = info->shared_optin_bytes = limits->maxComputeSharedMemorySize;
  info->max_arg_bytes = limits->maxPushConstantsSize;
  info->timestamp_period_ns = limits->timestampPeriod;
  info->max_texels = limits->maxTexelBufferElements;
  info->storage_texels = true;
  info->texel_align = limits->minTexelBufferOffsetAlignment;
  info->max_image_size[0] = info->max_image_size[1] = limits->maxImageDimension2D;
  info->max_line = limits->maxImageDimension1D;
  info->max_volume = limits->maxImageDimension3D;
  info->filter_bits = limits->subTexelPrecisionBits;
}

static void describe_subgroups(const properties *p, vk_traits *traits, xb_device_info *info)
{
  info->subgroup_size = info->subgroup_min = info->subgroup_max = p->subgroup.subgroupSize;
  if (!traits->subgroup_sizes || !(p->sizes.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT))
    return;
  info->subgroup_min = p->sizes.minSubgroupSize;
  info->subgroup_max = p->sizes.maxSubgroupSize;
  traits->max_subgroups = p->sizes.maxComputeWorkgroupSubgroups;
}

/* maxMemoryAllocationSize is not a limit here: NVIDIA's driver and lavapipe allocate more than it says. */
static void describe_memory(const vk_instance *instance, VkPhysicalDevice physical, const properties *p,
                            xb_device_info *info)
{
  VkPhysicalDeviceMemoryProperties memory;
  vk_memory_of(instance, physical, &memory);
  uint64_t largest = 0;
  for (uint32_t i = 0; i < memory.memoryHeapCount; i++) {
    const VkMemoryHeap heap = memory.memoryHeaps[i];
    if ((heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) && heap.size > info->memory_bytes)
      info->memory_bytes = heap.size;
    if (heap.size > largest)
      largest = heap.size;
  }
  info->max_buffer_bytes = p->maintenance4.maxBufferSize < largest ? p->maintenance4.maxBufferSize : largest;
  info->max_allocation_bytes = p->maintenance3.maxMemoryAllocationSize;
}

void vk_describe_device(const vk_instance *instance, VkPhysicalDevice physical, uint32_t index, vk_traits *traits,
                        xb_device_info *info)
{
  vk_traits_read(instance, physical, traits);
  properties p;
  read_properties(instance, physical, traits, &p);
  *info = (xb_device_info){.backend = "vulkan",
                           .code = "spv",
                           .index = index,
                           .has_robust_access = true, /* not enabled: see traits.c */
                           .launch_modes = 1u << XB_LAUNCH_COMMAND_BUFFER};
  describe_identity(&p, traits, info);
  describe_limits(&p, info);
  describe_subgroups(&p, traits, info);
  describe_memory(instance, physical, &p, info);
  info->multiprocessors = p.sm.shaderSMCount;
  info->threads_per_multiprocessor = p.sm.shaderWarpsPerSM * 32;
  info->features = traits->features;
  info->addresses = vk_traits_enable(traits, SpvCapabilityPhysicalStorageBufferAddresses);
  info->calibrates = traits->calibrated;
  info->exports = info->imports = traits->external_memory_fd;
  info->exports_semaphores = info->imports_semaphores = traits->external_semaphore_fd;
  info->binary_forms = 1u << XB_BINARY_CACHE | (traits->pipeline_binary ? 1u << XB_BINARY_PIPELINE : 0);
  info->import_align = p.host.minImportedHostPointerAlignment;
  traits->max_storage_buffers = p.core.properties.limits.maxPerStageDescriptorStorageBuffers;
  traits->max_uniform_buffers = p.core.properties.limits.maxPerStageDescriptorUniformBuffers;
  traits->max_images = p.core.properties.limits.maxPerStageDescriptorSampledImages;
  traits->max_storage_images = p.core.properties.limits.maxPerStageDescriptorStorageImages;
  traits->max_samplers = p.core.properties.limits.maxPerStageDescriptorSamplers;
  info->linear_formats = vk_linear_formats(instance, physical);
  traits->shared_bytes = info->shared_bytes;
  traits->max_allocation_bytes = info->max_allocation_bytes;
  traits->subgroup_operations = p.subgroup.supportedOperations;
  vk_choose_queues(instance, physical, traits, info);
}

xb_code vk_enumerate(xb_device_info *infos, uint32_t capacity, uint32_t *count, xb_error *err)
{
  vk_instance instance;
  VkPhysicalDevice *list = NULL;
  xb_code code = vk_instance_create(false, &instance, err);
  if (!code)
    code = vk_list_devices(&instance, &list, count, err);
  for (uint32_t i = 0; !code && i < *count && i < capacity; i++) {
    vk_traits traits;
    vk_describe_device(&instance, list[i], i, &traits, &infos[i]);
  }
  free(list);
  vk_instance_destroy(&instance);
  return code;
}
