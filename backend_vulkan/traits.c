/* Features of a device beyond Vulkan 1.1: read once, and enabled if used. */
#include "features.h"

#include <stdlib.h>
#include <string.h>

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
  X(INT8_MATRICES, narrow.shaderInt8)                                                                                  \
  X(INT8_MATRICES, storage8.storageBuffer8BitAccess)                                                                   \
  X(INT8_MATRICES, storage8.uniformAndStorageBuffer8BitAccess)                                                         \
  X(INT8_MATRICES, matrices.cooperativeMatrix)                                                                         \
  X(INT8_MATRICES, model.vulkanMemoryModel)                                                                            \
  X(INT8_MATRICES, model.vulkanMemoryModelDeviceScope)                                                                 \
  X(FLOAT8_MATRICES, narrow.shaderInt8)                                                                                \
  X(FLOAT8_MATRICES, storage8.storageBuffer8BitAccess)                                                                 \
  X(FLOAT8_MATRICES, storage8.uniformAndStorageBuffer8BitAccess)                                                       \
  X(FLOAT8_MATRICES, float8.shaderFloat8)                                                                              \
  X(FLOAT8_MATRICES, float8.shaderFloat8CooperativeMatrix)                                                             \
  X(INT8_DOT, dot.shaderIntegerDotProduct)                                                                             \
  X(BFLOAT16_MATRICES, bfloat.shaderBFloat16Type)                                                                      \
  X(BFLOAT16_MATRICES, bfloat.shaderBFloat16CooperativeMatrix)                                                         \
  X(GROUP_MATRICES, matrices.cooperativeMatrix)                                                                        \
  X(GROUP_MATRICES, model.vulkanMemoryModel)                                                                           \
  X(GROUP_MATRICES, matrices2.cooperativeMatrixWorkgroupScope)                                                         \
  X(GROUP_MATRICES, matrices2.cooperativeMatrixFlexibleDimensions)                                                     \
  X(GROUP_MATRICES, matrices2.cooperativeMatrixTensorAddressing)                                                       \
  X(GROUP_MATRICES, matrices2.cooperativeMatrixPerElementOperations)

static uint32_t offered(const vk_features *f)
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

static void enable(vk_features *f, uint32_t wanted)
{
#define ENABLE(feature, member)                                                                                        \
  if (wanted & XB_FEATURE_##feature)                                                                                   \
    f->member = VK_TRUE;
  EACH_MEMBER(ENABLE)
#undef ENABLE
}

/* Which capabilities of floats the device has for a type or more. */
static uint32_t float_controls(const vk_instance *instance, VkPhysicalDevice physical)
{
  VkPhysicalDeviceFloatControlsProperties f = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES};
  VkPhysicalDeviceProperties2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &f};
  instance->vk.GetPhysicalDeviceProperties2(physical, &all);
  const bool has[] = {
      f.shaderDenormPreserveFloat16 || f.shaderDenormPreserveFloat32 || f.shaderDenormPreserveFloat64,
      f.shaderDenormFlushToZeroFloat16 || f.shaderDenormFlushToZeroFloat32 || f.shaderDenormFlushToZeroFloat64,
      f.shaderSignedZeroInfNanPreserveFloat16 || f.shaderSignedZeroInfNanPreserveFloat32 ||
          f.shaderSignedZeroInfNanPreserveFloat64,
      f.shaderRoundingModeRTEFloat16 || f.shaderRoundingModeRTEFloat32 || f.shaderRoundingModeRTEFloat64,
      f.shaderRoundingModeRTZFloat16 || f.shaderRoundingModeRTZFloat32 || f.shaderRoundingModeRTZFloat64};
  uint32_t bits = 0;
  for (uint32_t i = 0; i < sizeof has / sizeof *has; i++)
    bits |= (uint32_t)has[i] << i;
  return bits;
}

void vk_traits_read(const vk_instance *instance, VkPhysicalDevice physical, vk_traits *traits)
{
  VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  instance->vk.GetPhysicalDeviceProperties2(physical, &properties);
  uint32_t version = properties.properties.apiVersion;
  if (version > instance->api_version)
    version = instance->api_version;
  const bool v12 = version >= VK_API_VERSION_1_2, v13 = version >= VK_API_VERSION_1_3;

  vk_extensions e = vk_read_extensions(instance, physical);
  const uint64_t known = vk_known_structs(&e, version);
  vk_features f;
  vk_chain_features(&f, known);
  instance->vk.GetPhysicalDeviceFeatures2(physical, &f.core);
  *traits = (vk_traits){
      .api_version = version,
      .subgroup_sizes = f.sizes.subgroupSizeControl && f.sizes.computeFullSubgroups,
      .executable_properties = f.executable.pipelineExecutableInfo,
      .external_memory_host = vk_has_extension(&e, VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME),
      .external_memory_fd = vk_has_extension(&e, VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME),
      .memory_budget = vk_has_extension(&e, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME),
      .host_query_reset = f.reset.hostQueryReset,
      .timeline = f.timeline.timelineSemaphore,
      .pipeline_binary = f.binary.pipelineBinaries && f.maintenance5.maintenance5,
      .partitioned = vk_has_extension(&e, VK_NV_SHADER_SUBGROUP_PARTITIONED_EXTENSION_NAME),
      .ballot = vk_has_extension(&e, VK_EXT_SHADER_SUBGROUP_BALLOT_EXTENSION_NAME),
      .vote = vk_has_extension(&e, VK_EXT_SHADER_SUBGROUP_VOTE_EXTENSION_NAME),
      .derivatives_nv = vk_has_extension(&e, VK_NV_COMPUTE_SHADER_DERIVATIVES_EXTENSION_NAME),
      .derivatives_khr = vk_has_extension(&e, VK_KHR_COMPUTE_SHADER_DERIVATIVES_EXTENSION_NAME),
      .portability = vk_has_extension(&e, VK_KHR_PORTABILITY_SUBSET_EXTENSION_NAME),
      .pci = vk_has_extension(&e, VK_EXT_PCI_BUS_INFO_EXTENSION_NAME),
      .sm_builtins = vk_has_extension(&e, VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME),
      .driver_properties = v12 || vk_has_extension(&e, VK_KHR_DRIVER_PROPERTIES_EXTENSION_NAME),
      .maintenance4 = v13 || vk_has_extension(&e, VK_KHR_MAINTENANCE_4_EXTENSION_NAME),
      .features = offered(&f),
      .structs = known,
  };
  traits->external_semaphore_fd = traits->timeline &&
                                  vk_has_extension(&e, VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME) &&
                                  vk_exports_semaphores(instance, physical);
  traits->calibrated = vk_has_extension(&e, VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME) &&
                       vk_has_clocks(instance, physical, &traits->raw_clock);
  const uint32_t typed =
      XB_FEATURE_MATRICES | XB_FEATURE_BFLOAT16_MATRICES | XB_FEATURE_INT8_MATRICES | XB_FEATURE_FLOAT8_MATRICES;
  const uint32_t shapes = f.matrices.cooperativeMatrix ? vk_matrices(instance, physical) : 0;
  traits->features &= ~typed | shapes;
  if (traits->features & XB_FEATURE_MATRICES)
    traits->features |= shapes & (XB_FEATURE_MATRICES_16_8_16 | XB_FEATURE_MATRICES_16_8_8);
  if (v12 || vk_has_extension(&e, VK_KHR_SHADER_FLOAT_CONTROLS_EXTENSION_NAME))
    traits->float_controls = float_controls(instance, physical);
  vk_read_capabilities(&f, traits->capabilities);
  free(e.list);
}

static uint32_t extensions_to_enable(const vk_traits *t, const char **names)
{
  uint32_t count = vk_struct_extensions(t->structs, t->api_version, names);
  if (t->portability) /* must be enabled where it is listed */
    names[count++] = VK_KHR_PORTABILITY_SUBSET_EXTENSION_NAME;
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
  if (t->partitioned)
    names[count++] = VK_NV_SHADER_SUBGROUP_PARTITIONED_EXTENSION_NAME;
  if (t->ballot)
    names[count++] = VK_EXT_SHADER_SUBGROUP_BALLOT_EXTENSION_NAME;
  if (t->vote)
    names[count++] = VK_EXT_SHADER_SUBGROUP_VOTE_EXTENSION_NAME;
  if (t->float_controls && t->api_version < VK_API_VERSION_1_2)
    names[count++] = VK_KHR_SHADER_FLOAT_CONTROLS_EXTENSION_NAME;
  if (t->derivatives_nv)
    names[count++] = VK_NV_COMPUTE_SHADER_DERIVATIVES_EXTENSION_NAME;
  if (t->derivatives_khr)
    names[count++] = VK_KHR_COMPUTE_SHADER_DERIVATIVES_EXTENSION_NAME;
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
  vk_features has, f;
  vk_chain_features(&has, t->structs);
  instance->vk.GetPhysicalDeviceFeatures2(physical, &has.core);
  vk_chain_features(&f, t->structs);
  vk_enable_capabilities(&f, &has);
  enable(&f, t->features);
  f.sizes.subgroupSizeControl = f.sizes.computeFullSubgroups = t->subgroup_sizes;
  f.timeline.timelineSemaphore = t->timeline;
  f.reset.hostQueryReset = t->host_query_reset;
  f.executable.pipelineExecutableInfo = t->executable_properties;
  f.binary.pipelineBinaries = f.maintenance5.maintenance5 = t->pipeline_binary;

  const char *names[VK_STRUCTS + 16];
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
