/* Lists the devices and their properties. vkd3d has no list, so Vulkan is asked; limits are those of both. */
#include "dx.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_GROUPS = 65535,   /* D3D12_CS_DISPATCH_MAX_THREAD_GROUPS_PER_DIMENSION */
  MOST_THREADS = 1024,   /* D3D12_CS_THREAD_GROUP_MAX_THREADS_PER_GROUP */
  MOST_THREADS_Z = 64,   /* D3D12_CS_THREAD_GROUP_MAX_Z */
  SHARED_BYTES = 32768,  /* of cs_6_0 */
  UNIFORM_BYTES = 65536, /* D3D12_REQ_CONSTANT_BUFFER_ELEMENT_COUNT, of 16 bytes */
  UNIFORM_ALIGN = 256,   /* D3D12_CONSTANT_BUFFER_DATA_PLACEMENT_ALIGNMENT */
};

/* Only called by worker threads of waits for an event, which this backend does not use. */
static HRESULT signal_event(HANDLE event)
{
  (void)event;
  return S_OK;
}

static PFN_vkVoidFunction vulkan(const dx_instance *instance, const char *name)
{
  const dx_runtime *r = instance->runtime;
  return r->GetInstanceProcAddr(r->instance_get_vk_instance(instance->handle), name);
}
#define VULKAN(instance, name) ((PFN_vk##name)vulkan(instance, "vk" #name))

xb_code dx_instance_create(dx_instance *instance, xb_error *err)
{
  *instance = (dx_instance){.runtime = dx_runtime_get(err)};
  if (!instance->runtime)
    return XB_UNAVAILABLE;
  const struct vkd3d_application_info application = {
      .type = VKD3D_STRUCTURE_TYPE_APPLICATION_INFO,
      .application_name = "xbench",
      .api_version = VKD3D_API_VERSION_1_2,
  };
  const struct vkd3d_instance_create_info info = {
      .type = VKD3D_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
      .next = &application,
      .pfn_signal_event = signal_event,
      .wchar_size = sizeof(WCHAR),
      .pfn_vkGetInstanceProcAddr = instance->runtime->GetInstanceProcAddr,
  };
  const HRESULT result = instance->runtime->create_instance(&info, &instance->handle);
  if (FAILED(result)) {
    char message[256];
    instance->handle = NULL;
    dx_take_message(message, sizeof message); /* of no help */
    return xb_fail_native(
        err, XB_UNAVAILABLE, "vkd3d_create_instance", (int)result, dx_result_name(result),
        "no Vulkan driver: install one (Debian: mesa-vulkan-drivers has lavapipe, which needs no GPU)");
  }
  uint32_t found = 0;
  VkInstance vk = instance->runtime->instance_get_vk_instance(instance->handle);
  VULKAN(instance, EnumeratePhysicalDevices)(vk, &found, NULL);
  instance->devices = calloc(found + 1u, sizeof(VkPhysicalDevice));
  if (!instance->devices)
    return dx_no_host_memory(err, "vkEnumeratePhysicalDevices");
  if (found && VULKAN(instance, EnumeratePhysicalDevices)(vk, &found, instance->devices) < 0)
    found = 0;
  instance->count = found;
  return found ? XB_OK
               : xb_fail(err, XB_UNAVAILABLE, "d3d12",
                         "no Vulkan device, over which vkd3d works: `xbench list devices --backend vulkan` says why");
}

void dx_instance_destroy(dx_instance *instance)
{
  free(instance->devices);
  if (instance->handle)
    instance->runtime->instance_decref(instance->handle);
  *instance = (dx_instance){0};
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

static uint64_t device_memory(const dx_instance *instance, VkPhysicalDevice physical)
{
  VkPhysicalDeviceMemoryProperties memory;
  VULKAN(instance, GetPhysicalDeviceMemoryProperties)(physical, &memory);
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < memory.memoryHeapCount; i++)
    if ((memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) && memory.memoryHeaps[i].size > bytes)
      bytes = memory.memoryHeaps[i].size;
  return bytes;
}

static void describe_limits(const VkPhysicalDeviceLimits *limits, xb_device_info *info)
{
  /* vkd3d binds a buffer as texels of 4 bytes, from the binding's first byte to the buffer's end: so a buffer is not
   * larger than a binding. */
  info->max_binding_bytes = limits->maxTexelBufferElements * UINT64_C(4);
  info->max_buffer_bytes = info->max_binding_bytes;
  info->binding_align = limits->minTexelBufferOffsetAlignment > 16 ? limits->minTexelBufferOffsetAlignment : 16;
  info->max_uniform_bytes = UNIFORM_BYTES;
  info->uniform_align = UNIFORM_ALIGN;
  for (int i = 0; i < 3; i++)
    info->max_groups[i] = MOST_GROUPS;
  info->max_group_threads =
      limits->maxComputeWorkGroupInvocations < MOST_THREADS ? limits->maxComputeWorkGroupInvocations : MOST_THREADS;
  info->max_group_size[0] = info->max_group_size[1] = info->max_group_threads;
  info->max_group_size[2] = MOST_THREADS_Z;
  info->shared_bytes = info->shared_optin_bytes = SHARED_BYTES;
  info->max_arg_bytes = XB_MAX_ARG_BYTES;
  info->timestamp_period_ns = limits->timestampPeriod;
}

void dx_describe_device(const dx_instance *instance, uint32_t index, xb_device_info *info)
{
  const VkPhysicalDevice physical = instance->devices[index];
  VkPhysicalDeviceDriverProperties driver = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
  VkPhysicalDeviceSubgroupProperties subgroup = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES,
                                                 .pNext = &driver};
  VkPhysicalDeviceIDProperties id = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES, .pNext = &subgroup};
  VkPhysicalDeviceProperties2 core = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &id};
  VkPhysicalDeviceFeatures features;
  VULKAN(instance, GetPhysicalDeviceProperties2)(physical, &core);
  VULKAN(instance, GetPhysicalDeviceFeatures)(physical, &features);
  *info = (xb_device_info){
      .backend = "d3d12",
      .code = "dxil",
      .index = index,
      .type = device_type(core.properties.deviceType),
      .has_uuid = true,
      .features = XB_FEATURE_INDIRECT | (features.shaderFloat64 ? XB_FEATURE_FLOAT64 : 0u) |
                  (features.shaderInt64 ? XB_FEATURE_INT64 : 0u),
      .subgroup_size = subgroup.subgroupSize,
      .subgroup_min = subgroup.subgroupSize,
      .subgroup_max = subgroup.subgroupSize,
      .memory_bytes = device_memory(instance, physical),
      .queues = {[XB_QUEUE_COMPUTE] = {.present = true, .timestamp_bits = 64, .count = 1},
                 [XB_QUEUE_COPY] = {.present = true, .count = 1}},
      .launch_modes = 1u << XB_LAUNCH_COMMAND_BUFFER,
  };
  const uint32_t version = core.properties.apiVersion;
  snprintf(info->name, sizeof info->name, "%s", core.properties.deviceName);
  snprintf(info->driver, sizeof info->driver, "%.100s %.100s", driver.driverName, driver.driverInfo);
  snprintf(info->api_version, sizeof info->api_version, "through %.40s %u.%u.%u", instance->runtime->name,
           VK_API_VERSION_MAJOR(version), VK_API_VERSION_MINOR(version), VK_API_VERSION_PATCH(version));
  memcpy(info->uuid, id.deviceUUID, sizeof info->uuid);
  describe_limits(&core.properties.limits, info);
}

xb_code dx_enumerate(xb_device_info *infos, uint32_t capacity, uint32_t *count, xb_error *err)
{
  dx_instance instance;
  const xb_code code = dx_instance_create(&instance, err);
  for (uint32_t i = 0; !code && i < instance.count && i < capacity; i++)
    dx_describe_device(&instance, i, &infos[i]);
  if (!code)
    *count = instance.count;
  dx_instance_destroy(&instance);
  return code;
}
