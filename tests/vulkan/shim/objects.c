/* Tracks every object from creation to destruction. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_OBJECTS = 1024 };

typedef struct object {
  shim_fn destroyer;
  uint64_t handle;
  const void *parent; /* device or instance */
} object;

static object objects[MAX_OBJECTS]; /* oldest first */
static uint32_t count;
static VkInstance last_instance; /* owns the one open device */

void shim_born(shim_fn destroyer, uint64_t handle, const void *parent)
{
  if (count == MAX_OBJECTS)
    shim_wrong("more than %d objects are alive", MAX_OBJECTS);
  else
    objects[count++] = (object){destroyer, handle, parent};
}

bool shim_died(shim_fn destroyer, uint64_t handle)
{
  uint32_t i = 0;
  while (i < count && (objects[i].destroyer != destroyer || objects[i].handle != handle))
    i++;
  if (i == count) {
    if (handle)
      shim_wrong("%s of an object that does not exist: 0x%llx", shim_functions[destroyer].name,
                 (unsigned long long)handle);
    return false;
  }
  count--;
  memmove(&objects[i], &objects[i + 1], (count - i) * sizeof *objects);
  for (i = 0; i < count; i++)
    if (objects[i].parent == (const void *)(uintptr_t)handle)
      shim_wrong("%s before %s of a child", shim_functions[destroyer].name, shim_functions[objects[i].destroyer].name);
  return true;
}

uint32_t shim_alive(void)
{
  return count;
}

const char *shim_first_alive(void)
{
  return count ? shim_functions[objects[0].destroyer].name : "nothing";
}

static void let_finish(VkDevice device)
{
  const PFN_vkDeviceWaitIdle wait = (PFN_vkDeviceWaitIdle)NEXT(GetDeviceProcAddr)(device, "vkDeviceWaitIdle");
  if (wait)
    wait(device);
}

/* ---- Created in one way ------------------------------------------------------------------------------------------ */

#define OBJECT(name, change, before)                                                                                   \
  VkResult shim_Create##name(VkDevice device, const Vk##name##CreateInfo *info, const VkAllocationCallbacks *a,        \
                             Vk##name *out)                                                                            \
  {                                                                                                                    \
    Vk##name##CreateInfo changed = *info;                                                                              \
    VkResult result = shim_enter(FN_Create##name);                                                                     \
    *out = (Vk##name)SHIM_NOTHING;                                                                                     \
    if (result)                                                                                                        \
      return result;                                                                                                   \
    change;                                                                                                            \
    result = NEXT(Create##name)(device, &changed, a, out);                                                             \
    if (!result)                                                                                                       \
      shim_born(FN_Destroy##name, (uint64_t)*out, device);                                                             \
    return result;                                                                                                     \
  }                                                                                                                    \
  void shim_Destroy##name(VkDevice device, Vk##name handle, const VkAllocationCallbacks *a)                            \
  {                                                                                                                    \
    shim_enter(FN_Destroy##name);                                                                                      \
    if (!shim_died(FN_Destroy##name, (uint64_t)handle))                                                                \
      return;                                                                                                          \
    before;                                                                                                            \
    NEXT(Destroy##name)(device, handle, a);                                                                            \
  }
#define AS_IS (void)0
OBJECT(Buffer, shim_buffer_info(&changed), AS_IS)
OBJECT(BufferView, AS_IS, AS_IS)
OBJECT(CommandPool, changed.queueFamilyIndex = shim_family(changed.queueFamilyIndex), AS_IS)
OBJECT(DescriptorPool, AS_IS, AS_IS)
OBJECT(DescriptorSetLayout, AS_IS, AS_IS)
OBJECT(Fence, AS_IS, AS_IS)
OBJECT(Image, shim_image_info(&changed), AS_IS)
OBJECT(ImageView, AS_IS, AS_IS)
OBJECT(PipelineLayout, AS_IS, AS_IS)
OBJECT(QueryPool, AS_IS, AS_IS)
OBJECT(Sampler, AS_IS, AS_IS)
/* Mesa may signal emulated timelines after the fence of the same submission. */
OBJECT(Semaphore, shim_semaphore_info(&changed), let_finish(device); if (shim_keeps(device, handle)) return )
OBJECT(ShaderModule, shim_module_info(&changed), AS_IS)
#undef OBJECT

/* ---- The others -------------------------------------------------------------------------------------------------- */

VkResult shim_CreateInstance(const VkInstanceCreateInfo *info, const VkAllocationCallbacks *a, VkInstance *out)
{
  VkResult result = shim_enter(FN_CreateInstance);
  *out = (VkInstance)SHIM_NOTHING;
  if (result)
    return result;
  shim_instance_info(info);
  result = NEXT(CreateInstance)(info, a, out);
  if (!result)
    shim_born(FN_DestroyInstance, (uint64_t)(uintptr_t)(last_instance = *out), NULL);
  return result;
}

void shim_DestroyInstance(VkInstance instance, const VkAllocationCallbacks *a)
{
  shim_enter(FN_DestroyInstance);
  if (shim_died(FN_DestroyInstance, (uint64_t)(uintptr_t)instance))
    NEXT(DestroyInstance)(instance, a);
}

VkResult shim_CreateDebugUtilsMessengerEXT(VkInstance instance, const VkDebugUtilsMessengerCreateInfoEXT *info,
                                           const VkAllocationCallbacks *a, VkDebugUtilsMessengerEXT *out)
{
  VkResult result = shim_enter(FN_CreateDebugUtilsMessengerEXT);
  *out = (VkDebugUtilsMessengerEXT)SHIM_NOTHING;
  if (result)
    return result;
  result = NEXT(CreateDebugUtilsMessengerEXT)(instance, info, a, out);
  if (!result)
    shim_born(FN_DestroyDebugUtilsMessengerEXT, (uint64_t)*out, instance);
  return result;
}

void shim_DestroyDebugUtilsMessengerEXT(VkInstance instance, VkDebugUtilsMessengerEXT handle,
                                        const VkAllocationCallbacks *a)
{
  shim_enter(FN_DestroyDebugUtilsMessengerEXT);
  if (shim_died(FN_DestroyDebugUtilsMessengerEXT, (uint64_t)handle))
    NEXT(DestroyDebugUtilsMessengerEXT)(instance, handle, a);
}

VkResult shim_CreateDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo *info, const VkAllocationCallbacks *a,
                           VkDevice *out)
{
  VkDeviceCreateInfo changed = *info;
  VkDeviceQueueCreateInfo queues[4];
  const char *names[XB_SHIM_EXTENSIONS];
  VkResult result = shim_enter(FN_CreateDevice);
  *out = (VkDevice)SHIM_NOTHING;
  if (result)
    return result;
  shim_device_info(&changed, queues, names);
  result = NEXT(CreateDevice)(physical, &changed, a, out);
  if (!result)
    shim_born(FN_DestroyDevice, (uint64_t)(uintptr_t)*out, last_instance);
  return result;
}

void shim_DestroyDevice(VkDevice device, const VkAllocationCallbacks *a)
{
  shim_enter(FN_DestroyDevice);
  if (shim_died(FN_DestroyDevice, (uint64_t)(uintptr_t)device))
    NEXT(DestroyDevice)(device, a);
}

/* Only this function sets handles to null when it fails. */
VkResult shim_CreateComputePipelines(VkDevice device, VkPipelineCache cache, uint32_t n,
                                     const VkComputePipelineCreateInfo *infos, const VkAllocationCallbacks *a,
                                     VkPipeline *out)
{
  VkResult result = shim_enter(FN_CreateComputePipelines);
  memset(out, 0, n * sizeof *out);
  if (result)
    return result;
  VkComputePipelineCreateInfo changed = *infos; /* the backend creates one at a time */
  const VkShaderModule module = shim_stage_info(device, &changed.stage);
  result = NEXT(CreateComputePipelines)(device, cache, n, &changed, a, out);
  if (module)
    NEXT(DestroyShaderModule)(device, module, NULL);
  for (uint32_t i = 0; i < n; i++)
    if (out[i])
      shim_born(FN_DestroyPipeline, (uint64_t)out[i], device);
  return result;
}

void shim_DestroyPipeline(VkDevice device, VkPipeline handle, const VkAllocationCallbacks *a)
{
  shim_enter(FN_DestroyPipeline);
  if (shim_died(FN_DestroyPipeline, (uint64_t)handle))
    NEXT(DestroyPipeline)(device, handle, a);
}

/* ---- Cleanup ----------------------------------------------------------------------------------------------------- */

static void destroy(const object *o)
{
  const VkDevice device = (VkDevice)(uintptr_t)o->parent;
#define CASE(name, type)                                                                                               \
  case FN_##name: shim_##name(device, (type)(uintptr_t)o->handle, NULL); break;
  switch (o->destroyer) {
    CASE(DestroyBuffer, VkBuffer)
    CASE(DestroyBufferView, VkBufferView)
    CASE(DestroyCommandPool, VkCommandPool)
    CASE(DestroyDescriptorPool, VkDescriptorPool)
    CASE(DestroyDescriptorSetLayout, VkDescriptorSetLayout)
    CASE(DestroyFence, VkFence)
    CASE(DestroyImage, VkImage)
    CASE(DestroyImageView, VkImageView)
    CASE(DestroyPipeline, VkPipeline)
    CASE(DestroyPipelineLayout, VkPipelineLayout)
    CASE(DestroyQueryPool, VkQueryPool)
    CASE(DestroySampler, VkSampler)
    CASE(DestroySemaphore, VkSemaphore)
    CASE(DestroyShaderModule, VkShaderModule)
    CASE(FreeMemory, VkDeviceMemory)
  case FN_DestroyDevice: shim_DestroyDevice((VkDevice)(uintptr_t)o->handle, NULL); break;
  case FN_DestroyInstance: shim_DestroyInstance((VkInstance)(uintptr_t)o->handle, NULL); break;
  case FN_DestroyDebugUtilsMessengerEXT:
    shim_DestroyDebugUtilsMessengerEXT((VkInstance)(uintptr_t)o->parent, (VkDebugUtilsMessengerEXT)o->handle, NULL);
    break;
  default: abort();
  }
#undef CASE
}

void shim_bury(void)
{
  for (uint32_t i = 0; i < count; i++)
    if (objects[i].destroyer == FN_DestroyDevice)
      let_finish((VkDevice)(uintptr_t)objects[i].handle);
  while (count) { /* newest first: children are created after their parents */
    const object youngest = objects[count - 1];
    destroy(&youngest);
  }
}
