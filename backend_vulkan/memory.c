/* Buffers: each is a VkBuffer with its own memory. There is no fallback to another kind of memory. */
#include "vk.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

/* A memory type must have all required flags. Among those, the preferred flags choose; an earlier one counts more than
 * all later ones together. */
typedef struct wish {
  const char *name;
  VkMemoryPropertyFlags required, forbidden;
  struct {
    VkMemoryPropertyFlags flag;
    bool set;
  } preferred[3];
} wish;

static const wish WISHES[] = {
    [XB_MEM_DEVICE] = {"device-local",
                       VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
                       0,
                       {{VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT, false}}},
    /* Plain system memory, not device memory that is visible to the host (BAR). */
    [XB_MEM_UPLOAD] = {"host-visible",
                       VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT,
                       0,
                       {{VK_MEMORY_PROPERTY_HOST_COHERENT_BIT, true},
                        {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, false},
                        {VK_MEMORY_PROPERTY_HOST_CACHED_BIT, false}}},
    [XB_MEM_READBACK] = {"host-visible",
                         VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT,
                         0,
                         {{VK_MEMORY_PROPERTY_HOST_CACHED_BIT, true},
                          {VK_MEMORY_PROPERTY_HOST_COHERENT_BIT, true},
                          {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, false}}},
    /* Vulkan does not say 'write-combined': it says that the host's cache does not hold this memory. Where all memory
     * is device-local, on GPUs that share the host's, it may be. */
    [XB_MEM_UPLOAD_COMBINED] = {"write-combined (host-visible, not cached by the host)",
                                VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
                                VK_MEMORY_PROPERTY_HOST_CACHED_BIT | VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
                                {{0}}},
    [XB_MEM_DEVICE_MAPPED] = {"device-local, host-visible and coherent",
                              VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                  VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
                              0,
                              {{0}}},
    [XB_MEM_SHARED] = {"device-local",
                       VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
                       0,
                       {{VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT, false}}},
    /* It is not mapped, so it cannot be flushed. */
    [XB_MEM_IMPORTED] = {"coherent",
                         VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
                         0,
                         {{VK_MEMORY_PROPERTY_HOST_CACHED_BIT, true}}},
};

/* Memory types with special behaviour, never used. */
static const VkMemoryPropertyFlags UNWANTED =
    VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT | VK_MEMORY_PROPERTY_PROTECTED_BIT |
    VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD | VK_MEMORY_PROPERTY_DEVICE_UNCACHED_BIT_AMD;

static bool all_memory_is_local(const xb_be_device *d)
{
  for (uint32_t i = 0; i < d->memory.memoryHeapCount; i++)
    if (!(d->memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT))
      return false;
  return true;
}

xb_code vk_choose_memory_type(const xb_be_device *d, uint32_t allowed, xb_mem mem, uint32_t *type, xb_error *err)
{
  const wish *w = &WISHES[mem];
  const VkMemoryPropertyFlags own = all_memory_is_local(d) ? VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT : 0;
  const VkMemoryPropertyFlags forbidden = (w->forbidden & ~own) | UNWANTED;
  int best = -1;
  for (uint32_t i = 0; i < d->memory.memoryTypeCount; i++) {
    const VkMemoryPropertyFlags flags = d->memory.memoryTypes[i].propertyFlags;
    if (!(allowed >> i & 1) || (flags & w->required) != w->required || (flags & forbidden))
      continue;
    int score = 0;
    for (int p = 0; p < 3; p++)
      score = score * 2 + (((flags & w->preferred[p].flag) != 0) == w->preferred[p].set);
    if (score <= best)
      continue;
    best = score;
    *type = i;
  }
  if (best >= 0)
    return XB_OK;
  return xb_fail(err, XB_UNSUPPORTED, "xb_buffer_create", "the device has no %s memory for buffers", w->name);
}

/* Bytes that this process can still allocate from a heap; 0 = unknown, 1 = none. */
static uint64_t heap_free_bytes(const xb_be_device *d, uint32_t heap)
{
  if (!d->traits.memory_budget)
    return 0;
  VkPhysicalDeviceMemoryBudgetPropertiesEXT budget = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
  VkPhysicalDeviceMemoryProperties2 memory = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2,
      .pNext = &budget,
  };
  d->instance.vk.GetPhysicalDeviceMemoryProperties2(d->physical, &memory);
  const uint64_t all = budget.heapBudget[heap], used = budget.heapUsage[heap];
  return all > used ? all - used : 1;
}

uint64_t vk_device_free_bytes(xb_be_device *d)
{
  uint32_t largest = 0;
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < d->memory.memoryHeapCount; i++) {
    const VkMemoryHeap heap = d->memory.memoryHeaps[i];
    if (!(heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) || heap.size <= bytes)
      continue;
    bytes = heap.size;
    largest = i;
  }
  return heap_free_bytes(d, largest);
}

xb_code vk_no_memory(const xb_be_device *d, VkResult result, uint64_t bytes, uint32_t heap, xb_error *err)
{
  const char *const call = "vkAllocateMemory";
  const char *const name = vk_result_name(result);
  const uint64_t all = d->memory.memoryHeaps[heap].size;
  if (bytes > d->traits.max_allocation_bytes && bytes <= all)
    return xb_fail_native(err, XB_NOMEM, call, (int)result, name,
                          "%" PRIu64 " bytes requested, the driver promises at most %" PRIu64
                          " in one allocation: use smaller buffers",
                          bytes, d->traits.max_allocation_bytes);
  if (!d->traits.memory_budget)
    return xb_fail_native(err, XB_NOMEM, call, (int)result, name,
                          "%" PRIu64 " bytes requested, this memory has %" PRIu64 " in total", bytes, all);
  return xb_fail_native(err, XB_NOMEM, call, (int)result, name,
                        "%" PRIu64 " bytes requested, %" PRIu64 " free of %" PRIu64, bytes, heap_free_bytes(d, heap),
                        all);
}

/* [buffer] Create the handle, with all its uses. */
static xb_code create_handle(xb_be_device *d, xb_be_buffer *b, const xb_buffer_desc *desc, xb_error *err)
{
  const bool opaque = b->external = b->mem == XB_MEM_SHARED || desc->exportable;
  const VkExternalMemoryBufferCreateInfo external = {
      .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
      .handleTypes = opaque ? VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT
                            : VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT,
  };
  const bool shared = d->family_count > 1;
  const VkBufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
      .pNext = opaque || b->mem == XB_MEM_IMPORTED ? &external : NULL,
      .size = desc->bytes,
      .usage = (desc->addressable ? VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT : 0) |
               VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
               VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT |
               VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
               VK_BUFFER_USAGE_TRANSFER_DST_BIT,
      .sharingMode = shared ? VK_SHARING_MODE_CONCURRENT : VK_SHARING_MODE_EXCLUSIVE,
      .queueFamilyIndexCount = shared ? d->family_count : 0,
      .pQueueFamilyIndices = d->families,
  };
  const VkResult result = d->vk.CreateBuffer(d->handle, &info, NULL, &b->handle);
  return result ? vk_fail_made(err, "vkCreateBuffer", result, b->handle) : XB_OK;
}

/* [buffer] Allocate memory of a suitable type and bind it. */
static xb_code allocate(xb_be_device *d, xb_be_buffer *b, const xb_buffer_desc *desc, xb_error *err)
{
  VkMemoryRequirements needs;
  d->vk.GetBufferMemoryRequirements(d->handle, b->handle, &needs);
  uint32_t type = 0;
  const xb_code code = vk_choose_memory_type(d, needs.memoryTypeBits, b->mem, &type, err);
  if (code)
    return code;
  const uint32_t heap = d->memory.memoryTypes[type].heapIndex;
  b->coherent = d->memory.memoryTypes[type].propertyFlags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  if (needs.size > d->memory.memoryHeaps[heap].size) /* vkAllocateMemory must not be called with this size */
    return vk_no_memory(d, VK_ERROR_OUT_OF_DEVICE_MEMORY, needs.size, heap, err);

  /* A dedicated allocation: on NVIDIA, copies and transposes of 4 GiB take 1 to 13 % less time in such memory. */
  vk_share share = {{0}};
  const VkMemoryAllocateFlagsInfo addressable = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
      .pNext = vk_share_chain(desc, &share),
      .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT,
  };
  const VkMemoryDedicatedAllocateInfo alone = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO,
      .pNext = desc->addressable ? &addressable : addressable.pNext,
      .buffer = b->handle,
  };
  const bool undedicated = desc->mem == XB_MEM_SHARED && !desc->shared.dedicated; /* made by CUDA */
  const VkMemoryAllocateInfo info = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
      .pNext = undedicated ? alone.pNext : &alone,
      .allocationSize = undedicated ? desc->shared.bytes : needs.size,
      .memoryTypeIndex = type,
  };
  b->bytes = info.allocationSize;
  if (desc->mem == XB_MEM_SHARED && (undedicated ? info.allocationSize < needs.size : desc->shared.bytes != needs.size))
    return xb_fail(err, XB_INVALID, "xb_buffer_create",
                   "the shared memory has %" PRIu64 " bytes, a buffer of %" PRIu64 " bytes takes %" PRIu64
                   ": give the exported buffer's size",
                   desc->shared.bytes, desc->bytes, needs.size);
  if (desc->mem == XB_MEM_SHARED) /* the driver's, if it takes it; the caller's is closed when all is done */
    share.in.fd = dup(desc->shared.fd);
  VkResult result = d->vk.AllocateMemory(d->handle, &info, NULL, &b->memory);
  if (result && desc->mem == XB_MEM_SHARED && share.in.fd >= 0)
    close(share.in.fd);
  if (result == VK_ERROR_INVALID_EXTERNAL_HANDLE) {
    b->memory = VK_NULL_HANDLE;
    return xb_fail_native(err, XB_INVALID, "vkAllocateMemory", (int)result, vk_result_name(result),
                          "file descriptor %d is not memory of this GPU", desc->shared.fd);
  }
  if (result) {
    const xb_code failed = vk_fail_made(err, "vkAllocateMemory", result, b->memory);
    return failed == XB_NOMEM ? vk_no_memory(d, result, needs.size, heap, err) : failed;
  }
  result = d->vk.BindBufferMemory(d->handle, b->handle, b->memory, 0);
  return result ? vk_fail(err, "vkBindBufferMemory", result) : XB_OK;
}

static void read_address(xb_be_device *d, xb_be_buffer *b)
{
  const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = b->handle};
  const bool core = d->traits.api_version >= VK_API_VERSION_1_2;
  const PFN_vkGetBufferDeviceAddress get = core ? d->vk.GetBufferDeviceAddress : d->vk.GetBufferDeviceAddressKHR;
  b->address = get(d->handle, &info);
}

/* [buffer] Create all of it. Memory that the host sees stays mapped. */
xb_code vk_buffer_create(xb_be_device *d, const xb_buffer_desc *desc, xb_be_buffer **buffer, void **host, xb_error *err)
{
  xb_be_buffer *b = calloc(1, sizeof *b);
  if (!b)
    return vk_no_host_memory(err, "xb_buffer_create");
  b->mem = desc->mem;
  const bool imported = b->mem == XB_MEM_IMPORTED;
  void *mapped = desc->host;
  xb_code code = create_handle(d, b, desc, err);
  if (!code)
    code = imported ? vk_import(d, b, desc, err) : allocate(d, b, desc, err);
  if (!code && b->mem != XB_MEM_DEVICE && b->mem != XB_MEM_SHARED && !imported) {
    const VkResult result = d->vk.MapMemory(d->handle, b->memory, 0, VK_WHOLE_SIZE, 0, &mapped);
    code = result    ? vk_fail(err, "vkMapMemory", result)
           : !mapped ? xb_fail(err, XB_INTERNAL, "vkMapMemory", "it returned no address: update the driver")
                     : XB_OK;
  }
  if (!code && desc->addressable)
    read_address(d, b);
  if (!code)
    vk_name_object(d, VK_OBJECT_TYPE_BUFFER, (uint64_t)b->handle, desc->label);
  code = vk_validated(d->instance.validation, code, "xb_buffer_create", err);
  if (code) {
    vk_buffer_destroy(d, b);
    return code;
  }
  if (b->mem == XB_MEM_SHARED)
    close(desc->shared.fd);
  *buffer = b;
  *host = mapped;
  return XB_OK;
}

void vk_buffer_destroy(xb_be_device *d, xb_be_buffer *b)
{
  if (!d->dead) {
    d->vk.DestroyBuffer(d->handle, b->handle, NULL);
    d->vk.FreeMemory(d->handle, b->memory, NULL); /* also unmaps it */
  }
  free(b);
}

static VkMappedMemoryRange whole(const xb_be_buffer *b)
{
  return (VkMappedMemoryRange){
      .sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE,
      .memory = b->memory,
      .size = VK_WHOLE_SIZE,
  };
}

xb_code vk_buffer_flush(xb_be_device *d, xb_be_buffer *b, xb_error *err)
{
  if (b->coherent)
    return XB_OK;
  const VkMappedMemoryRange range = whole(b);
  const VkResult result = d->vk.FlushMappedMemoryRanges(d->handle, 1, &range);
  return result ? vk_fail(err, "vkFlushMappedMemoryRanges", result) : XB_OK;
}

xb_code vk_buffer_invalidate(xb_be_device *d, xb_be_buffer *b, xb_error *err)
{
  if (b->coherent)
    return XB_OK;
  const VkMappedMemoryRange range = whole(b);
  const VkResult result = d->vk.InvalidateMappedMemoryRanges(d->handle, 1, &range);
  return result ? vk_fail(err, "vkInvalidateMappedMemoryRanges", result) : XB_OK;
}

uint64_t vk_buffer_address(xb_be_buffer *b)
{
  return b->address;
}

uint64_t vk_buffer_native(xb_be_buffer *b)
{
  return (uint64_t)b->handle;
}
