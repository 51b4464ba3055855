#define COBJMACROS
#define VKD3D_NO_PROTOTYPES
#include <vkd3d.h>

#include "fake.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

fake_control fake;

enum { MOST = 64 };
static void *left[MOST]; /* objects; NULL: free */

/* All interfaces begin with a table of functions, and have Release at the same place. */
typedef struct object {
  const void *table;
  void *data;     /* of a resource or a blob */
  uint64_t value; /* of a fence; bytes of the data */
  ULONG references;
} object;

static HRESULT may_fail(const char *call)
{
  if (++fake.calls != fake.fail_call)
    return S_OK;
  fake.failed = call;
  if (fake.fail_with == (int)0x887a0005)
    fake.removed = (int)0x887a0006; /* DXGI_ERROR_DEVICE_HUNG */
  return fake.fail_with;
}

static HRESULT make(const char *call, const void *table, uint64_t bytes, void **made)
{
  const HRESULT result = may_fail(call);
  *made = (void *)1; /* after a failure it means nothing */
  if (FAILED(result))
    return result;
  object *o = calloc(1, sizeof *o);
  *o = (object){table, bytes ? calloc(1, bytes) : NULL, bytes, 1};
  for (int i = 0; i < MOST; i++)
    if (!left[i]) {
      left[i] = o;
      break;
    }
  *made = o;
  fake.alive++;
  return S_OK;
}

static ULONG STDMETHODCALLTYPE release(void *self)
{
  object *o = self;
  if (--o->references)
    return o->references;
  for (int i = 0; i < MOST; i++)
    if (left[i] == self)
      left[i] = NULL;
  free(o->data);
  free(o);
  fake.alive--;
  return 0;
}
static ULONG STDMETHODCALLTYPE add_reference(void *self)
{
  return ++((object *)self)->references;
}
#define RELEASE .AddRef = (void *)add_reference, .Release = (void *)release

/* Functions whose arguments do not matter here. The calling convention lets the caller pass more than are declared. */
static void STDMETHODCALLTYPE nothing(void)
{
}
static void STDMETHODCALLTYPE copy(ID3D12GraphicsCommandList *self, ID3D12Resource *dst, UINT64 to, ID3D12Resource *src,
                                   UINT64 from, UINT64 bytes)
{
  (void)self, (void)to, (void)from, (void)bytes;
  fake.copies++;
  fake.copies_inside += dst == src;
}
static HRESULT STDMETHODCALLTYPE close_list(void *self)
{
  (void)self;
  return may_fail("Close");
}
static UINT64 STDMETHODCALLTYPE completed(ID3D12Fence *self)
{
  return ((object *)self)->value;
}
static D3D12_GPU_VIRTUAL_ADDRESS STDMETHODCALLTYPE address(ID3D12Resource *self)
{
  return (D3D12_GPU_VIRTUAL_ADDRESS)(uintptr_t)((object *)self)->data;
}
static HRESULT STDMETHODCALLTYPE map(ID3D12Resource *self, UINT part, const D3D12_RANGE *range, void **data)
{
  (void)part, (void)range;
  const HRESULT result = may_fail("Map");
  *data = FAILED(result) ? NULL : ((object *)self)->data;
  return result;
}
static void *STDMETHODCALLTYPE blob_data(ID3DBlob *self)
{
  return ((object *)self)->data;
}
static SIZE_T STDMETHODCALLTYPE blob_bytes(ID3DBlob *self)
{
  return ((object *)self)->value;
}
static HRESULT STDMETHODCALLTYPE queue_signal(ID3D12CommandQueue *self, ID3D12Fence *fence, UINT64 value)
{
  (void)self;
  const HRESULT result = may_fail("Signal");
  if (!FAILED(result))
    ((object *)fence)->value = value;
  return result;
}
static HRESULT STDMETHODCALLTYPE queue_wait(ID3D12CommandQueue *self, ID3D12Fence *fence, UINT64 value)
{
  (void)self, (void)fence, (void)value;
  return may_fail("Wait");
}
static HRESULT STDMETHODCALLTYPE frequency(ID3D12CommandQueue *self, UINT64 *value)
{
  (void)self;
  *value = 1000000000;
  return S_OK;
}

static const ID3D12FenceVtbl fences = {RELEASE, .GetCompletedValue = completed};
static const ID3D12ResourceVtbl resources = {RELEASE, .Map = map, .GetGPUVirtualAddress = address};
static const ID3D10BlobVtbl blobs = {RELEASE, .GetBufferPointer = blob_data, .GetBufferSize = blob_bytes};
static const ID3D12RootSignatureVtbl plain = {RELEASE};
static const ID3D12CommandQueueVtbl queues = {RELEASE, .ExecuteCommandLists = (void *)nothing, .Signal = queue_signal,
                                              .Wait = queue_wait, .GetTimestampFrequency = frequency};
static const ID3D12GraphicsCommandListVtbl lists = {
    RELEASE,
    .Close = (void *)close_list,
    .Dispatch = (void *)nothing,
    .ExecuteIndirect = (void *)nothing,
    .CopyBufferRegion = copy,
    .SetPipelineState = (void *)nothing,
    .ResourceBarrier = (void *)nothing,
    .SetComputeRootSignature = (void *)nothing,
    .SetComputeRoot32BitConstants = (void *)nothing,
    .SetComputeRootShaderResourceView = (void *)nothing,
    .SetComputeRootUnorderedAccessView = (void *)nothing,
    .EndQuery = (void *)nothing,
    .ResolveQueryData = (void *)nothing,
};

/* ---- The device ------------------------------------------------------------------------------------------------- */

static HRESULT STDMETHODCALLTYPE make_queue(ID3D12Device *d, const D3D12_COMMAND_QUEUE_DESC *desc, REFIID iid,
                                            void **made)
{
  (void)d, (void)desc, (void)iid;
  return make("CreateCommandQueue", &queues, 0, made);
}
static HRESULT STDMETHODCALLTYPE make_allocator(ID3D12Device *d, D3D12_COMMAND_LIST_TYPE type, REFIID iid, void **made)
{
  (void)d, (void)type, (void)iid;
  return make("CreateCommandAllocator", &plain, 0, made);
}
static HRESULT STDMETHODCALLTYPE make_pipeline(ID3D12Device *d, const D3D12_COMPUTE_PIPELINE_STATE_DESC *desc,
                                               REFIID iid, void **made)
{
  (void)d, (void)desc, (void)iid;
  return make("CreateComputePipelineState", &plain, 0, made);
}
static HRESULT STDMETHODCALLTYPE make_list(ID3D12Device *d, UINT mask, D3D12_COMMAND_LIST_TYPE type,
                                           ID3D12CommandAllocator *allocator, ID3D12PipelineState *pipeline, REFIID iid,
                                           void **made)
{
  (void)d, (void)mask, (void)type, (void)allocator, (void)pipeline, (void)iid;
  return make("CreateCommandList", &lists, 0, made);
}
static HRESULT STDMETHODCALLTYPE make_root(ID3D12Device *d, UINT mask, const void *data, SIZE_T bytes, REFIID iid,
                                           void **made)
{
  (void)d, (void)mask, (void)data, (void)bytes, (void)iid;
  return make("CreateRootSignature", &plain, 0, made);
}
static HRESULT STDMETHODCALLTYPE make_resource(ID3D12Device *d, const D3D12_HEAP_PROPERTIES *heap,
                                               D3D12_HEAP_FLAGS flags, const D3D12_RESOURCE_DESC *desc,
                                               D3D12_RESOURCE_STATES state, const D3D12_CLEAR_VALUE *clear, REFIID iid,
                                               void **made)
{
  (void)d, (void)heap, (void)flags, (void)state, (void)clear, (void)iid;
  return make("CreateCommittedResource", &resources, desc->Width, made);
}
static HRESULT STDMETHODCALLTYPE make_memory(ID3D12Device *d, const D3D12_HEAP_DESC *desc, REFIID iid, void **made)
{
  (void)d, (void)desc, (void)iid;
  return make("CreateHeap", &plain, 0, made);
}
static HRESULT STDMETHODCALLTYPE place_resource(ID3D12Device *d, ID3D12Heap *heap, UINT64 offset,
                                                const D3D12_RESOURCE_DESC *desc, D3D12_RESOURCE_STATES state,
                                                const D3D12_CLEAR_VALUE *clear, REFIID iid, void **made)
{
  (void)d, (void)heap, (void)offset, (void)state, (void)clear, (void)iid;
  return make("CreatePlacedResource", &resources, desc->Width, made);
}
static HRESULT STDMETHODCALLTYPE make_fence(ID3D12Device *d, UINT64 value, D3D12_FENCE_FLAGS flags, REFIID iid,
                                            void **made)
{
  (void)d, (void)value, (void)flags, (void)iid;
  return make("CreateFence", &fences, 0, made);
}
static HRESULT STDMETHODCALLTYPE make_heap(ID3D12Device *d, const D3D12_QUERY_HEAP_DESC *desc, REFIID iid, void **made)
{
  (void)d, (void)desc, (void)iid;
  return make("CreateQueryHeap", &plain, 0, made);
}
static HRESULT STDMETHODCALLTYPE make_signature(ID3D12Device *d, const D3D12_COMMAND_SIGNATURE_DESC *desc,
                                                ID3D12RootSignature *root, REFIID iid, void **made)
{
  (void)d, (void)desc, (void)root, (void)iid;
  return make("CreateCommandSignature", &plain, 0, made);
}
static HRESULT STDMETHODCALLTYPE removed(ID3D12Device *d)
{
  (void)d;
  return fake.removed;
}

/* vkd3d-proton's ID3D12DeviceExt. */
static HRESULT STDMETHODCALLTYPE get_handles(void *self, VkInstance *vk, VkPhysicalDevice *physical, VkDevice *device);
static const void *const exts[] = {NULL, (void *)add_reference, (void *)release, (void *)get_handles};

static HRESULT STDMETHODCALLTYPE query(ID3D12Device *d, REFIID iid, void **made)
{
  (void)d, (void)iid;
  return make("QueryInterface", exts, 0, made);
}

static const ID3D12DeviceVtbl devices = {
    RELEASE,
    .QueryInterface = query,
    .CreateCommandQueue = make_queue,
    .CreateCommandAllocator = make_allocator,
    .CreateComputePipelineState = make_pipeline,
    .CreateCommandList = make_list,
    .CreateRootSignature = make_root,
    .CreateCommittedResource = make_resource,
    .CreateHeap = make_memory,
    .CreatePlacedResource = place_resource,
    .CreateFence = make_fence,
    .GetDeviceRemovedReason = removed,
    .CreateQueryHeap = make_heap,
    .CreateCommandSignature = make_signature,
};

/* ---- The library ------------------------------------------------------------------------------------------------ */

struct vkd3d_instance {
  VkInstance vk;
  PFN_vkDestroyInstance destroy;
  PFN_vkEnumeratePhysicalDevices list;
};
static struct vkd3d_instance only; /* kept, because making one takes long */

static HRESULT create_vulkan(PFN_vkGetInstanceProcAddr get)
{
  const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_1};
  const VkInstanceCreateInfo vk = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application};
  if (!only.vk && ((PFN_vkCreateInstance)get(NULL, "vkCreateInstance"))(&vk, NULL, &only.vk))
    return E_FAIL;
  only.destroy = (PFN_vkDestroyInstance)get(only.vk, "vkDestroyInstance");
  only.list = (PFN_vkEnumeratePhysicalDevices)get(only.vk, "vkEnumeratePhysicalDevices");
  return S_OK;
}

HRESULT vkd3d_create_instance(const struct vkd3d_instance_create_info *info, struct vkd3d_instance **made)
{
  HRESULT result = may_fail("vkd3d_create_instance");
  if (!FAILED(result))
    result = create_vulkan(info->pfn_vkGetInstanceProcAddr);
  if (FAILED(result))
    return result;
  *made = &only;
  fake.alive++;
  return S_OK;
}

ULONG vkd3d_instance_decref(struct vkd3d_instance *instance)
{
  (void)instance;
  fake.alive--;
  return 0;
}

/* What lost devices leave. */
void fake_free_left(void)
{
  for (int i = 0; i < MOST; i++)
    if (left[i])
      release(left[i]);
}

void fake_end(void)
{
  fake_free_left();
  if (only.vk)
    only.destroy(only.vk, NULL);
}

VkInstance vkd3d_instance_get_vk_instance(struct vkd3d_instance *instance)
{
  return instance->vk;
}

HRESULT vkd3d_create_device(const struct vkd3d_device_create_info *info, REFIID iid, void **made)
{
  (void)info, (void)iid;
  return make("vkd3d_create_device", &devices, 0, made);
}

HRESULT vkd3d_serialize_root_signature(const D3D12_ROOT_SIGNATURE_DESC *desc, D3D_ROOT_SIGNATURE_VERSION version,
                                       ID3DBlob **blob, ID3DBlob **message)
{
  (void)desc, (void)version, (void)message;
  void *made;
  const HRESULT result = make("D3D12SerializeRootSignature", &blobs, 4, &made);
  if (!FAILED(result))
    *blob = made;
  return result;
}

void vkd3d_set_log_callback(void *callback)
{
  (void)callback;
}

/* ---- The library, as vkd3d-proton ------------------------------------------------------------------------------- */

static HRESULT STDMETHODCALLTYPE get_handles(void *self, VkInstance *vk, VkPhysicalDevice *physical, VkDevice *device)
{
  uint32_t one = 1;
  (void)self, (void)device;
  const HRESULT result = may_fail("GetVulkanHandles");
  *vk = only.vk;
  return FAILED(result) ? result : only.list(only.vk, &one, physical) < 0 ? E_FAIL : S_OK;
}

HRESULT WINAPI D3D12CreateDevice(IUnknown *adapter, D3D_FEATURE_LEVEL level, REFIID iid, void **made)
{
  (void)adapter, (void)level, (void)iid;
  void *library = dlopen("libvulkan.so.1", RTLD_NOW), *symbol = dlsym(library, "vkGetInstanceProcAddr");
  PFN_vkGetInstanceProcAddr get;
  memcpy(&get, &symbol, sizeof symbol);
  const HRESULT result = create_vulkan(get);
  return FAILED(result) ? result : make("D3D12CreateDevice", &devices, 0, made);
}

HRESULT WINAPI D3D12SerializeRootSignature(const D3D12_ROOT_SIGNATURE_DESC *desc, D3D_ROOT_SIGNATURE_VERSION version,
                                           ID3DBlob **blob, ID3DBlob **message)
{
  return vkd3d_serialize_root_signature(desc, version, blob, message);
}
