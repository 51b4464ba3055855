/* Shared by the shim's files. */
#ifndef XB_SHIM_INTERNAL_H
#define XB_SHIM_INTERNAL_H

#include "shim.h"

#include "backend_vulkan/symbols.h"

/* Every function that the backend calls. */
#define SHIM_SYMBOLS(X)                                                                                                \
  VK_GLOBAL_SYMBOLS(X)                                                                                                 \
  VK_INSTANCE_SYMBOLS(X)                                                                                               \
  VK_INSTANCE_OPTIONAL_SYMBOLS(X)                                                                                      \
  VK_DEVICE_SYMBOLS(X)                                                                                                 \
  VK_DEVICE_OPTIONAL_SYMBOLS(X)

#define FN(name) FN_##name,
typedef enum shim_fn { SHIM_SYMBOLS(FN) FN_COUNT } shim_fn;
#undef FN

/* ---- functions.c: one wrapper for each --------------------------------------------------------------------------- */

typedef struct shim_function {
  const char *name;
  PFN_vkVoidFunction wrapper;
  bool can_fail; /* it returns a VkResult */
} shim_function;

extern const shim_function shim_functions[FN_COUNT];
/* Returns FN_COUNT if no function has this name. */
shim_fn shim_find(const char *name);

/* Prototypes; a row that is missing in functions.def, or differs from Vulkan's type, does not compile. */
#define RESULT(name, params, args) VKAPI_ATTR VkResult VKAPI_CALL shim_##name params;
#define VOID(name, params, args) VKAPI_ATTR void VKAPI_CALL shim_##name params;
#define OWN_RESULT(name, params) VKAPI_ATTR VkResult VKAPI_CALL shim_##name params;
#define OWN_VOID(name, params) VKAPI_ATTR void VKAPI_CALL shim_##name params;
#include "functions.def"
#undef RESULT
#undef VOID
#undef OWN_RESULT
#undef OWN_VOID
VKAPI_ATTR VkDeviceAddress VKAPI_CALL shim_GetBufferDeviceAddress(VkDevice device,
                                                                  const VkBufferDeviceAddressInfo *info);
VKAPI_ATTR VkDeviceAddress VKAPI_CALL shim_GetBufferDeviceAddressKHR(VkDevice device,
                                                                     const VkBufferDeviceAddressInfo *info);
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL shim_GetDeviceProcAddr(VkDevice device, const char *name);

/* ---- loader.c ---------------------------------------------------------------------------------------------------- */

/* The loader's own functions, from the last query. */
extern PFN_vkVoidFunction shim_next[FN_COUNT];
#define NEXT(name) ((PFN_vk##name)shim_next[FN_##name])

/* ---- control.c --------------------------------------------------------------------------------------------------- */

extern xb_shim_fake shim_fake;
/* Counts the call. If it returns an error, the call has to fail with it. */
VkResult shim_enter(shim_fn fn);
__attribute__((format(printf, 1, 2))) void shim_wrong(const char *format, ...);

/* ---- objects.c --------------------------------------------------------------------------------------------------- */

/* The value of undefined outputs of a failed call. */
#define SHIM_NOTHING ((uintptr_t)0xDEAD0000DEAD0000u)

/* The kind of an object is the function that destroys it. */
void shim_born(shim_fn destroyer, uint64_t handle, const void *parent);
/* Returns false if the object is not alive; notes a fault, unless the handle is null. */
bool shim_died(shim_fn destroyer, uint64_t handle);
uint32_t shim_alive(void);
const char *shim_first_alive(void);
void shim_bury(void);

/* ---- waves.c ----------------------------------------------------------------------------------------------------- */

void shim_module_info(const VkShaderModuleCreateInfo *info);
void shim_wave_properties(VkBaseOutStructure *s);
/* Returns the module that the stage got instead of its own, to be destroyed; or null. */
VkShaderModule shim_stage_info(VkDevice device, VkPipelineShaderStageCreateInfo *stage);
uint32_t shim_waves_asked(bool *full);

/* ---- semaphores.c ------------------------------------------------------------------------------------------------ */

/* Takes out what the driver does not know. */
void shim_semaphore_info(VkSemaphoreCreateInfo *info);
/* Before it is destroyed: true if an import stands for it, which destroys it later. */
bool shim_keeps(VkDevice device, VkSemaphore handle);

/* ---- queues.c, memory.c: the fakes ------------------------------------------------------------------------------- */

/* The real queue family. */
uint32_t shim_family(uint32_t family);
void shim_buffer_info(VkBufferCreateInfo *info);
void shim_image_info(VkImageCreateInfo *info);
void shim_instance_info(const VkInstanceCreateInfo *info);
void shim_device_info(VkDeviceCreateInfo *info, VkDeviceQueueCreateInfo *queues, const char **names);
uint32_t shim_last_memory_type(void);
uint32_t shim_last_barrier(void);
uint32_t shim_owners(bool external);
bool shim_enabled(const char *extension);

/* The length of a list, of which a damaged driver says another one when it is read than when it is counted. */
static inline uint32_t shim_length(uint32_t count, const void *list)
{
  return !list                                      ? count
         : shim_fake.lie == XB_SHIM_GROWING_LISTS   ? count + 1000
         : shim_fake.lie == XB_SHIM_SHRINKING_LISTS ? 0
                                                    : count;
}

#endif
