/* Features of a device beyond Vulkan 1.1: read once, and enabled if used. */
#include "vk.h"

#include <spirv_cross/spirv.h>
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
  const bool listed = !enumerate(physical, NULL, &e.count, NULL);
  const uint32_t room = listed ? e.count : 0;
  e.list = calloc(room + 1u, sizeof *e.list);
  if (!listed || !e.list || enumerate(physical, NULL, &e.count, e.list) < 0)
    e.count = 0; /* the device is then used as plain Vulkan 1.1 */
  e.count = vk_at_most(e.count, room);
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
  VkPhysicalDevice16BitStorageFeatures storage16;
  VkPhysicalDevice8BitStorageFeatures storage8;
  VkPhysicalDeviceShaderFloat16Int8Features narrow;
  VkPhysicalDeviceShaderAtomicInt64Features atomics;
  VkPhysicalDeviceShaderAtomicFloatFeaturesEXT float_atomics;
  VkPhysicalDeviceCooperativeMatrixFeaturesKHR matrices;
  VkPhysicalDeviceVulkanMemoryModelFeatures model;
  VkPhysicalDeviceShaderIntegerDotProductFeatures dot;
  VkPhysicalDeviceShaderBfloat16FeaturesKHR bfloat;
  VkPhysicalDeviceShaderSubgroupRotateFeaturesKHR rotate;
  VkPhysicalDeviceComputeShaderDerivativesFeaturesNV derivatives;
  VkPhysicalDeviceMaintenance5FeaturesKHR maintenance5;
  VkPhysicalDevicePipelineBinaryFeaturesKHR binary;
} features;

/* Which structs the device knows. */
typedef struct known {
  bool sizes, timeline, reset, executable, storage8, narrow, atomics, float_atomics, matrices, dot, bfloat, rotate,
      derivatives, binary;
} known;

static void chain(features *f, known k)
{
  memset(f, 0, sizeof *f);
  f->core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  void **next = &f->core.pNext;
#define CHAIN(member, type, present)                                                                                   \
  f->member.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##type;                                                          \
  if (present) {                                                                                                       \
    *next = &f->member;                                                                                                \
    next = &f->member.pNext;                                                                                           \
  }
  CHAIN(sizes, SUBGROUP_SIZE_CONTROL_FEATURES, k.sizes)
  CHAIN(timeline, TIMELINE_SEMAPHORE_FEATURES, k.timeline)
  CHAIN(reset, HOST_QUERY_RESET_FEATURES, k.reset)
  CHAIN(executable, PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR, k.executable)
  CHAIN(storage16, 16BIT_STORAGE_FEATURES, true)
  CHAIN(storage8, 8BIT_STORAGE_FEATURES, k.storage8)
  CHAIN(narrow, SHADER_FLOAT16_INT8_FEATURES, k.narrow)
  CHAIN(atomics, SHADER_ATOMIC_INT64_FEATURES, k.atomics)
  CHAIN(float_atomics, SHADER_ATOMIC_FLOAT_FEATURES_EXT, k.float_atomics)
  CHAIN(matrices, COOPERATIVE_MATRIX_FEATURES_KHR, k.matrices)
  CHAIN(model, VULKAN_MEMORY_MODEL_FEATURES, k.matrices)
  CHAIN(dot, SHADER_INTEGER_DOT_PRODUCT_FEATURES, k.dot)
  CHAIN(bfloat, SHADER_BFLOAT16_FEATURES_KHR, k.bfloat)
  CHAIN(rotate, SHADER_SUBGROUP_ROTATE_FEATURES_KHR, k.rotate)
  CHAIN(derivatives, COMPUTE_SHADER_DERIVATIVES_FEATURES_NV, k.derivatives) /* KHR's is the same */
  CHAIN(maintenance5, MAINTENANCE_5_FEATURES_KHR, k.binary)
  CHAIN(binary, PIPELINE_BINARY_FEATURES_KHR, k.binary)
#undef CHAIN
}

/* What each xb_feature takes. A member is the struct's member that must be true. */
#define EACH_MEMBER(X)                                                                                                 \
  X(FLOAT64, core.features.shaderFloat64)                                                                              \
  X(FLOAT16, narrow.shaderFloat16)                                                                                     \
  X(FLOAT16, storage16.storageBuffer16BitAccess)                                                                       \
  X(INT64, core.features.shaderInt64)                                                                                  \
  X(INT16, core.features.shaderInt16)                                                                                  \
  X(INT16, storage16.storageBuffer16BitAccess)                                                                         \
  X(INT8, narrow.shaderInt8)                                                                                           \
  X(INT8, storage8.storageBuffer8BitAccess)                                                                            \
  X(INT64_ATOMICS, atomics.shaderBufferInt64Atomics)                                                                   \
  X(INT64_ATOMICS, atomics.shaderSharedInt64Atomics)                                                                   \
  X(FLOAT32_ATOMIC_ADD, float_atomics.shaderBufferFloat32AtomicAdd)                                                    \
  X(FLOAT32_ATOMIC_ADD, float_atomics.shaderSharedFloat32AtomicAdd)                                                    \
  X(FLOAT64_ATOMIC_ADD, float_atomics.shaderBufferFloat64AtomicAdd)                                                    \
  X(FLOAT64_ATOMIC_ADD, float_atomics.shaderSharedFloat64AtomicAdd)                                                    \
  X(MATRICES, narrow.shaderFloat16)                                                                                    \
  X(MATRICES, storage16.storageBuffer16BitAccess)                                                                      \
  X(MATRICES, storage16.uniformAndStorageBuffer16BitAccess)                                                            \
  X(MATRICES, matrices.cooperativeMatrix)                                                                              \
  X(MATRICES, model.vulkanMemoryModel)                                                                                 \
  X(MATRICES, model.vulkanMemoryModelDeviceScope)                                                                      \
  X(INT8_DOT, dot.shaderIntegerDotProduct)                                                                             \
  X(BFLOAT16_MATRICES, bfloat.shaderBFloat16Type)                                                                      \
  X(BFLOAT16_MATRICES, bfloat.shaderBFloat16CooperativeMatrix)

static uint32_t offered(const features *f)
{
  uint32_t lacking = 0, all = XB_FEATURE_SPECIALIZATION | XB_FEATURE_INDIRECT;
#define LOOK(feature, member)                                                                                          \
  all |= XB_FEATURE_##feature;                                                                                         \
  if (!f->member)                                                                                                      \
    lacking |= XB_FEATURE_##feature;
  EACH_MEMBER(LOOK)
#undef LOOK
  return all & ~lacking;
}

static void enable(features *f, uint32_t wanted)
{
#define ENABLE(feature, member)                                                                                        \
  if (wanted & XB_FEATURE_##feature)                                                                                   \
    f->member = VK_TRUE;
  EACH_MEMBER(ENABLE)
#undef ENABLE
}

/* Capabilities that compilers declare for ordinary shaders, and the feature that each one takes. */
#define EACH_CAPABILITY(X)                                                                                             \
  X(SpvCapabilityStorageImageExtendedFormats, core.features.shaderStorageImageExtendedFormats)                         \
  X(SpvCapabilityStorageImageReadWithoutFormat, core.features.shaderStorageImageReadWithoutFormat)                     \
  X(SpvCapabilityStorageImageWriteWithoutFormat, core.features.shaderStorageImageWriteWithoutFormat)                   \
  X(SpvCapabilityImageGatherExtended, core.features.shaderImageGatherExtended)                                         \
  X(SpvCapabilityMinLod, core.features.shaderResourceMinLod)                                                           \
  X(SpvCapabilityUniformAndStorageBuffer16BitAccess, storage16.uniformAndStorageBuffer16BitAccess)                     \
  X(SpvCapabilityStoragePushConstant16, storage16.storagePushConstant16)                                               \
  X(SpvCapabilityComputeDerivativeGroupQuadsNV, derivatives.computeDerivativeGroupQuads)                               \
  X(SpvCapabilityComputeDerivativeGroupLinearNV, derivatives.computeDerivativeGroupLinear)                             \
  X(VK_SPV_CAPABILITY_ROTATE, rotate.shaderSubgroupRotate)

static uint32_t capabilities_of(const features *f)
{
  uint32_t bit = 1, all = 0;
#define LOOK(capability, member)                                                                                       \
  all |= f->member ? bit : 0;                                                                                          \
  bit <<= 1;
  EACH_CAPABILITY(LOOK)
#undef LOOK
  return all;
}

bool vk_traits_enable(const vk_traits *t, uint32_t wanted)
{
  uint32_t bit = 1;
#define LOOK(capability, member)                                                                                       \
  if (wanted == (capability))                                                                                          \
    return t->capabilities & bit;                                                                                      \
  bit <<= 1;
  EACH_CAPABILITY(LOOK)
#undef LOOK
  return false;
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
  const known k = {
      .sizes = v13 || has(&e, VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME),
      .timeline = v12 || has(&e, VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME),
      .reset = v12 || has(&e, VK_EXT_HOST_QUERY_RESET_EXTENSION_NAME),
      .executable = has(&e, VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME),
      .storage8 = v12 || has(&e, VK_KHR_8BIT_STORAGE_EXTENSION_NAME),
      .narrow = v12 || has(&e, VK_KHR_SHADER_FLOAT16_INT8_EXTENSION_NAME),
      .atomics = v12 || has(&e, VK_KHR_SHADER_ATOMIC_INT64_EXTENSION_NAME),
      .float_atomics = has(&e, VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME),
      .matrices = v12 && has(&e, VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME), /* v12: the memory model is core */
      .dot = v13 || has(&e, VK_KHR_SHADER_INTEGER_DOT_PRODUCT_EXTENSION_NAME),
      .bfloat = has(&e, VK_KHR_SHADER_BFLOAT16_EXTENSION_NAME),
      .rotate = has(&e, VK_KHR_SHADER_SUBGROUP_ROTATE_EXTENSION_NAME),
      .derivatives = has(&e, VK_NV_COMPUTE_SHADER_DERIVATIVES_EXTENSION_NAME) ||
                     has(&e, VK_KHR_COMPUTE_SHADER_DERIVATIVES_EXTENSION_NAME),
      .binary = v13 && has(&e, VK_KHR_PIPELINE_BINARY_EXTENSION_NAME) && has(&e, VK_KHR_MAINTENANCE_5_EXTENSION_NAME),
  };
  chain(&f, k);
  instance->vk.GetPhysicalDeviceFeatures2(physical, &f.core);
  *traits = (vk_traits){
      .api_version = version,
      .subgroup_sizes = f.sizes.subgroupSizeControl && f.sizes.computeFullSubgroups,
      .executable_properties = f.executable.pipelineExecutableInfo,
      .external_memory_host = has(&e, VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME),
      .external_memory_fd = has(&e, VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME),
      .memory_budget = has(&e, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME),
      .host_query_reset = f.reset.hostQueryReset,
      .timeline = f.timeline.timelineSemaphore,
      .pipeline_binary = f.binary.pipelineBinaries && f.maintenance5.maintenance5,
      .rotate = f.rotate.shaderSubgroupRotate,
      .partitioned = has(&e, VK_NV_SHADER_SUBGROUP_PARTITIONED_EXTENSION_NAME),
      .derivatives_nv = has(&e, VK_NV_COMPUTE_SHADER_DERIVATIVES_EXTENSION_NAME),
      .derivatives_khr = has(&e, VK_KHR_COMPUTE_SHADER_DERIVATIVES_EXTENSION_NAME),
      .portability = has(&e, VK_KHR_PORTABILITY_SUBSET_EXTENSION_NAME),
      .pci = has(&e, VK_EXT_PCI_BUS_INFO_EXTENSION_NAME),
      .sm_builtins = has(&e, VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME),
      .driver_properties = v12 || has(&e, VK_KHR_DRIVER_PROPERTIES_EXTENSION_NAME),
      .maintenance4 = v13 || has(&e, VK_KHR_MAINTENANCE_4_EXTENSION_NAME),
      .features = offered(&f),
      .capabilities = capabilities_of(&f),
  };
  traits->external_semaphore_fd = traits->timeline && has(&e, VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME) &&
                                  vk_exports_semaphores(instance, physical);
  traits->calibrated =
      has(&e, VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME) && vk_has_clocks(instance, physical, &traits->raw_clock);
  const uint32_t matrices = XB_FEATURE_MATRICES | XB_FEATURE_BFLOAT16_MATRICES;
  const uint32_t shapes = traits->features & XB_FEATURE_MATRICES ? vk_matrices(instance, physical) : 0;
  traits->features &= ~matrices | shapes;
  free(e.list);
}

static known known_to_enable(const vk_traits *t)
{
  return (known){
      .sizes = t->subgroup_sizes,
      .timeline = t->timeline,
      .reset = t->host_query_reset,
      .executable = t->executable_properties,
      .storage8 = t->features & XB_FEATURE_INT8,
      .narrow = t->features & (XB_FEATURE_FLOAT16 | XB_FEATURE_INT8 | XB_FEATURE_MATRICES),
      .atomics = t->features & XB_FEATURE_INT64_ATOMICS,
      .float_atomics = t->features & (XB_FEATURE_FLOAT32_ATOMIC_ADD | XB_FEATURE_FLOAT64_ATOMIC_ADD),
      .matrices = t->features & XB_FEATURE_MATRICES,
      .dot = t->features & XB_FEATURE_INT8_DOT,
      .bfloat = t->features & XB_FEATURE_BFLOAT16_MATRICES,
      .rotate = t->rotate,
      .derivatives = t->derivatives_nv || t->derivatives_khr,
      .binary = t->pipeline_binary,
  };
}

static uint32_t extensions_to_enable(const vk_traits *t, const char **names)
{
  const bool v12 = t->api_version >= VK_API_VERSION_1_2, v13 = t->api_version >= VK_API_VERSION_1_3;
  uint32_t count = 0;
  if (t->subgroup_sizes && !v13)
    names[count++] = VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME;
  if (t->portability) /* must be enabled where it is listed */
    names[count++] = VK_KHR_PORTABILITY_SUBSET_EXTENSION_NAME;
  if (t->timeline && !v12)
    names[count++] = VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME;
  if (t->host_query_reset && !v12)
    names[count++] = VK_EXT_HOST_QUERY_RESET_EXTENSION_NAME;
  if (t->executable_properties)
    names[count++] = VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME;
  if (t->calibrated)
    names[count++] = VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME;
  if (t->memory_budget)
    names[count++] = VK_EXT_MEMORY_BUDGET_EXTENSION_NAME;
  if (t->external_memory_host)
    names[count++] = VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME;
  if (t->external_memory_fd)
    names[count++] = VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME;
  if (t->external_semaphore_fd)
    names[count++] = VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME;
  if (t->pipeline_binary) {
    names[count++] = VK_KHR_MAINTENANCE_5_EXTENSION_NAME;
    names[count++] = VK_KHR_PIPELINE_BINARY_EXTENSION_NAME;
  }
  const known k = known_to_enable(t);
  if (k.storage8 && !v12)
    names[count++] = VK_KHR_8BIT_STORAGE_EXTENSION_NAME;
  if (k.narrow && !v12)
    names[count++] = VK_KHR_SHADER_FLOAT16_INT8_EXTENSION_NAME;
  if (k.atomics && !v12)
    names[count++] = VK_KHR_SHADER_ATOMIC_INT64_EXTENSION_NAME;
  if (k.float_atomics)
    names[count++] = VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME;
  if (k.matrices)
    names[count++] = VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME;
  if (k.bfloat)
    names[count++] = VK_KHR_SHADER_BFLOAT16_EXTENSION_NAME;
  if (k.rotate)
    names[count++] = VK_KHR_SHADER_SUBGROUP_ROTATE_EXTENSION_NAME;
  if (t->partitioned)
    names[count++] = VK_NV_SHADER_SUBGROUP_PARTITIONED_EXTENSION_NAME;
  if (t->derivatives_nv)
    names[count++] = VK_NV_COMPUTE_SHADER_DERIVATIVES_EXTENSION_NAME;
  if (t->derivatives_khr)
    names[count++] = VK_KHR_COMPUTE_SHADER_DERIVATIVES_EXTENSION_NAME;
  if (k.dot && !v13)
    names[count++] = VK_KHR_SHADER_INTEGER_DOT_PRODUCT_EXTENSION_NAME;
  return count;
}

xb_code vk_traits_create_device(const vk_instance *instance, VkPhysicalDevice physical, const vk_traits *t,
                                const xb_queue_info queues[XB_MAX_QUEUES], VkDevice *device, xb_error *err)
{
  static const float PRIORITIES[XB_QUEUES_OF_A_KIND] = {1, 1, 1, 1, 1, 1, 1, 1};
  VkDeviceQueueCreateInfo queue_infos[2];
  uint32_t kinds = 0;
  for (int q = 0; q < XB_MAX_QUEUES; q++) {
    if (queues[q].present && q % XB_QUEUES_OF_A_KIND == 0)
      queue_infos[kinds++] = (VkDeviceQueueCreateInfo){
          .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
          .queueFamilyIndex = queues[q].family,
          .pQueuePriorities = PRIORITIES,
      };
    if (queues[q].present)
      queue_infos[kinds - 1].queueCount++;
  }

  /* robustBufferAccess stays off, because CUDA does not check bounds either. */
  features f;
  chain(&f, known_to_enable(t));
  enable(&f, t->features);
#define ENABLE(capability, member) f.member |= vk_traits_enable(t, capability);
  EACH_CAPABILITY(ENABLE)
#undef ENABLE
  f.sizes.subgroupSizeControl = f.sizes.computeFullSubgroups = t->subgroup_sizes;
  f.timeline.timelineSemaphore = t->timeline;
  f.reset.hostQueryReset = t->host_query_reset;
  f.executable.pipelineExecutableInfo = t->executable_properties;
  f.binary.pipelineBinaries = f.maintenance5.maintenance5 = t->pipeline_binary;

  const char *names[32];
  const VkDeviceCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
      .pNext = &f.core,
      .queueCreateInfoCount = kinds,
      .pQueueCreateInfos = queue_infos,
      .enabledExtensionCount = extensions_to_enable(t, names),
      .ppEnabledExtensionNames = names,
  };
  const VkResult result = instance->vk.CreateDevice(physical, &info, NULL, device);
  return result ? vk_fail(err, "vkCreateDevice", result) : XB_OK;
}
