/* What this backend uses and headers of Vulkan 1.3.239 and SPIR-V 1.6 (Debian 12) do not have. */
#ifndef XB_VULKAN_NEWER_H
#define XB_VULKAN_NEWER_H

#include <vulkan/vulkan_core.h>

/* Macros, as the names may be enumerators of a newer SPIR-V header. */
#define SpvCapabilityCooperativeMatrixKHR 6022
#define SpvCapabilityGroupNonUniformRotateKHR 6026
#define SpvCapabilityBFloat16TypeKHR 5116
#define SpvCapabilityBFloat16DotProductKHR 5117
#define SpvCapabilityBFloat16CooperativeMatrixKHR 5118
#define SpvCapabilityFloat8EXT 4212
#define SpvCapabilityFloat8CooperativeMatrixEXT 4213
#define SpvCapabilityTensorAddressingNV 5439
#define SpvCapabilityCooperativeMatrixReductionsNV 5430
#define SpvCapabilityCooperativeMatrixConversionsNV 5431
#define SpvCapabilityCooperativeMatrixPerElementOperationsNV 5432
#define SpvCapabilityCooperativeMatrixTensorAddressingNV 5433
#define SpvCapabilityCooperativeMatrixBlockLoadsNV 5434
enum {
  VK_SPV_OP_TYPE_COOPERATIVE_MATRIX = 4456,
  VK_SPV_OP_TYPE_TENSOR_LAYOUT = 5370,
  VK_SPV_OP_TYPE_TENSOR_VIEW = 5371
};

/* Vulkan's header has it as beta only. */
#ifndef VK_KHR_PORTABILITY_SUBSET_EXTENSION_NAME
#define VK_KHR_PORTABILITY_SUBSET_EXTENSION_NAME "VK_KHR_portability_subset"
#endif

#ifndef VK_KHR_cooperative_matrix
#define VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME "VK_KHR_cooperative_matrix"
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR ((VkStructureType)1000506000)
#define VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR ((VkStructureType)1000506001)

typedef enum VkComponentTypeKHR {
  VK_COMPONENT_TYPE_FLOAT16_KHR,
  VK_COMPONENT_TYPE_FLOAT32_KHR,
  VK_COMPONENT_TYPE_SINT8_KHR = 3,
  VK_COMPONENT_TYPE_SINT32_KHR = 5
} VkComponentTypeKHR;
typedef enum VkScopeKHR { VK_SCOPE_SUBGROUP_KHR = 3 } VkScopeKHR;

typedef struct VkPhysicalDeviceCooperativeMatrixFeaturesKHR {
  VkStructureType sType;
  void *pNext;
  VkBool32 cooperativeMatrix, cooperativeMatrixRobustBufferAccess;
} VkPhysicalDeviceCooperativeMatrixFeaturesKHR;

typedef struct VkCooperativeMatrixPropertiesKHR {
  VkStructureType sType;
  void *pNext;
  uint32_t MSize, NSize, KSize;
  VkComponentTypeKHR AType, BType, CType, ResultType;
  VkBool32 saturatingAccumulation;
  VkScopeKHR scope;
} VkCooperativeMatrixPropertiesKHR;

typedef VkResult(VKAPI_PTR *PFN_vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR)(VkPhysicalDevice, uint32_t *,
                                                                                   VkCooperativeMatrixPropertiesKHR *);
#endif

#ifndef VK_NV_cooperative_matrix2
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_2_FEATURES_NV ((VkStructureType)1000593000)

typedef struct VkPhysicalDeviceCooperativeMatrix2FeaturesNV {
  VkStructureType sType;
  void *pNext;
  VkBool32 cooperativeMatrixWorkgroupScope, cooperativeMatrixFlexibleDimensions, cooperativeMatrixReductions,
      cooperativeMatrixConversions, cooperativeMatrixPerElementOperations, cooperativeMatrixTensorAddressing,
      cooperativeMatrixBlockLoads;
} VkPhysicalDeviceCooperativeMatrix2FeaturesNV;
#endif

#ifndef VK_KHR_shader_bfloat16
#define VK_KHR_SHADER_BFLOAT16_EXTENSION_NAME "VK_KHR_shader_bfloat16"
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_BFLOAT16_FEATURES_KHR ((VkStructureType)1000141000)
#define VK_COMPONENT_TYPE_BFLOAT16_KHR ((VkComponentTypeKHR)1000141000)

typedef struct VkPhysicalDeviceShaderBfloat16FeaturesKHR {
  VkStructureType sType;
  void *pNext;
  VkBool32 shaderBFloat16Type, shaderBFloat16DotProduct, shaderBFloat16CooperativeMatrix;
} VkPhysicalDeviceShaderBfloat16FeaturesKHR;
#endif

#ifndef VK_EXT_shader_float8
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT8_FEATURES_EXT ((VkStructureType)1000567000)
#define VK_COMPONENT_TYPE_FLOAT8_E4M3_EXT ((VkComponentTypeKHR)1000491002)
#define VK_COMPONENT_TYPE_FLOAT8_E5M2_EXT ((VkComponentTypeKHR)1000491003)

typedef struct VkPhysicalDeviceShaderFloat8FeaturesEXT {
  VkStructureType sType;
  void *pNext;
  VkBool32 shaderFloat8, shaderFloat8CooperativeMatrix;
} VkPhysicalDeviceShaderFloat8FeaturesEXT;
#endif

#ifndef VK_KHR_shader_subgroup_rotate
#define VK_KHR_SHADER_SUBGROUP_ROTATE_EXTENSION_NAME "VK_KHR_shader_subgroup_rotate"
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SUBGROUP_ROTATE_FEATURES_KHR ((VkStructureType)1000416000)

typedef struct VkPhysicalDeviceShaderSubgroupRotateFeaturesKHR {
  VkStructureType sType;
  void *pNext;
  VkBool32 shaderSubgroupRotate, shaderSubgroupRotateClustered;
} VkPhysicalDeviceShaderSubgroupRotateFeaturesKHR;
#endif

#ifndef VK_KHR_shader_maximal_reconvergence
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_MAXIMAL_RECONVERGENCE_FEATURES_KHR ((VkStructureType)1000434000)

typedef struct VkPhysicalDeviceShaderMaximalReconvergenceFeaturesKHR {
  VkStructureType sType;
  void *pNext;
  VkBool32 shaderMaximalReconvergence;
} VkPhysicalDeviceShaderMaximalReconvergenceFeaturesKHR;
#endif

#ifndef VK_KHR_COMPUTE_SHADER_DERIVATIVES_EXTENSION_NAME
#define VK_KHR_COMPUTE_SHADER_DERIVATIVES_EXTENSION_NAME "VK_KHR_compute_shader_derivatives"
#endif

#ifndef VK_KHR_maintenance5
#define VK_KHR_MAINTENANCE_5_EXTENSION_NAME "VK_KHR_maintenance5"
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES_KHR ((VkStructureType)1000470000)
#define VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR ((VkStructureType)1000470005)

typedef struct VkPhysicalDeviceMaintenance5FeaturesKHR {
  VkStructureType sType;
  void *pNext;
  VkBool32 maintenance5;
} VkPhysicalDeviceMaintenance5FeaturesKHR;

typedef struct VkPipelineCreateFlags2CreateInfoKHR {
  VkStructureType sType;
  const void *pNext;
  VkFlags64 flags;
} VkPipelineCreateFlags2CreateInfoKHR;
#endif

#ifndef VK_KHR_pipeline_binary
#define VK_KHR_PIPELINE_BINARY_EXTENSION_NAME "VK_KHR_pipeline_binary"
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_BINARY_FEATURES_KHR ((VkStructureType)1000483000)
#define VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR ((VkStructureType)1000483001)
#define VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR ((VkStructureType)1000483002)
#define VK_STRUCTURE_TYPE_PIPELINE_BINARY_KEY_KHR ((VkStructureType)1000483003)
#define VK_STRUCTURE_TYPE_PIPELINE_BINARY_DATA_INFO_KHR ((VkStructureType)1000483006)
#define VK_STRUCTURE_TYPE_PIPELINE_BINARY_HANDLES_INFO_KHR ((VkStructureType)1000483009)
#define VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR UINT64_C(0x80000000)
#define VK_MAX_PIPELINE_BINARY_KEY_SIZE_KHR 32
VK_DEFINE_NON_DISPATCHABLE_HANDLE(VkPipelineBinaryKHR)

typedef struct VkPhysicalDevicePipelineBinaryFeaturesKHR {
  VkStructureType sType;
  void *pNext;
  VkBool32 pipelineBinaries;
} VkPhysicalDevicePipelineBinaryFeaturesKHR;

typedef struct VkPipelineBinaryKeyKHR {
  VkStructureType sType;
  void *pNext;
  uint32_t keySize;
  uint8_t key[VK_MAX_PIPELINE_BINARY_KEY_SIZE_KHR];
} VkPipelineBinaryKeyKHR;

typedef struct VkPipelineBinaryDataKHR {
  size_t dataSize;
  void *pData;
} VkPipelineBinaryDataKHR;

typedef struct VkPipelineBinaryKeysAndDataKHR {
  uint32_t binaryCount;
  const VkPipelineBinaryKeyKHR *pPipelineBinaryKeys;
  const VkPipelineBinaryDataKHR *pPipelineBinaryData;
} VkPipelineBinaryKeysAndDataKHR;

typedef struct VkPipelineBinaryCreateInfoKHR {
  VkStructureType sType;
  const void *pNext;
  const VkPipelineBinaryKeysAndDataKHR *pKeysAndDataInfo;
  VkPipeline pipeline;
  const void *pPipelineCreateInfo;
} VkPipelineBinaryCreateInfoKHR;

typedef struct VkPipelineBinaryInfoKHR {
  VkStructureType sType;
  const void *pNext;
  uint32_t binaryCount;
  const VkPipelineBinaryKHR *pPipelineBinaries;
} VkPipelineBinaryInfoKHR;

typedef struct VkPipelineBinaryDataInfoKHR {
  VkStructureType sType;
  void *pNext;
  VkPipelineBinaryKHR pipelineBinary;
} VkPipelineBinaryDataInfoKHR;

typedef struct VkPipelineBinaryHandlesInfoKHR {
  VkStructureType sType;
  const void *pNext;
  uint32_t pipelineBinaryCount;
  VkPipelineBinaryKHR *pPipelineBinaries;
} VkPipelineBinaryHandlesInfoKHR;

typedef VkResult(VKAPI_PTR *PFN_vkCreatePipelineBinariesKHR)(VkDevice, const VkPipelineBinaryCreateInfoKHR *,
                                                             const VkAllocationCallbacks *,
                                                             VkPipelineBinaryHandlesInfoKHR *);
typedef void(VKAPI_PTR *PFN_vkDestroyPipelineBinaryKHR)(VkDevice, VkPipelineBinaryKHR, const VkAllocationCallbacks *);
typedef VkResult(VKAPI_PTR *PFN_vkGetPipelineBinaryDataKHR)(VkDevice, const VkPipelineBinaryDataInfoKHR *,
                                                            VkPipelineBinaryKeyKHR *, size_t *, void *);
#endif

#endif
