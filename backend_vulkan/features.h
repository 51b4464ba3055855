/* Features of the API that code may need: which structs a device knows, what its features are, and which of them each
 * capability of SPIR-V takes. The tables are those of Vulkan's registry (vk.xml); tests/vulkan/registry.py compares
 * them. */
#ifndef XB_VULKAN_FEATURES_H
#define XB_VULKAN_FEATURES_H

#include "vk.h"

/* X(member, type, enumerator, the minor version of Vulkan 1 that has it, or 0, its extension). */
#define EACH_STRUCT(X)                                                                                                 \
  X(storage16, 16BitStorageFeatures, 16BIT_STORAGE_FEATURES, 1, "VK_KHR_16bit_storage")                                \
  X(pointers, VariablePointersFeatures, VARIABLE_POINTERS_FEATURES, 1, "VK_KHR_variable_pointers")                     \
  X(timeline, TimelineSemaphoreFeatures, TIMELINE_SEMAPHORE_FEATURES, 2, "VK_KHR_timeline_semaphore")                  \
  X(reset, HostQueryResetFeatures, HOST_QUERY_RESET_FEATURES, 2, "VK_EXT_host_query_reset")                            \
  X(storage8, 8BitStorageFeatures, 8BIT_STORAGE_FEATURES, 2, "VK_KHR_8bit_storage")                                    \
  X(narrow, ShaderFloat16Int8Features, SHADER_FLOAT16_INT8_FEATURES, 2, "VK_KHR_shader_float16_int8")                  \
  X(atomics, ShaderAtomicInt64Features, SHADER_ATOMIC_INT64_FEATURES, 2, "VK_KHR_shader_atomic_int64")                 \
  X(model, VulkanMemoryModelFeatures, VULKAN_MEMORY_MODEL_FEATURES, 2, "VK_KHR_vulkan_memory_model")                   \
  X(indexing, DescriptorIndexingFeatures, DESCRIPTOR_INDEXING_FEATURES, 2, "VK_EXT_descriptor_indexing")               \
  X(addresses, BufferDeviceAddressFeatures, BUFFER_DEVICE_ADDRESS_FEATURES, 2, "VK_KHR_buffer_device_address")         \
  X(scalar, ScalarBlockLayoutFeatures, SCALAR_BLOCK_LAYOUT_FEATURES, 2, "VK_EXT_scalar_block_layout")                  \
  X(uniform, UniformBufferStandardLayoutFeatures, UNIFORM_BUFFER_STANDARD_LAYOUT_FEATURES, 2,                          \
    "VK_KHR_uniform_buffer_standard_layout")                                                                           \
  X(types, ShaderSubgroupExtendedTypesFeatures, SHADER_SUBGROUP_EXTENDED_TYPES_FEATURES, 2,                            \
    "VK_KHR_shader_subgroup_extended_types")                                                                           \
  X(sizes, SubgroupSizeControlFeatures, SUBGROUP_SIZE_CONTROL_FEATURES, 3, "VK_EXT_subgroup_size_control")             \
  X(dot, ShaderIntegerDotProductFeatures, SHADER_INTEGER_DOT_PRODUCT_FEATURES, 3, "VK_KHR_shader_integer_dot_product") \
  X(demote, ShaderDemoteToHelperInvocationFeatures, SHADER_DEMOTE_TO_HELPER_INVOCATION_FEATURES, 3,                    \
    "VK_EXT_shader_demote_to_helper_invocation")                                                                       \
  X(zeros, ZeroInitializeWorkgroupMemoryFeatures, ZERO_INITIALIZE_WORKGROUP_MEMORY_FEATURES, 3,                        \
    "VK_KHR_zero_initialize_workgroup_memory")                                                                         \
  X(executable, PipelineExecutablePropertiesFeaturesKHR, PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR, 0,               \
    "VK_KHR_pipeline_executable_properties")                                                                           \
  X(float_atomics, ShaderAtomicFloatFeaturesEXT, SHADER_ATOMIC_FLOAT_FEATURES_EXT, 0, "VK_EXT_shader_atomic_float")    \
  X(float_atomics2, ShaderAtomicFloat2FeaturesEXT, SHADER_ATOMIC_FLOAT_2_FEATURES_EXT, 0,                              \
    "VK_EXT_shader_atomic_float2")                                                                                     \
  X(image_atomics, ShaderImageAtomicInt64FeaturesEXT, SHADER_IMAGE_ATOMIC_INT64_FEATURES_EXT, 0,                       \
    "VK_EXT_shader_image_atomic_int64")                                                                                \
  X(clock, ShaderClockFeaturesKHR, SHADER_CLOCK_FEATURES_KHR, 0, "VK_KHR_shader_clock")                                \
  X(shared, WorkgroupMemoryExplicitLayoutFeaturesKHR, WORKGROUP_MEMORY_EXPLICIT_LAYOUT_FEATURES_KHR, 0,                \
    "VK_KHR_workgroup_memory_explicit_layout")                                                                         \
  X(matrices, CooperativeMatrixFeaturesKHR, COOPERATIVE_MATRIX_FEATURES_KHR, 0, "VK_KHR_cooperative_matrix")           \
  X(matrices2, CooperativeMatrix2FeaturesNV, COOPERATIVE_MATRIX_2_FEATURES_NV, 0, "VK_NV_cooperative_matrix2")         \
  X(bfloat, ShaderBfloat16FeaturesKHR, SHADER_BFLOAT16_FEATURES_KHR, 0, "VK_KHR_shader_bfloat16")                      \
  X(float8, ShaderFloat8FeaturesEXT, SHADER_FLOAT8_FEATURES_EXT, 0, "VK_EXT_shader_float8")                            \
  X(rotate, ShaderSubgroupRotateFeaturesKHR, SHADER_SUBGROUP_ROTATE_FEATURES_KHR, 0, "VK_KHR_shader_subgroup_rotate")  \
  X(derivatives, ComputeShaderDerivativesFeaturesNV, COMPUTE_SHADER_DERIVATIVES_FEATURES_NV, 0,                        \
    "VK_NV_compute_shader_derivatives") /* KHR's is the same */                                                        \
  X(builtins, ShaderSMBuiltinsFeaturesNV, SHADER_SM_BUILTINS_FEATURES_NV, 0, "VK_NV_shader_sm_builtins")               \
  X(reconvergence, ShaderMaximalReconvergenceFeaturesKHR, SHADER_MAXIMAL_RECONVERGENCE_FEATURES_KHR, 0,                \
    "VK_KHR_shader_maximal_reconvergence")                                                                             \
  X(functions2, ShaderIntegerFunctions2FeaturesINTEL, SHADER_INTEGER_FUNCTIONS_2_FEATURES_INTEL, 0,                    \
    "VK_INTEL_shader_integer_functions2")                                                                              \
  X(maintenance5, Maintenance5FeaturesKHR, MAINTENANCE_5_FEATURES_KHR, 0, "VK_KHR_maintenance5")                       \
  X(binary, PipelineBinaryFeaturesKHR, PIPELINE_BINARY_FEATURES_KHR, 0, "VK_KHR_pipeline_binary")

/* X(capability, struct, feature): the device is opened with each of these features that it has. Of several lines of a
 * capability one is enough. */
#define EACH_CAPABILITY(X)                                                                                             \
  X(Float64, core, features.shaderFloat64)                                                                             \
  X(Int64, core, features.shaderInt64)                                                                                 \
  X(Int16, core, features.shaderInt16)                                                                                 \
  X(ImageGatherExtended, core, features.shaderImageGatherExtended)                                                     \
  X(MinLod, core, features.shaderResourceMinLod)                                                                       \
  X(SparseResidency, core, features.shaderResourceResidency)                                                           \
  X(StorageImageExtendedFormats, core, features.shaderStorageImageExtendedFormats)                                     \
  X(StorageImageReadWithoutFormat, core, features.shaderStorageImageReadWithoutFormat)                                 \
  X(StorageImageWriteWithoutFormat, core, features.shaderStorageImageWriteWithoutFormat)                               \
  X(UniformBufferArrayDynamicIndexing, core, features.shaderUniformBufferArrayDynamicIndexing)                         \
  X(SampledImageArrayDynamicIndexing, core, features.shaderSampledImageArrayDynamicIndexing)                           \
  X(StorageBufferArrayDynamicIndexing, core, features.shaderStorageBufferArrayDynamicIndexing)                         \
  X(StorageImageArrayDynamicIndexing, core, features.shaderStorageImageArrayDynamicIndexing)                           \
  X(StorageBuffer16BitAccess, storage16, storageBuffer16BitAccess)                                                     \
  X(UniformAndStorageBuffer16BitAccess, storage16, uniformAndStorageBuffer16BitAccess)                                 \
  X(StoragePushConstant16, storage16, storagePushConstant16)                                                           \
  X(StorageBuffer8BitAccess, storage8, storageBuffer8BitAccess)                                                        \
  X(UniformAndStorageBuffer8BitAccess, storage8, uniformAndStorageBuffer8BitAccess)                                    \
  X(StoragePushConstant8, storage8, storagePushConstant8)                                                              \
  X(Float16, narrow, shaderFloat16)                                                                                    \
  X(Int8, narrow, shaderInt8)                                                                                          \
  X(Int64Atomics, atomics, shaderBufferInt64Atomics)                                                                   \
  X(Int64Atomics, atomics, shaderSharedInt64Atomics)                                                                   \
  X(Int64ImageEXT, image_atomics, shaderImageInt64Atomics)                                                             \
  X(AtomicFloat32AddEXT, float_atomics, shaderBufferFloat32AtomicAdd)                                                  \
  X(AtomicFloat32AddEXT, float_atomics, shaderSharedFloat32AtomicAdd)                                                  \
  X(AtomicFloat32AddEXT, float_atomics, shaderImageFloat32AtomicAdd)                                                   \
  X(AtomicFloat64AddEXT, float_atomics, shaderBufferFloat64AtomicAdd)                                                  \
  X(AtomicFloat64AddEXT, float_atomics, shaderSharedFloat64AtomicAdd)                                                  \
  X(AtomicFloat16AddEXT, float_atomics2, shaderBufferFloat16AtomicAdd)                                                 \
  X(AtomicFloat16AddEXT, float_atomics2, shaderSharedFloat16AtomicAdd)                                                 \
  X(AtomicFloat16MinMaxEXT, float_atomics2, shaderBufferFloat16AtomicMinMax)                                           \
  X(AtomicFloat16MinMaxEXT, float_atomics2, shaderSharedFloat16AtomicMinMax)                                           \
  X(AtomicFloat32MinMaxEXT, float_atomics2, shaderBufferFloat32AtomicMinMax)                                           \
  X(AtomicFloat32MinMaxEXT, float_atomics2, shaderSharedFloat32AtomicMinMax)                                           \
  X(AtomicFloat64MinMaxEXT, float_atomics2, shaderBufferFloat64AtomicMinMax)                                           \
  X(AtomicFloat64MinMaxEXT, float_atomics2, shaderSharedFloat64AtomicMinMax)                                           \
  X(VariablePointersStorageBuffer, pointers, variablePointersStorageBuffer)                                            \
  X(VariablePointers, pointers, variablePointers)                                                                      \
  X(ShaderClockKHR, clock, shaderSubgroupClock)                                                                        \
  X(ShaderClockKHR, clock, shaderDeviceClock)                                                                          \
  X(RuntimeDescriptorArray, indexing, runtimeDescriptorArray)                                                          \
  X(UniformTexelBufferArrayDynamicIndexing, indexing, shaderUniformTexelBufferArrayDynamicIndexing)                    \
  X(StorageTexelBufferArrayDynamicIndexing, indexing, shaderStorageTexelBufferArrayDynamicIndexing)                    \
  X(UniformBufferArrayNonUniformIndexing, indexing, shaderUniformBufferArrayNonUniformIndexing)                        \
  X(SampledImageArrayNonUniformIndexing, indexing, shaderSampledImageArrayNonUniformIndexing)                          \
  X(StorageBufferArrayNonUniformIndexing, indexing, shaderStorageBufferArrayNonUniformIndexing)                        \
  X(StorageImageArrayNonUniformIndexing, indexing, shaderStorageImageArrayNonUniformIndexing)                          \
  X(UniformTexelBufferArrayNonUniformIndexing, indexing, shaderUniformTexelBufferArrayNonUniformIndexing)              \
  X(StorageTexelBufferArrayNonUniformIndexing, indexing, shaderStorageTexelBufferArrayNonUniformIndexing)              \
  X(VulkanMemoryModel, model, vulkanMemoryModel)                                                                       \
  X(VulkanMemoryModelDeviceScope, model, vulkanMemoryModelDeviceScope)                                                 \
  X(PhysicalStorageBufferAddresses, addresses, bufferDeviceAddress)                                                    \
  X(DotProduct, dot, shaderIntegerDotProduct)                                                                          \
  X(DotProductInputAll, dot, shaderIntegerDotProduct)                                                                  \
  X(DotProductInput4x8Bit, dot, shaderIntegerDotProduct)                                                               \
  X(DotProductInput4x8BitPacked, dot, shaderIntegerDotProduct)                                                         \
  X(DemoteToHelperInvocationEXT, demote, shaderDemoteToHelperInvocation)                                               \
  X(WorkgroupMemoryExplicitLayoutKHR, shared, workgroupMemoryExplicitLayout)                                           \
  X(WorkgroupMemoryExplicitLayout8BitAccessKHR, shared, workgroupMemoryExplicitLayout8BitAccess)                       \
  X(WorkgroupMemoryExplicitLayout16BitAccessKHR, shared, workgroupMemoryExplicitLayout16BitAccess)                     \
  X(CooperativeMatrixKHR, matrices, cooperativeMatrix)                                                                 \
  X(TensorAddressingNV, matrices2, cooperativeMatrixTensorAddressing)                                                  \
  X(CooperativeMatrixTensorAddressingNV, matrices2, cooperativeMatrixTensorAddressing)                                 \
  X(CooperativeMatrixReductionsNV, matrices2, cooperativeMatrixReductions)                                             \
  X(CooperativeMatrixConversionsNV, matrices2, cooperativeMatrixConversions)                                           \
  X(CooperativeMatrixPerElementOperationsNV, matrices2, cooperativeMatrixPerElementOperations)                         \
  X(CooperativeMatrixBlockLoadsNV, matrices2, cooperativeMatrixBlockLoads)                                             \
  X(BFloat16TypeKHR, bfloat, shaderBFloat16Type)                                                                       \
  X(BFloat16DotProductKHR, bfloat, shaderBFloat16DotProduct)                                                           \
  X(BFloat16CooperativeMatrixKHR, bfloat, shaderBFloat16CooperativeMatrix)                                             \
  X(Float8EXT, float8, shaderFloat8)                                                                                   \
  X(Float8CooperativeMatrixEXT, float8, shaderFloat8CooperativeMatrix)                                                 \
  X(GroupNonUniformRotateKHR, rotate, shaderSubgroupRotate)                                                            \
  X(ComputeDerivativeGroupQuadsNV, derivatives, computeDerivativeGroupQuads)                                           \
  X(ComputeDerivativeGroupLinearNV, derivatives, computeDerivativeGroupLinear)                                         \
  X(ShaderSMBuiltinsNV, builtins, shaderSMBuiltins)                                                                    \
  X(IntegerFunctions2INTEL, functions2, shaderIntegerFunctions2)

/* Features that code may need and that no capability names. */
#define EACH_UNNAMED_FEATURE(X)                                                                                        \
  X(scalar, scalarBlockLayout)                                                                                         \
  X(uniform, uniformBufferStandardLayout)                                                                              \
  X(types, shaderSubgroupExtendedTypes)                                                                                \
  X(matrices2, cooperativeMatrixWorkgroupScope)                                                                        \
  X(matrices2, cooperativeMatrixFlexibleDimensions)                                                                    \
  X(reconvergence, shaderMaximalReconvergence)                                                                         \
  X(zeros, shaderZeroInitializeWorkgroupMemory)

#define VK_STRUCT_MEMBER(member, type, enumerator, since, extension) VkPhysicalDevice##type member;
#define VK_STRUCT_NUMBER(member, type, enumerator, since, extension) VK_STRUCT_##member,
/* Feature structs. Only those that the device knows are chained. */
typedef struct vk_features {
  VkPhysicalDeviceFeatures2 core;
  EACH_STRUCT(VK_STRUCT_MEMBER)
} vk_features;
enum { VK_STRUCT_core = -1, EACH_STRUCT(VK_STRUCT_NUMBER) VK_STRUCTS };

typedef struct vk_extensions {
  VkExtensionProperties *list;
  uint32_t count;
} vk_extensions;

/* The caller frees the list. */
vk_extensions vk_read_extensions(const vk_instance *instance, VkPhysicalDevice physical);
bool vk_has_extension(const vk_extensions *extensions, const char *name);
/* The structs that a device of this version knows: bit VK_STRUCT_... */
uint64_t vk_known_structs(const vk_extensions *extensions, uint32_t version);
/* Chains the structs, with all features off. */
void vk_chain_features(vk_features *features, uint64_t known);
/* The extensions that a device of this version needs for the structs. Returns how many there are. */
uint32_t vk_struct_extensions(uint64_t known, uint32_t version, const char *names[VK_STRUCTS]);
/* Which lines of EACH_CAPABILITY the device has: a bit each. */
void vk_read_capabilities(const vk_features *features, uint64_t capabilities[2]);
/* Turns the features of EACH_CAPABILITY and EACH_UNNAMED_FEATURE on that the device has. */
void vk_enable_capabilities(vk_features *features, const vk_features *has);

#endif
