/* Features of a device beyond Vulkan 1.1: read once, and enabled if used. */
#include "vk.h"

#include <stdlib.h>
#include <string.h>

typedef struct extensions {
  VkExtensionProperties *list;
  uint32_t count;
} extensions;

static extensions read_extensions(const vk_instance *instance, VkPhysicalDevice physical)
{
  extensions e = {0};
  const PFN_vkEnumerateDeviceExtensionProperties enumerate = instance->vk.EnumerateDeviceExtensionProperties;
  if (enumerate(physical, NULL, &e.count, NULL) || !(e.list = calloc(e.count + 1u, sizeof *e.list)) ||
      enumerate(physical, NULL, &e.count, e.list) < 0)
    e.count = 0; /* the device is then used as plain Vulkan 1.1 */
  return e;
}

static bool has(const extensions *e, const char *name)
{
  for (uint32_t i = 0; i < e->count; i++)
    if (!strcmp(e->list[i].extensionName, name))
      return true;
  return false;
}

/* Feature structs. Only those that the device knows are chained. */
typedef struct features {
  VkPhysicalDeviceFeatures2 core;
  VkPhysicalDeviceSubgroupSizeControlFeatures sizes;
  VkPhysicalDeviceTimelineSemaphoreFeatures timeline;
  VkPhysicalDeviceHostQueryResetFeatures reset;
  VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR executable;
} features;

static void chain(features *f, bool sizes, bool timeline, bool reset, bool executable)
{
  memset(f, 0, sizeof *f);
  f->core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  void **next = &f->core.pNext;
#define CHAIN(member, type)                                                                                            \
  f->member.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##type;                                                          \
  if (member) {                                                                                                        \
    *next = &f->member;                                                                                                \
    next = &f->member.pNext;                                                                                           \
  }
  CHAIN(sizes, SUBGROUP_SIZE_CONTROL_FEATURES)
  CHAIN(timeline, TIMELINE_SEMAPHORE_FEATURES)
  CHAIN(reset, HOST_QUERY_RESET_FEATURES)
  CHAIN(executable, PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR)
#undef CHAIN
}

void vk_traits_read(const vk_instance *instance, VkPhysicalDevice physical, vk_traits *traits)
{
  VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  instance->vk.GetPhysicalDeviceProperties2(physical, &properties);
  uint32_t version = properties.properties.apiVersion;
  if (version > instance->api_version)
    version = instance->api_version;
  const bool v12 = version >= VK_API_VERSION_1_2, v13 = version >= VK_API_VERSION_1_3;

  extensions e = read_extensions(instance, physical);
  features f;
  chain(&f, v13 || has(&e, VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME),
        v12 || has(&e, VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME),
        v12 || has(&e, VK_EXT_HOST_QUERY_RESET_EXTENSION_NAME),
        has(&e, VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME));
  instance->vk.GetPhysicalDeviceFeatures2(physical, &f.core);
  *traits = (vk_traits){
      .api_version = version,
      .subgroup_sizes = f.sizes.subgroupSizeControl && f.sizes.computeFullSubgroups,
      .executable_properties = f.executable.pipelineExecutableInfo,
      .memory_budget = has(&e, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME),
      .host_query_reset = f.reset.hostQueryReset,
      .timeline = f.timeline.timelineSemaphore,
      .pci = has(&e, VK_EXT_PCI_BUS_INFO_EXTENSION_NAME),
      .sm_builtins = has(&e, VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME),
      .driver_properties = v12 || has(&e, VK_KHR_DRIVER_PROPERTIES_EXTENSION_NAME),
      .maintenance4 = v13 || has(&e, VK_KHR_MAINTENANCE_4_EXTENSION_NAME),
      .float64 = f.core.features.shaderFloat64,
      .int64 = f.core.features.shaderInt64,
  };
  free(e.list);
}

static uint32_t extensions_to_enable(const vk_traits *t, const char **names)
{
  const bool v12 = t->api_version >= VK_API_VERSION_1_2, v13 = t->api_version >= VK_API_VERSION_1_3;
  uint32_t count = 0;
  if (t->subgroup_sizes && !v13)
    names[count++] = VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME;
  if (t->timeline && !v12)
    names[count++] = VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME;
  if (t->host_query_reset && !v12)
    names[count++] = VK_EXT_HOST_QUERY_RESET_EXTENSION_NAME;
  if (t->executable_properties)
    names[count++] = VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME;
  if (t->memory_budget)
    names[count++] = VK_EXT_MEMORY_BUDGET_EXTENSION_NAME;
  return count;
}

xb_code vk_traits_create_device(const vk_instance *instance, VkPhysicalDevice physical, const vk_traits *t,
                                const xb_queue_info queues[XB_MAX_QUEUES], VkDevice *device, xb_error *err)
{
  static const float PRIORITY = 1.0f;
  VkDeviceQueueCreateInfo queue_infos[XB_MAX_QUEUES];
  uint32_t queue_count = 0;
  for (int q = 0; q < XB_MAX_QUEUES; q++)
    if (queues[q].present)
      queue_infos[queue_count++] = (VkDeviceQueueCreateInfo){
          .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
          .queueFamilyIndex = queues[q].family,
          .queueCount = 1,
          .pQueuePriorities = &PRIORITY,
      };

  /* robustBufferAccess stays off, because CUDA does not check bounds either. */
  features f;
  chain(&f, t->subgroup_sizes, t->timeline, t->host_query_reset, t->executable_properties);
  f.core.features.shaderFloat64 = t->float64;
  f.core.features.shaderInt64 = t->int64;
  f.sizes.subgroupSizeControl = f.sizes.computeFullSubgroups = t->subgroup_sizes;
  f.timeline.timelineSemaphore = t->timeline;
  f.reset.hostQueryReset = t->host_query_reset;
  f.executable.pipelineExecutableInfo = t->executable_properties;

  const char *names[8];
  const VkDeviceCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
      .pNext = &f.core,
      .queueCreateInfoCount = queue_count,
      .pQueueCreateInfos = queue_infos,
      .enabledExtensionCount = extensions_to_enable(t, names),
      .ppEnabledExtensionNames = names,
  };
  const VkResult result = instance->vk.CreateDevice(physical, &info, NULL, device);
  return result ? vk_fail(err, "vkCreateDevice", result) : XB_OK;
}
