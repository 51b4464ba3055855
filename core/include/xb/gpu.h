/* What a GPU is to xbench: devices, buffers, kernels, command lists, queues and points in time.
 *
 * The functions here are the front door. They check their arguments once, for every backend; a backend only ever sees
 * valid calls (xb/backend.h). No function allocates on behalf of the caller except the *_create and *_open ones, whose
 * result the caller destroys. Every *_destroy(NULL) is a no-op.
 *
 * Units: sizes and offsets are bytes in 64 bits, times are nanoseconds, clocks are kHz. In xb_device_info and
 * xb_kernel_info, 0 means unknown: core Vulkan, for one, does not tell multiprocessors, caches or clocks.
 *
 * Thread rule: a device and everything made from it may be used from one thread at a time. Different devices are
 * independent.
 *
 * Death: after XB_TIMEOUT or XB_LOST a device is dead. Every further call on it returns the code it died of, destroys
 * release host memory and make no driver call (a driver may block behind the hung work), and the program should save
 * what it has and leave with _exit().
 */
#ifndef XB_GPU_H
#define XB_GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "xb/error.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  XB_MAX_BINDINGS = 8,    /* buffers a kernel can take */
  XB_MAX_ARG_BYTES = 128, /* argument bytes that every backend takes: Vulkan's promised push constants */
  XB_UUID_BYTES = 16,
};

typedef struct xb_backend xb_backend;
typedef struct xb_device xb_device;
typedef struct xb_buffer xb_buffer;
typedef struct xb_kernel xb_kernel;
typedef struct xb_commands xb_commands;

/* ---- Devices ---------------------------------------------------------------------------------------------------- */

typedef enum xb_device_type { XB_DEVICE_OTHER, XB_DEVICE_CPU, XB_DEVICE_INTEGRATED, XB_DEVICE_DISCRETE } xb_device_type;

typedef enum xb_queue {
  XB_QUEUE_COMPUTE, /* every device has it; takes every command */
  XB_QUEUE_COPY,    /* no dispatches; beside the compute queue; where xb_device_info.queues says so */
  XB_MAX_QUEUES,
} xb_queue;

/* How a command list reaches the device. Results are comparable only within one launch mode. */
typedef enum xb_launch_mode {
  XB_LAUNCH_DEFAULT, /* the backend's best for lists that are submitted many times */
  XB_LAUNCH_COMMAND_BUFFER,
  XB_LAUNCH_GRAPH,
  XB_LAUNCH_STREAM,
} xb_launch_mode;

typedef struct xb_queue_info {
  bool present;
  uint32_t family;         /* Vulkan queue family; 0 elsewhere */
  bool graphics;           /* the family also does graphics */
  uint32_t timestamp_bits; /* 0: the queue takes no timestamps */
} xb_queue_info;

typedef struct xb_device_info {
  const char *backend; /* "vulkan", "cuda"; static storage */
  const char *code;    /* what kernels are made from: "spv", "fatbin"; the end of such a file's name; static storage */
  uint32_t index;      /* in the backend's own order */
  xb_device_type type;
  char name[256];
  char driver[256];     /* driver name and version as the driver words it */
  char api_version[64]; /* "1.3.230" */
  bool has_uuid;
  uint8_t uuid[XB_UUID_BYTES]; /* the same for every API that reaches this device */
  char pci[24];                /* "0000:01:00.0"; empty = unknown */

  /* Limits. */
  uint64_t max_binding_bytes;  /* largest range one binding can see */
  uint64_t max_buffer_bytes;   /* largest single buffer */
  uint64_t binding_align;      /* alignment of a binding's offset; a power of two, at most 256 */
  uint32_t max_groups[3];      /* groups a dispatch, per dimension */
  uint32_t max_group_threads;  /* threads a group */
  uint32_t max_group_size[3];  /* threads a group, per dimension */
  uint32_t shared_bytes;       /* group shared memory without asking */
  uint32_t shared_optin_bytes; /* with asking (CUDA); equals shared_bytes where there is no such thing */
  uint32_t max_arg_bytes;      /* at most XB_MAX_ARG_BYTES is used */
  bool has_robust_access; /* Vulkan's robustBufferAccess, or what is like it: accesses out of bounds are harmless */
  bool robust_access;     /* where there is such a thing: whether it is on */

  /* Subgroups (warps, waves). */
  uint32_t subgroup_size;              /* what a kernel gets that asks for none */
  uint32_t subgroup_min, subgroup_max; /* what a kernel may ask for; both equal subgroup_size where it may not */

  /* Memory. */
  uint64_t memory_bytes; /* device-local */

  xb_queue_info queues[XB_MAX_QUEUES]; /* by xb_queue */
  uint32_t compute_families;           /* Vulkan: bit i: queue family i does compute; 0 elsewhere */
  bool queue_family_chosen;            /* the compute queue's, by xb_device_desc */
  double timestamp_period_ns;
  uint32_t launch_modes;      /* bit i: xb_launch_mode i can be asked for */
  xb_launch_mode launch_mode; /* the one in use; DEFAULT in a listing */

  /* What explains speed. */
  uint32_t multiprocessors;
  uint32_t threads_per_multiprocessor;
  uint64_t cache_bytes; /* last-level cache */
  uint32_t clock_khz, memory_clock_khz;
  uint32_t memory_bus_bits;
  uint32_t compute_capability; /* CUDA: 10 * major + minor */
} xb_device_info;

typedef struct xb_device_desc {
  const xb_backend *backend;
  uint32_t index;             /* as in the listing */
  xb_launch_mode launch_mode; /* XB_UNSUPPORTED where the backend has no such mode */
  /* Each message of the API's own checker is an error; XB_VALIDATION=1 turns it on, too. Vulkan: hazards between
   * submissions are found only where the program's environment has
   * VK_LAYER_ENABLES=VALIDATION_CHECK_ENABLE_SYNCHRONIZATION_VALIDATION_QUEUE_SUBMIT. */
  bool validation;
  bool choose_queue_family; /* Vulkan: take `queue_family` for compute instead of the best one */
  uint32_t queue_family;
} xb_device_desc;

/* The backends that this library was built with, in a fixed order; NULL past the end. */
const xb_backend *xb_backend_at(size_t i);
/* By name; NULL if there is none. */
const xb_backend *xb_backend_find(const char *name);
const char *xb_backend_name(const xb_backend *backend);

/* The devices that a backend reaches: at most `capacity` are written, `*count` is how many there are.
 * XB_UNAVAILABLE where the driver is missing (the message says what to install) or has no device. */
xb_code xb_enumerate(const xb_backend *backend, xb_device_info *infos, uint32_t capacity, uint32_t *count,
                     xb_error *err);

xb_code xb_device_open(const xb_device_desc *desc, xb_device **device, xb_error *err);
/* Waits for work in flight (at most 10 s), then closes. XB_INVALID, and nothing closed, while buffers, kernels or
 * command lists of the device are alive. XB_INTERNAL when validation complained at the very end. */
xb_code xb_device_close(xb_device *device, xb_error *err);
/* Valid as long as the device is open. */
const xb_device_info *xb_device_get_info(const xb_device *device);
/* Device memory that is free now, as far as the driver tells; 1 = none, 0 = unknown. */
uint64_t xb_device_free_bytes(xb_device *device);
/* XB_OK while the device works, else the code it died of. */
xb_code xb_device_status(const xb_device *device);

/* How vendor libraries join: the API's own handles. */
typedef void (*xb_proc)(void);
typedef struct xb_native {
  const char *backend;
  void *device;                                    /* VkDevice, CUcontext */
  void *commands;                                  /* VkCommandBuffer; CUstream (being captured in graph mode) */
  xb_proc (*proc)(void *device, const char *name); /* vkGetDeviceProcAddr, cuGetProcAddress; may be NULL */
} xb_native;
typedef xb_code (*xb_native_fn)(const xb_native *native, void *user, xb_error *err);

/* Calls `fn` now, on this thread, with the device current where the API has such a thing and `commands` NULL: for what
 * a library has to do before it records. XB_UNSUPPORTED where the backend has no native calls. */
xb_code xb_device_native(xb_device *device, xb_native_fn fn, void *user, xb_error *err);

/* ---- Buffers ---------------------------------------------------------------------------------------------------- */

typedef enum xb_mem {
  XB_MEM_DEVICE,   /* fast for the device, invisible to the host */
  XB_MEM_UPLOAD,   /* pinned; the host writes, the device reads */
  XB_MEM_READBACK, /* pinned and cached; the device writes, the host reads */
} xb_mem;

typedef struct xb_buffer_desc {
  const char *label; /* for debuggers and messages; copied; may be NULL */
  xb_mem mem;
  uint64_t bytes; /* > 0 and a multiple of 4 */
} xb_buffer_desc;

/* Contents start undefined. XB_NOMEM says how much was asked and how much is free, where the driver tells; system
 * memory is never used in silence where device memory was asked for. */
xb_code xb_buffer_create(xb_device *device, const xb_buffer_desc *desc, xb_buffer **buffer, xb_error *err);
/* Legal while work in flight uses the buffer: the release is then deferred. */
void xb_buffer_destroy(xb_buffer *buffer);
/* The host's view of an UPLOAD or READBACK buffer, mapped for the buffer's life; NULL for DEVICE. What the host wrote
 * before xb_submit is seen by that submission; what a submission wrote is seen after xb_wait on its point. */
void *xb_buffer_host(const xb_buffer *buffer);
uint64_t xb_buffer_bytes(const xb_buffer *buffer);
/* VkBuffer or CUdeviceptr, for native commands. */
uint64_t xb_buffer_native(const xb_buffer *buffer);

/* ---- Kernels ---------------------------------------------------------------------------------------------------- */

/* Kernel ABI (xb/abi.h): buffers in binding order, then one struct of 32-bit scalars by value.
 *
 * Code is taken as the compilers write it, at any address. Vulkan: a SPIR-V module, validated before the driver sees
 * it. CUDA: a fat binary, a cubin or PTX, as nvcc -fatbin, -cubin and -ptx write them; entry points are extern "C".
 * That nothing is cut off is checked; machine code that is damaged inside can crash the process, as it does everywhere.
 */
typedef struct xb_kernel_desc {
  const char *label; /* may be NULL */
  const void *code;  /* only read during the call */
  size_t code_bytes;
  const char *entry;
  uint32_t group_size[3];
  uint32_t dynamic_shared_bytes; /* CUDA; XB_UNSUPPORTED elsewhere unless 0 */
  /* Required subgroup size; all subgroups are then full. A power of two in the device's range that divides
   * group_size[0], else XB_UNSUPPORTED; 0 = any. */
  uint32_t subgroup_size;
  uint32_t binding_count;   /* at most XB_MAX_BINDINGS */
  uint32_t unused_bindings; /* bit i: the code does not use binding i (compilers drop what is not used) */
  uint32_t arg_bytes;       /* a multiple of 4, at most XB_MAX_ARG_BYTES */
  bool args_unused;         /* the code does not use its arguments */
  bool no_statistics; /* registers and code size may stay unknown: collecting them can bypass a driver's cache (Vulkan)
                       */
} xb_kernel_desc;

typedef struct xb_kernel_info {
  bool access_known;           /* the code says what it can write (SPIR-V); the declared access must then agree */
  uint32_t read_only_bindings; /* bit i: the code cannot write binding i */
  uint32_t subgroup_size;      /* what the kernel runs with */
  uint32_t max_group_threads;  /* for this kernel */
  uint32_t registers;          /* a thread */
  uint32_t shared_bytes;       /* a group, static */
  bool spills_known;
  uint32_t spill_bytes;               /* a thread, local memory */
  uint32_t code_bytes;                /* machine code */
  uint32_t groups_per_multiprocessor; /* occupancy at this group size */
  double create_ns; /* host time of the API's own calls that made the kernel from its code; 0 = unknown */
} xb_kernel_info;

/* Holds what the code declares (group size, bindings, argument bytes) against the description and refuses, by name,
 * what does not agree. */
xb_code xb_kernel_create(xb_device *device, const xb_kernel_desc *desc, xb_kernel **kernel, xb_error *err);
void xb_kernel_destroy(xb_kernel *kernel); /* deferred while in flight */
const xb_kernel_info *xb_kernel_get_info(const xb_kernel *kernel);

/* ---- Command lists ---------------------------------------------------------------------------------------------- */

typedef enum xb_access {
  XB_READ,
  XB_WRITE,
  XB_READ_WRITE,
  XB_ATOMIC,         /* atomics, and what they order; does not conflict with itself */
  XB_DISJOINT_WRITE, /* the caller promises that no two dispatches write the same word; does not conflict with itself */
} xb_access;

typedef enum xb_binding_kind { XB_BINDING_BUFFER } xb_binding_kind;

typedef struct xb_binding {
  xb_binding_kind kind;
  xb_buffer *buffer;
  uint64_t offset; /* a multiple of 4; of a dispatch, of xb_device_info.binding_align */
  uint64_t size;   /* 0 = to the end of the buffer; a multiple of 4; of a dispatch, at most max_binding_bytes */
  xb_access access;
} xb_binding;

typedef struct xb_dispatch {
  xb_kernel *kernel;
  const xb_binding *bindings; /* copied */
  uint32_t binding_count;
  const void *args; /* copied */
  uint32_t arg_bytes;
  uint32_t groups[3];
} xb_dispatch;

typedef struct xb_commands_desc {
  const char *label; /* may be NULL */
  xb_queue queue;
  uint32_t timestamp_count;
} xb_commands_desc;

/* A command list is recorded once and submitted many times. It retains the buffers and kernels it names.
 *
 * A barrier means: all writes before it are visible to everything after it. Between two barriers the work may overlap,
 * so the recording functions track what each command reads and writes and refuse, on every backend, a command that
 * depends on an earlier one with no barrier between. A list begins with a full barrier against earlier submissions on
 * its queue; queues meet only through points.
 *
 * Recording errors stick to the list: the first one comes out of xb_commands_finish and xb_submit. */
xb_code xb_commands_create(xb_device *device, const xb_commands_desc *desc, xb_commands **commands, xb_error *err);
void xb_commands_destroy(xb_commands *commands); /* deferred while in flight */

void xb_cmd_dispatch(xb_commands *commands, const xb_dispatch *dispatch);
void xb_cmd_copy(xb_commands *commands, xb_buffer *dst, uint64_t dst_offset, xb_buffer *src, uint64_t src_offset,
                 uint64_t bytes);
/* `bytes` and `offset` are multiples of 4; each 32-bit word becomes `word`. */
void xb_cmd_fill(xb_commands *commands, xb_buffer *dst, uint64_t offset, uint64_t bytes, uint32_t word);
void xb_cmd_barrier(xb_commands *commands);
/* A barrier, then the device's clock, then a barrier: taken after all work before it, before any work after it. Each
 * index below timestamp_count is written exactly once in a list. */
void xb_cmd_timestamp(xb_commands *commands, uint32_t index);

/* Commands recorded with the API's own calls. Calls `fn` once, while recording; in XB_LAUNCH_STREAM mode at each
 * submission instead, so that a library is launched as it would be by a program of its own. `user` has to live as long
 * as the list. `bindings` say what it reads and writes, for the tracking. */
void xb_cmd_native(xb_commands *commands, xb_native_fn fn, void *user, const xb_binding *bindings,
                   uint32_t binding_count);

/* Ends recording; nothing can be recorded afterwards. Optional: the first xb_submit does it. Calling it before moves
 * the cost (and the errors) out of the first submission. */
xb_code xb_commands_finish(xb_commands *commands, xb_error *err);

/* ---- Submitting and waiting ------------------------------------------------------------------------------------- */

/* A point in time on a queue: the completion of one submission. A zero point is always reached. */
typedef struct xb_point {
  xb_queue queue;
  uint64_t value;
} xb_point;

typedef struct xb_submission {
  xb_commands *commands;
  const xb_point *after; /* points of the same device that the work waits for, on the device */
  uint32_t after_count;
} xb_submission;

enum { XB_MAX_AFTER = 8 };

/* XB_INVALID when the list takes timestamps and those of its last submission have not been read. What a validation
 * layer has to say about a submission comes out of the next xb_wait, xb_poll or xb_submit: the work is in flight by
 * then. */
xb_code xb_submit(xb_device *device, const xb_submission *submission, xb_point *done, xb_error *err);

/* Returns when the point is reached. XB_TIMEOUT when the limit passes first: the device is then dead. XB_INTERNAL with
 * a validation message: the point is reached all the same. */
xb_code xb_wait(xb_device *device, xb_point point, uint64_t limit_ns, xb_error *err);
/* Asks without waiting, and without killing the device. */
xb_code xb_poll(xb_device *device, xb_point point, bool *reached, xb_error *err);

/* The timestamps of the list's last submission, which must have been waited for: ns[i] is the time of index i after
 * index 0 (so ns[0] is 0; an index stamped before index 0 is negative). Afterwards the list may be submitted again. */
xb_code xb_commands_timestamps(xb_commands *commands, double *ns, uint32_t count, xb_error *err);

#ifdef __cplusplus
}
#endif
#endif
