/* Types and functions of the Direct3D 12 backend. Each .c file is one concept. */
#ifndef XB_D3D12_DX_H
#define XB_D3D12_DX_H

#include "core/grow.h"
#include "symbols.h"
#include "xb/backend.h"

enum { DX_LABEL_BYTES = 64 };

/* ---- result.c --------------------------------------------------------------------------------------------------- */

const char *dx_result_name(HRESULT result);
/* What happened, for a person, if a device was removed for this reason. */
const char *dx_reason_text(HRESULT reason);
/* With the last message of the runtime, if there is a new one. */
xb_code dx_fail(xb_error *err, const char *call, HRESULT result);
/* malloc or calloc failed. */
#define dx_no_host_memory(err, where) xb_fail(err, XB_NOMEM, where, "out of host memory")
/* Releases an interface, if there is one, and sets the pointer to NULL. */
#define DX_RELEASE(object) ((object) ? (void)(object)->lpVtbl->Release(object) : (void)0, (object) = NULL)

/* ---- devices.c; on Windows windows.c ---------------------------------------------------------------------------- */

typedef struct dx_instance {
  const dx_runtime *runtime;
#ifdef _WIN32
  IDXGIFactory4 *factory;
  IDXGIAdapter1 **devices;
#else /* vkd3d lists no devices: these are those of its Vulkan instance. vkd3d-proton has one, which is open then. */
  struct vkd3d_instance *handle;
  ID3D12Device *only;
  VkInstance vulkan;
  VkPhysicalDevice *devices;
#endif
  uint32_t count;
} dx_instance;

/* The caller destroys the instance, also on failure. XB_UNAVAILABLE without a runtime or without a device.
 * `validation`: with the debug layer of Windows; the others have none. */
xb_code dx_instance_create(bool validation, dx_instance *instance, xb_error *err);
xb_code dx_instance_open(const dx_instance *instance, uint32_t index, ID3D12Device **device, xb_error *err);
/* What else is known of a removed device, to be put behind its reason; "" if nothing is. */
void dx_removal_details(ID3D12Device *device, char *text, size_t bytes);
/* XB_INTERNAL with the first error of the debug layer since the last call. */
xb_code dx_validated(ID3D12Device *device, xb_error *err);
void dx_instance_destroy(dx_instance *instance);
void dx_describe_device(const dx_instance *instance, uint32_t index, xb_device_info *info);

/* ---- heaps.c ---------------------------------------------------------------------------------------------------- */

enum {
  DX_PLACES = 256,
  DX_PLACE_BYTES = 1 << 16,  /* D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT */
  DX_PLACED_BYTES = 1 << 20, /* larger buffers have memory of their own */
};

typedef struct dx_heap {
  ID3D12Heap *handle;
  bool taken[DX_PLACES];
  struct dx_heap *next;
} dx_heap;

xb_code dx_take_place(xb_be_device *device, const D3D12_HEAP_PROPERTIES *properties, xb_mem mem, uint64_t bytes,
                      dx_heap **heap, uint32_t *place, xb_error *err);
void dx_leave_place(dx_heap *heap, uint32_t place, uint64_t bytes);
void dx_heaps_free(xb_be_device *device);

/* ---- device.c, queue.c ------------------------------------------------------------------------------------------ */

typedef struct dx_queue {
  ID3D12CommandQueue *handle;
  D3D12_COMMAND_LIST_TYPE type;
  ID3D12Fence *fence; /* its value is the last reached one */
  double tick_ns;     /* of timestamps */
} dx_queue;

struct xb_be_device {
  dx_instance instance;
  ID3D12Device *handle;
  ID3D12CommandSignature *indirect;
  dx_queue queues[XB_MAX_QUEUES];
  dx_heap *heaps[XB_MEM_KINDS]; /* of small buffers */
  uint64_t memory_bytes;
  uint32_t subgroup_size, max_group_threads;
  bool dead; /* no more calls of the runtime: they may block behind hung work */
};

enum { DX_MOST_THREADS = 1024 }; /* D3D12_CS_THREAD_GROUP_MAX_THREADS_PER_GROUP */

/* Those of Direct3D 12, which are the same for all devices. `info` has the number of threads per group. */
void dx_describe_limits(xb_device_info *info);
xb_code dx_enumerate(xb_device_info *infos, uint32_t capacity, uint32_t *count, xb_error *err);
xb_code dx_device_open(const xb_device_desc *desc, xb_be_device **device, xb_device_info *info, xb_error *err);
xb_code dx_device_close(xb_be_device *device, xb_error *err);
void dx_device_abandon(xb_be_device *device);
xb_code dx_device_native(xb_be_device *device, xb_native_fn fn, void *user, xb_error *err);
/* dx_fail; if the device was removed, with the reason. */
xb_code dx_device_fail(xb_be_device *device, xb_error *err, const char *call, HRESULT result);
/* Fails with the reason if the runtime has removed the device. */
xb_code dx_device_check(xb_be_device *device, const char *call, xb_error *err);

xb_code dx_queue_open(xb_be_device *device, D3D12_COMMAND_LIST_TYPE type, dx_queue *queue, xb_error *err);
void dx_queue_close(dx_queue *queue);
xb_code dx_submit(xb_be_device *device, xb_be_commands *commands, uint64_t value, const xb_point *after,
                  uint32_t after_count, const xb_be_handover *handover, xb_error *err);
xb_code dx_wait(xb_be_device *device, xb_point point, uint64_t limit_ns, bool *reached, xb_error *err);

/* ---- memory.c --------------------------------------------------------------------------------------------------- */

struct xb_be_buffer {
  ID3D12Resource *handle;
  D3D12_GPU_VIRTUAL_ADDRESS address;
  dx_heap *heap; /* NULL: it has memory of its own */
  uint32_t place;
  uint64_t bytes;
};

xb_code dx_buffer_create(xb_be_device *device, const xb_buffer_desc *desc, xb_be_buffer **buffer, void **host,
                         xb_error *err);
void dx_buffer_destroy(xb_be_device *device, xb_be_buffer *buffer);
xb_code dx_buffer_coherent(xb_be_device *device, xb_be_buffer *buffer, xb_error *err);
uint64_t dx_buffer_native(xb_be_buffer *buffer);

/* ---- kernel.c, reflect.c ---------------------------------------------------------------------------------------- */

/* As in cmake/dxil/places.h. */
typedef enum dx_class { DX_CBV, DX_SRV, DX_UAV } dx_class;

/* A binding, and its register in the code. */
typedef struct dx_register {
  uint32_t binding;
  dx_class class;
  uint32_t space, number;
  bool typed; /* a typed buffer */
} dx_register;

typedef struct dx_reflection {
  dx_register registers[XB_MAX_BINDINGS];
  uint32_t count;
  bool has_arguments; /* at register b0 */
  uint32_t read_only_bindings, uniform_bindings, uniform_bytes[XB_MAX_BINDINGS];
  uint32_t texel_bindings, storage_texel_bindings;
} dx_reflection;

const char *dx_kernel_label(const xb_kernel_desc *desc);
/* XB_INVALID if code and description differ; the message names both values. */
xb_code dx_reflect(const xb_kernel_desc *desc, dx_reflection *found, xb_error *err);

struct xb_be_kernel {
  ID3D12RootSignature *root;
  ID3D12PipelineState *pipeline;
  dx_register registers[XB_MAX_BINDINGS]; /* root parameter i; behind them the arguments */
  uint32_t count;
  uint32_t arg_words; /* 0 if the code has no arguments */
};

xb_code dx_kernel_create(xb_be_device *device, const xb_kernel_desc *desc, xb_be_kernel **kernel, xb_kernel_info *info,
                         xb_error *err);
void dx_kernel_destroy(xb_be_device *device, xb_be_kernel *kernel);

/* ---- commands.c, states.c, fill.c, typed.c, timestamps.c --------------------------------------------------------- */

/* The state of a buffer in one list. Lists begin and end with all buffers in the state COMMON. */
typedef struct dx_use {
  xb_be_buffer *buffer;
  D3D12_RESOURCE_STATES first, state;
  uint64_t part; /* the last part of the list, between two barriers, that used it in this state */
} dx_use;

/* Words to copy from, as Direct3D 12 can fill a buffer only by a descriptor, and on no copy queue. */
typedef struct dx_pattern {
  uint32_t word;
  xb_be_buffer *buffer;
} dx_pattern;

struct xb_be_commands {
  xb_be_device *device;
  xb_queue queue;
  ID3D12CommandAllocator *allocator;
  ID3D12GraphicsCommandList *handle;
  ID3D12GraphicsCommandList *before; /* brings the buffers into the states in which the list uses them first */
  ID3D12QueryHeap *queries;
  xb_be_buffer *ticks; /* what the queries say */
  uint64_t *tick;
  uint32_t timestamp_count;
  dx_use *uses;
  size_t use_count, use_capacity;
  dx_pattern *patterns;
  size_t pattern_count, pattern_capacity;
  xb_be_buffer *scratch; /* for copies inside a buffer; NULL: there was none */
  uint64_t part;         /* counts barriers */
  xb_be_binding *views;  /* of typed buffers: those in the last heap, which is in use */
  size_t view_count;
  ID3D12DescriptorHeap **view_heaps;
  size_t view_heap_count, view_heap_capacity;
  const xb_be_kernel *bound;
  uint64_t addresses[XB_MAX_BINDINGS]; /* of its root parameters: of buffers or descriptors */
  uint64_t last;                       /* the value of its last submission */
};

xb_code dx_commands_create(xb_be_device *device, const xb_commands_desc *desc, xb_be_commands **commands,
                           xb_error *err);
void dx_commands_destroy(xb_be_device *device, xb_be_commands *commands);
xb_code dx_cmd_dispatch(xb_be_commands *commands, const xb_be_dispatch *dispatch, xb_error *err);
xb_code dx_cmd_dispatch_indirect(xb_be_commands *commands, const xb_be_dispatch *dispatch, const xb_be_binding *groups,
                                 xb_error *err);
xb_code dx_cmd_copy(xb_be_commands *commands, const xb_be_binding *dst, const xb_be_binding *src, xb_error *err);
xb_code dx_cmd_fill(xb_be_commands *commands, const xb_be_binding *dst, uint32_t word, xb_error *err);
xb_code dx_cmd_barrier(xb_be_commands *commands, xb_error *err);
xb_code dx_cmd_native(xb_be_commands *commands, xb_native_fn fn, void *user, xb_error *err);
xb_code dx_commands_finish(xb_be_commands *commands, xb_error *err);

/* The next command uses the buffer in this state. Records what has to come before. */
xb_code dx_use_buffer(xb_be_commands *commands, xb_be_buffer *buffer, D3D12_RESOURCE_STATES state, xb_error *err);
/* All earlier work completes first, and all later work comes afterwards. */
void dx_full_barrier(xb_be_commands *commands);
/* Brings all buffers back to COMMON; earlier writes are then visible to the host. */
void dx_end_uses(xb_be_commands *commands);
/* The same, before the list: from COMMON to their first states. */
void dx_begin_uses(const xb_be_commands *commands, ID3D12GraphicsCommandList *before);
void dx_patterns_free(xb_be_commands *commands);

/* Room for so many descriptors in one heap, which the list uses from now on. Another heap than before sets
 * `commands->bound` to NULL. */
xb_code dx_reserve_views(xb_be_commands *commands, uint32_t count, xb_error *err);
/* The address of a descriptor of a typed buffer. Room is reserved. */
xb_code dx_find_view(xb_be_commands *commands, const xb_be_binding *binding, uint64_t *view, xb_error *err);
void dx_views_free(xb_be_commands *commands);

xb_code dx_timestamps_create(xb_be_commands *commands, uint32_t count, xb_error *err);
void dx_timestamps_free(xb_be_commands *commands);
xb_code dx_cmd_timestamp(xb_be_commands *commands, uint32_t index, xb_error *err);
/* At the end of the list. */
xb_code dx_timestamps_resolve(xb_be_commands *commands, xb_error *err);
xb_code dx_timestamps(xb_be_commands *commands, double *ns, uint32_t count, xb_error *err);

#endif
