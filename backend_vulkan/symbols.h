/* The functions used from libvulkan.so.1, which is opened at run time. */
#ifndef XB_VULKAN_SYMBOLS_H
#define XB_VULKAN_SYMBOLS_H

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

#include "newer.h"
#include "xb/error.h"

#define VK_GLOBAL_SYMBOLS(X)                                                                                           \
  X(CreateInstance)                                                                                                    \
  X(EnumerateInstanceLayerProperties)                                                                                  \
  X(EnumerateInstanceVersion)

#define VK_INSTANCE_SYMBOLS(X)                                                                                         \
  X(CreateDevice)                                                                                                      \
  X(DestroyInstance)                                                                                                   \
  X(EnumerateDeviceExtensionProperties)                                                                                \
  X(EnumeratePhysicalDevices)                                                                                          \
  X(GetDeviceProcAddr)                                                                                                 \
  X(GetPhysicalDeviceExternalSemaphoreProperties)                                                                      \
  X(GetPhysicalDeviceFeatures2)                                                                                        \
  X(GetPhysicalDeviceFormatProperties2)                                                                                \
  X(GetPhysicalDeviceMemoryProperties2)                                                                                \
  X(GetPhysicalDeviceProperties2)                                                                                      \
  X(GetPhysicalDeviceQueueFamilyProperties2)

/* Functions of extensions; NULL if not enabled. */
#define VK_INSTANCE_OPTIONAL_SYMBOLS(X)                                                                                \
  X(CmdBeginDebugUtilsLabelEXT)                                                                                        \
  X(CmdEndDebugUtilsLabelEXT)                                                                                          \
  X(CreateDebugUtilsMessengerEXT)                                                                                      \
  X(DestroyDebugUtilsMessengerEXT)                                                                                     \
  X(GetPhysicalDeviceCalibrateableTimeDomainsEXT)                                                                      \
  X(GetPhysicalDeviceCooperativeMatrixPropertiesKHR)                                                                   \
  X(SetDebugUtilsObjectNameEXT)

#define VK_DEVICE_SYMBOLS(X)                                                                                           \
  X(AllocateCommandBuffers)                                                                                            \
  X(AllocateDescriptorSets)                                                                                            \
  X(AllocateMemory)                                                                                                    \
  X(BeginCommandBuffer)                                                                                                \
  X(BindBufferMemory)                                                                                                  \
  X(BindImageMemory)                                                                                                   \
  X(CmdBindDescriptorSets)                                                                                             \
  X(CmdBindPipeline)                                                                                                   \
  X(CmdCopyBuffer)                                                                                                     \
  X(CmdCopyBufferToImage)                                                                                              \
  X(CmdCopyImageToBuffer)                                                                                              \
  X(CmdDispatch)                                                                                                       \
  X(CmdDispatchIndirect)                                                                                               \
  X(CmdFillBuffer)                                                                                                     \
  X(CmdPipelineBarrier)                                                                                                \
  X(CmdPushConstants)                                                                                                  \
  X(CmdResetQueryPool)                                                                                                 \
  X(CmdWriteTimestamp)                                                                                                 \
  X(CreateBuffer)                                                                                                      \
  X(CreateBufferView)                                                                                                  \
  X(CreateCommandPool)                                                                                                 \
  X(CreateComputePipelines)                                                                                            \
  X(CreateDescriptorPool)                                                                                              \
  X(CreateDescriptorSetLayout)                                                                                         \
  X(CreateFence)                                                                                                       \
  X(CreateImage)                                                                                                       \
  X(CreateImageView)                                                                                                   \
  X(CreatePipelineCache)                                                                                               \
  X(CreatePipelineLayout)                                                                                              \
  X(CreateQueryPool)                                                                                                   \
  X(CreateSampler)                                                                                                     \
  X(CreateSemaphore)                                                                                                   \
  X(CreateShaderModule)                                                                                                \
  X(DestroyBuffer)                                                                                                     \
  X(DestroyBufferView)                                                                                                 \
  X(DestroyCommandPool)                                                                                                \
  X(DestroyDescriptorPool)                                                                                             \
  X(DestroyDescriptorSetLayout)                                                                                        \
  X(DestroyDevice)                                                                                                     \
  X(DestroyFence)                                                                                                      \
  X(DestroyImage)                                                                                                      \
  X(DestroyImageView)                                                                                                  \
  X(DestroyPipeline)                                                                                                   \
  X(DestroyPipelineCache)                                                                                              \
  X(DestroyPipelineLayout)                                                                                             \
  X(DestroyQueryPool)                                                                                                  \
  X(DestroySampler)                                                                                                    \
  X(DestroySemaphore)                                                                                                  \
  X(DestroyShaderModule)                                                                                               \
  X(EndCommandBuffer)                                                                                                  \
  X(FlushMappedMemoryRanges)                                                                                           \
  X(FreeMemory)                                                                                                        \
  X(GetBufferMemoryRequirements)                                                                                       \
  X(GetDeviceQueue)                                                                                                    \
  X(GetImageMemoryRequirements)                                                                                        \
  X(GetPipelineCacheData)                                                                                              \
  X(GetQueryPoolResults)                                                                                               \
  X(InvalidateMappedMemoryRanges)                                                                                      \
  X(MapMemory)                                                                                                         \
  X(QueueSubmit)                                                                                                       \
  X(ResetFences)                                                                                                       \
  X(UpdateDescriptorSets)                                                                                              \
  X(WaitForFences)

#define VK_DEVICE_OPTIONAL_SYMBOLS(X)                                                                                  \
  X(CreatePipelineBinariesKHR)                                                                                         \
  X(DestroyPipelineBinaryKHR)                                                                                          \
  X(GetBufferDeviceAddress)                                                                                            \
  X(GetBufferDeviceAddressKHR)                                                                                         \
  X(GetCalibratedTimestampsEXT)                                                                                        \
  X(GetMemoryFdKHR)                                                                                                    \
  X(GetMemoryHostPointerPropertiesEXT)                                                                                 \
  X(GetPipelineBinaryDataKHR)                                                                                          \
  X(GetPipelineExecutableInternalRepresentationsKHR)                                                                   \
  X(GetPipelineExecutablePropertiesKHR)                                                                                \
  X(GetPipelineExecutableStatisticsKHR)                                                                                \
  X(GetSemaphoreFdKHR)                                                                                                 \
  X(ImportSemaphoreFdKHR)                                                                                              \
  X(ResetQueryPool)                                                                                                    \
  X(ResetQueryPoolEXT)

#define VK_MEMBER(name) PFN_vk##name name;

/* One per process. */
typedef struct vk_loader {
  PFN_vkGetInstanceProcAddr GetInstanceProcAddr;
  PFN_vkGetDeviceProcAddr GetDeviceProcAddr;
  VK_GLOBAL_SYMBOLS(VK_MEMBER)
} vk_loader;

typedef struct vk_instance_symbols {
  VK_INSTANCE_SYMBOLS(VK_MEMBER)
  VK_INSTANCE_OPTIONAL_SYMBOLS(VK_MEMBER)
} vk_instance_symbols;

typedef struct vk_device_symbols {
  VK_DEVICE_SYMBOLS(VK_MEMBER)
  VK_DEVICE_OPTIONAL_SYMBOLS(VK_MEMBER)
} vk_device_symbols;

/* Opens the library on the first call and keeps it open. Thread-safe. NULL with an error if it is missing. */
const vk_loader *vk_loader_get(xb_error *err);

xb_code vk_load_instance_symbols(const vk_loader *loader, VkInstance instance, vk_instance_symbols *symbols,
                                 xb_error *err);
xb_code vk_load_device_symbols(const vk_instance_symbols *instance, VkDevice device, vk_device_symbols *symbols,
                               xb_error *err);

#endif
