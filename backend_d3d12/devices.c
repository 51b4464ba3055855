/* Lists the devices and their properties. vkd3d has no list, so Vulkan is asked; limits are those of both. vkd3d-proton
 * chooses the device by itself (VKD3D_VULKAN_DEVICE, VKD3D_FILTER_DEVICE_NAME), and tells which one it is. */
#include "dx.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Only called by worker threads of waits for an event, which this backend does not use. */
static HRESULT signal_event(HANDLE event)
{
  (void)event;
  return S_OK;
}

static PFN_vkVoidFunction vulkan(const dx_instance *instance, const char *name)
{
  return instance->runtime->GetInstanceProcAddr(instance->vulkan, name);
}
#define VULKAN(instance, name) ((PFN_vk##name)vulkan(instance, "vk" #name))

static const char NO_DRIVER[] =
    "no Vulkan driver: install one (Debian: mesa-vulkan-drivers has lavapipe, which needs no GPU)";

/* The beginning of vkd3d-proton's interface ID3D12DeviceExt. */
typedef struct proton_device {
  struct {
    HRESULT(STDMETHODCALLTYPE *QueryInterface)(struct proton_device *, REFIID, void **);
    ULONG(STDMETHODCALLTYPE *AddRef)(struct proton_device *);
    ULONG(STDMETHODCALLTYPE *Release)(struct proton_device *);
    HRESULT(STDMETHODCALLTYPE *GetVulkanHandles)
    (struct proton_device *, VkInstance *, VkPhysicalDevice *, VkDevice *);
  } * lpVtbl;
} proton_device;

static xb_code create_proton(dx_instance *instance, xb_error *err)
{
  static const IID DEVICE_EXT = {0x11ea7a1a, 0x0f6a, 0x49bf, {0xb6, 0x12, 0x3e, 0x30, 0xf8, 0xe2, 0x01, 0xdd}};
  void *made = NULL;
  HRESULT result = instance->runtime->D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device, &made);
  if (FAILED(result))
    return xb_fail_native(err, XB_UNAVAILABLE, "D3D12CreateDevice", (int)result, dx_result_name(result), NO_DRIVER);
  instance->only = made;
  instance->devices = calloc(1, sizeof(VkPhysicalDevice));
  if (!instance->devices)
    return dx_no_host_memory(err, "D3D12CreateDevice");
  made = NULL;
  result = ID3D12Device_QueryInterface(instance->only, &DEVICE_EXT, &made);
  proton_device *const proton = FAILED(result) ? NULL : made;
  VkDevice device;
  if (proton) {
    result = proton->lpVtbl->GetVulkanHandles(proton, &instance->vulkan, instance->devices, &device);
    proton->lpVtbl->Release(proton);
  }
  instance->count = FAILED(result) ? 0 : 1;
  return FAILED(result) ? dx_fail(err, "ID3D12DeviceExt::GetVulkanHandles", result) : XB_OK;
}

xb_code dx_instance_create(bool validation, dx_instance *instance, xb_error *err)
{
  (void)validation;
  *instance = (dx_instance){.runtime = dx_runtime_get(err)};
  if (!instance->runtime)
    return XB_UNAVAILABLE;
  if (instance->runtime->D3D12CreateDevice)
    return create_proton(instance, err);
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
    return xb_fail_native(err, XB_UNAVAILABLE, "vkd3d_create_instance", (int)result, dx_result_name(result), NO_DRIVER);
  }
  uint32_t found = 0;
  VkInstance vk = instance->vulkan = instance->runtime->instance_get_vk_instance(instance->handle);
  VULKAN(instance, EnumeratePhysicalDevices)(vk, &found, NULL);
  instance->devices = calloc(found + 1u, sizeof(VkPhysicalDevice));
  if (!instance->devices)
    return dx_no_host_memory(err, "vkEnumeratePhysicalDevices");
  if (found && VULKAN(instance, EnumeratePhysicalDevices)(vk, &found, instance->devices) < 0)
    found = 0;
  instance->count = found;
  return found ? XB_OK
               : xb_fail(err, XB_UNAVAILABLE, "d3d12",
                         "no Vulkan device, which vkd3d needs: `xbench list devices --backend vulkan` says why");
}

void dx_instance_destroy(dx_instance *instance)
{
  free(instance->devices);
  DX_RELEASE(instance->only);
  if (instance->handle)
    instance->runtime->instance_decref(instance->handle);
  *instance = (dx_instance){0};
}

xb_code dx_instance_open(const dx_instance *instance, uint32_t index, ID3D12Device **device, xb_error *err)
{
  if (instance->only) {
    *device = instance->only;
    ID3D12Device_AddRef(*device);
    return XB_OK;
  }
  const struct vkd3d_device_create_info info = {
      .type = VKD3D_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
      .minimum_feature_level = D3D_FEATURE_LEVEL_11_0,
      .instance = instance->handle,
      .vk_physical_device = instance->devices[index],
  };
  void *made = NULL;
  const HRESULT result = instance->runtime->create_device(&info, &IID_ID3D12Device, &made);
  *device = FAILED(result) ? NULL : made;
  return FAILED(result) ? dx_fail(err, "vkd3d_create_device", result) : XB_OK;
}

void dx_removal_details(ID3D12Device *device, char *text, size_t bytes)
{
  (void)device, (void)bytes;
  *text = '\0';
}

/* They have no debug layer. That of Vulkan sees what they make of the calls (VK_INSTANCE_LAYERS). */
xb_code dx_validated(ID3D12Device *device, xb_error *err)
{
  (void)device, (void)err;
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
  info->max_group_threads = limits->maxComputeWorkGroupInvocations < DX_MOST_THREADS
                                ? limits->maxComputeWorkGroupInvocations
                                : DX_MOST_THREADS;
  dx_describe_limits(info);
  if (limits->maxTexelBufferElements < info->max_texels)
    info->max_texels = limits->maxTexelBufferElements;
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
