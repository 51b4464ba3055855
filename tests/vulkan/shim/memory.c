/* Simulates kinds of memory that the device does not have. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_ALLOCATIONS = 64 };

typedef struct allocation {
  VkDeviceMemory memory;
  VkDeviceSize bytes;
  uint32_t type;       /* the caller's type */
  unsigned char *real; /* mapped */
  unsigned char *copy; /* the host's view of non-coherent memory */
} allocation;

static allocation allocations[MAX_ALLOCATIONS];
static VkPhysicalDeviceMemoryProperties shown;
static bool two_heaps;
static uint32_t last_type;

static allocation *find(VkDeviceMemory memory)
{
  for (int i = 0; i < MAX_ALLOCATIONS; i++)
    if (allocations[i].memory == memory)
      return &allocations[i];
  return NULL;
}

static void split_heaps(VkPhysicalDeviceMemoryProperties *m)
{
  const VkMemoryPropertyFlags host = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  const VkMemoryPropertyFlags device = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
  if (shim_fake.memory == XB_SHIM_MEMORY_INTEGRATED) {
    m->memoryTypeCount = 2;
    m->memoryTypes[XB_SHIM_TYPE_LOCAL] = (VkMemoryType){device | host, 0};
    m->memoryTypes[XB_SHIM_TYPE_LOCAL_CACHED] = (VkMemoryType){device | host | VK_MEMORY_PROPERTY_HOST_CACHED_BIT, 0};
    return;
  }
  m->memoryHeapCount = 2;
  m->memoryHeaps[1] = (VkMemoryHeap){.size = m->memoryHeaps[0].size * 2};
  m->memoryTypeCount = XB_SHIM_TYPES;
  m->memoryTypes[XB_SHIM_TYPE_DEVICE] = (VkMemoryType){device, 0};
  m->memoryTypes[XB_SHIM_TYPE_HOST] = (VkMemoryType){host, 1};
  m->memoryTypes[XB_SHIM_TYPE_HOST_CACHED] = (VkMemoryType){host | VK_MEMORY_PROPERTY_HOST_CACHED_BIT, 1};
  m->memoryTypes[XB_SHIM_TYPE_DEVICE_HOST] = (VkMemoryType){device | host, 0};
}

void shim_GetPhysicalDeviceMemoryProperties2(VkPhysicalDevice physical, VkPhysicalDeviceMemoryProperties2 *out)
{
  shim_enter(FN_GetPhysicalDeviceMemoryProperties2);
  NEXT(GetPhysicalDeviceMemoryProperties2)(physical, out);
  VkPhysicalDeviceMemoryProperties *m = &out->memoryProperties;
  two_heaps = (shim_fake.memory == XB_SHIM_MEMORY_TWO_HEAPS || shim_fake.memory == XB_SHIM_MEMORY_INTEGRATED) &&
              m->memoryTypeCount == 1;
  if (two_heaps)
    split_heaps(m);
  for (uint32_t i = 0; i < m->memoryTypeCount; i++) {
    if (shim_fake.memory == XB_SHIM_MEMORY_NON_COHERENT)
      m->memoryTypes[i].propertyFlags &= ~(VkMemoryPropertyFlags)VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    if (shim_fake.memory == XB_SHIM_MEMORY_NO_HOST)
      m->memoryTypes[i].propertyFlags &= VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
  }
  if (shim_fake.lie == XB_SHIM_MANY_TYPES)
    m->memoryTypeCount = 99;
  if (shim_fake.lie == XB_SHIM_MANY_HEAPS)
    m->memoryHeapCount = 99;
  if (shim_fake.lie == XB_SHIM_NO_SUCH_HEAP)
    m->memoryTypes[0].heapIndex = 77;
  shown = *m;
}

void shim_GetBufferMemoryRequirements(VkDevice device, VkBuffer buffer, VkMemoryRequirements *out)
{
  shim_enter(FN_GetBufferMemoryRequirements);
  NEXT(GetBufferMemoryRequirements)(device, buffer, out);
  if (two_heaps)
    out->memoryTypeBits = (1u << XB_SHIM_TYPES) - 1;
}

void shim_GetImageMemoryRequirements(VkDevice device, VkImage image, VkMemoryRequirements *out)
{
  shim_enter(FN_GetImageMemoryRequirements);
  NEXT(GetImageMemoryRequirements)(device, image, out);
  if (two_heaps)
    out->memoryTypeBits = (1u << XB_SHIM_TYPES) - 1;
}

VkResult shim_GetMemoryHostPointerPropertiesEXT(VkDevice device, VkExternalMemoryHandleTypeFlagBits type,
                                                const void *pointer, VkMemoryHostPointerPropertiesEXT *out)
{
  const VkResult failed = shim_enter(FN_GetMemoryHostPointerPropertiesEXT);
  const VkResult result = failed ? failed : NEXT(GetMemoryHostPointerPropertiesEXT)(device, type, pointer, out);
  if (two_heaps)
    out->memoryTypeBits = (1u << XB_SHIM_TYPE_HOST) | (1u << XB_SHIM_TYPE_HOST_CACHED);
  return result;
}

uint32_t shim_last_memory_type(void)
{
  return last_type;
}

/* True for a dedicated allocation: nothing else will use the memory. It must have the size that the buffer or image
 * requires. Imported memory is the caller's. */
static bool is_dedicated(VkDevice device, const VkMemoryAllocateInfo *info)
{
  for (const VkBaseInStructure *next = info->pNext; next; next = next->pNext) {
    if (next->sType == VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT)
      return true;
    if (next->sType == VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO) {
      const VkMemoryDedicatedAllocateInfo *of = (const VkMemoryDedicatedAllocateInfo *)next;
      VkMemoryRequirements needs;
      if (of->image)
        NEXT(GetImageMemoryRequirements)(device, of->image, &needs);
      else
        NEXT(GetBufferMemoryRequirements)(device, of->buffer, &needs);
      return info->allocationSize == needs.size;
    }
  }
  return false;
}

VkResult shim_AllocateMemory(VkDevice device, const VkMemoryAllocateInfo *info, const VkAllocationCallbacks *a,
                             VkDeviceMemory *out)
{
  VkMemoryAllocateInfo changed = *info;
  VkResult result = shim_enter(FN_AllocateMemory);
  *out = (VkDeviceMemory)SHIM_NOTHING;
  if (result)
    return result;
  if (!is_dedicated(device, info))
    shim_wrong("the allocation is not dedicated to one buffer or image");
  last_type = info->memoryTypeIndex;
  if (two_heaps)
    changed.memoryTypeIndex = 0;
  result = NEXT(AllocateMemory)(device, &changed, a, out);
  if (result)
    return result;
  shim_born(FN_FreeMemory, (uint64_t)*out, device);
  allocation *free_place = find(VK_NULL_HANDLE);
  if (!free_place)
    shim_wrong("more than %d allocations are alive", MAX_ALLOCATIONS);
  else
    *free_place = (allocation){.memory = *out, .bytes = info->allocationSize, .type = info->memoryTypeIndex};
  return result;
}

void shim_FreeMemory(VkDevice device, VkDeviceMemory handle, const VkAllocationCallbacks *a)
{
  shim_enter(FN_FreeMemory);
  if (!shim_died(FN_FreeMemory, (uint64_t)handle))
    return;
  allocation *m = find(handle);
  if (m) {
    free(m->copy);
    *m = (allocation){0};
  }
  NEXT(FreeMemory)(device, handle, a);
}

VkResult shim_MapMemory(VkDevice device, VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize size,
                        VkMemoryMapFlags flags, void **out)
{
  VkResult result = shim_enter(FN_MapMemory);
  *out = (void *)SHIM_NOTHING;
  if (result)
    return result;
  allocation *m = find(memory);
  if (!m || !(shown.memoryTypes[m->type].propertyFlags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT))
    shim_wrong("vkMapMemory of memory that the host cannot see");
  result = NEXT(MapMemory)(device, memory, offset, size, flags, out);
  if (shim_fake.lie == XB_SHIM_NO_MAPS)
    *out = NULL;
  if (result || !m)
    return result;
  m->real = *out;
  if (shim_fake.memory == XB_SHIM_MEMORY_NON_COHERENT && (m->copy = malloc((size_t)m->bytes))) {
    memset(m->copy, 0xA5, (size_t)m->bytes);
    *out = m->copy;
  }
  return result;
}

/* Copies mapped ranges to the device or from it. */
static void carry(const char *call, uint32_t count, const VkMappedMemoryRange *ranges, bool to_device)
{
  for (uint32_t i = 0; i < count; i++) {
    const allocation *m = find(ranges[i].memory);
    if (!m || !m->real || ranges[i].offset || ranges[i].size != VK_WHOLE_SIZE)
      shim_wrong("%s of a range that is not a whole mapping", call);
    else if (m->copy)
      memcpy(to_device ? m->real : m->copy, to_device ? m->copy : m->real, (size_t)m->bytes);
  }
}

VkResult shim_FlushMappedMemoryRanges(VkDevice device, uint32_t count, const VkMappedMemoryRange *ranges)
{
  const VkResult failed = shim_enter(FN_FlushMappedMemoryRanges);
  if (failed)
    return failed;
  carry("vkFlushMappedMemoryRanges", count, ranges, true);
  return NEXT(FlushMappedMemoryRanges)(device, count, ranges);
}

VkResult shim_InvalidateMappedMemoryRanges(VkDevice device, uint32_t count, const VkMappedMemoryRange *ranges)
{
  const VkResult failed = shim_enter(FN_InvalidateMappedMemoryRanges);
  if (failed)
    return failed;
  const VkResult result = NEXT(InvalidateMappedMemoryRanges)(device, count, ranges);
  carry("vkInvalidateMappedMemoryRanges", count, ranges, false);
  return result;
}

VkDeviceAddress shim_GetBufferDeviceAddress(VkDevice device, const VkBufferDeviceAddressInfo *info)
{
  shim_enter(FN_GetBufferDeviceAddress);
  return NEXT(GetBufferDeviceAddress)(device, info);
}

VkDeviceAddress shim_GetBufferDeviceAddressKHR(VkDevice device, const VkBufferDeviceAddressInfo *info)
{
  shim_enter(FN_GetBufferDeviceAddressKHR);
  return NEXT(GetBufferDeviceAddressKHR)(device, info);
}
