/* Devices: how to list, open and close them, and what they can do. This is a part of xb/gpu.h, and its rules apply
 * here. */
#ifndef XB_DEVICE_H
#define XB_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "xb/error.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  XB_MAX_BINDINGS = 32,        /* buffers of a kernel */
  XB_MAX_SETS = 4,             /* descriptor sets of a kernel: Vulkan's guaranteed minimum */
  XB_MAX_LOCATIONS = 4096,     /* binding numbers of a descriptor set are below this */
  XB_MAX_ARG_BYTES = 256,      /* arguments of a kernel; xb_device_info.max_arg_bytes is at least 128 */
  XB_MAX_PARAMETERS = 64,      /* xb_parameter entries of a kernel */
  XB_MAX_SPECIALIZATIONS = 64, /* specialization constants of a kernel */
  XB_UUID_BYTES = 16,
  XB_LUID_BYTES = 8,
};

typedef struct xb_backend xb_backend;
typedef struct xb_device xb_device;
typedef struct xb_buffer xb_buffer;
typedef struct xb_image xb_image;
typedef struct xb_kernel xb_kernel;
typedef struct xb_commands xb_commands;
typedef struct xb_semaphore xb_semaphore;

typedef enum xb_device_type { XB_DEVICE_OTHER, XB_DEVICE_CPU, XB_DEVICE_INTEGRATED, XB_DEVICE_DISCRETE } xb_device_type;

/* The number of each kind's first queue: XB_QUEUE_COPY + 1 is the second copy queue. The queues of a device run
 * concurrently. */
typedef enum xb_queue {
  XB_QUEUE_COMPUTE = 0, /* every device has it; supports all commands */
  XB_QUEUE_COPY = 8,    /* no dispatches; optional: see xb_device_info.queues */
  XB_MAX_QUEUES = 16,
} xb_queue;
enum { XB_QUEUES_OF_A_KIND = 8, XB_ALL_QUEUES = -1 };

/* How a command list reaches the device. Compare results of the same launch mode only. */
typedef enum xb_launch_mode {
  XB_LAUNCH_DEFAULT, /* the backend's best mode for lists that are submitted many times */
  XB_LAUNCH_COMMAND_BUFFER,
  XB_LAUNCH_GRAPH,
  XB_LAUNCH_STREAM, /* each submission calls the API for every command, so short work waits for the host */
  /* As STREAM, but a list with timestamps starts on the device only after the host has issued all of its commands. Such
     a list has at most XB_MOST_HELD commands; a native command may count as several. */
  XB_LAUNCH_HELD_STREAM,
} xb_launch_mode;

/* A launch queue holds about 1,000 commands. The host waits while it is full. */
enum { XB_MOST_HELD = 500 };

/* Optional features, as bits of xb_device_info.features. A type is also allowed in the elements of buffers. Atomics
 * work on buffers and on shared memory. */
typedef enum xb_feature {
  XB_FEATURE_FLOAT64 = 1 << 0,
  XB_FEATURE_FLOAT16 = 1 << 1,
  XB_FEATURE_INT64 = 1 << 2,
  XB_FEATURE_INT16 = 1 << 3,
  XB_FEATURE_INT8 = 1 << 4,
  XB_FEATURE_INT64_ATOMICS = 1 << 5,
  XB_FEATURE_FLOAT32_ATOMIC_ADD = 1 << 6,
  XB_FEATURE_FLOAT64_ATOMIC_ADD = 1 << 7,
  XB_FEATURE_SPECIALIZATION = 1 << 8, /* xb_kernel_desc.specializations */
  XB_FEATURE_INDIRECT = 1 << 9,       /* xb_cmd_dispatch_indirect */
  /* Tensor cores: 32 threads multiply matrices of 16 x 16 float16, and add to 16 x 16 float32. Vulkan:
   * VK_KHR_cooperative_matrix with this shape, and the Vulkan memory model. */
  XB_FEATURE_MATRICES = 1 << 10,
  XB_FEATURE_INT8_DOT = 1 << 11,          /* dot product of four 8-bit values in one instruction */
  XB_FEATURE_BFLOAT16_MATRICES = 1 << 12, /* the same with bfloat16; Vulkan: VK_KHR_shader_bfloat16 */
  XB_FEATURE_CONSTANTS = 1 << 13,         /* xb_kernel_desc.constants */
  XB_FEATURE_DYNAMIC_SHARED = 1 << 14,    /* xb_kernel_desc.dynamic_shared_bytes */
  XB_FEATURE_CACHE_SHARE = 1 << 15,       /* xb_kernel_desc.cache_percent */
  XB_FEATURE_TILES = 1 << 16,             /* XB_BINDING_TILES; CUDA: TMA, from compute capability 9.0 on */
  /* Four warps multiply matrices together, from shared memory. CUDA: wgmma, of compute capability 9.0 alone (sm_90a).
   */
  XB_FEATURE_WARPGROUP_MATRICES = 1 << 17,
  /* A whole group multiplies matrices of any size, and loads tiles of a buffer into them. Vulkan:
   * VK_NV_cooperative_matrix2: workgroup scope, flexible dimensions, tensor addressing, functions of elements. */
  XB_FEATURE_GROUP_MATRICES = 1 << 18,
  /* As XB_FEATURE_MATRICES with other types or shapes. 16 x 32 and 32 x 16 elements of 8 bits: whole numbers with
   * 32-bit sums, and both formats of float8 (e4m3, e5m2) with float32 sums; Vulkan: VK_EXT_shader_float8. */
  XB_FEATURE_INT8_MATRICES = 1 << 19,
  XB_FEATURE_FLOAT8_MATRICES = 1 << 20,
  /* Rows, columns and inner length of float16; Vulkan only. */
  XB_FEATURE_MATRICES_16_8_16 = 1 << 21,
  XB_FEATURE_MATRICES_16_8_8 = 1 << 22,
  XB_FEATURE_EARLY_START = 1 << 23, /* xb_dispatch.early; CUDA: from compute capability 9.0 and CUDA 12.3 on */
} xb_feature;

/* "float64"; NULL if `feature` is not one of these bits. Static storage. */
const char *xb_feature_name(uint32_t feature);

typedef struct xb_queue_info {
  bool present;    /* in a listing: the first queue of each kind; in an open device: the queues that it opened */
  uint32_t family; /* Vulkan queue family; 0 elsewhere */
  bool graphics;   /* the family also supports graphics */
  uint32_t timestamp_bits; /* 0: no timestamps on this queue */
  uint32_t count;          /* queues of this kind that the device has, at most XB_QUEUES_OF_A_KIND */
} xb_queue_info;

typedef struct xb_device_info {
  const char *backend; /* "vulkan", "cuda", "d3d12", "cpu"; static storage */
  /* The API that the CPU emulates here: "cuda". Results show whether a kernel is right; times say nothing about that
   * API. NULL: not an emulation. Static storage. */
  const char *emulates;
  const char *code; /* format of the kernels' code, and its file extension: "spv", "fatbin", "dxil", "cpu"; static */
  uint32_t index;   /* position in the backend's listing */
  xb_device_type type;
  char name[256];
  char driver[256];     /* driver name and version, as the driver reports them */
  char api_version[64]; /* "1.3.230"; Direct3D 12: the runtime, "through vkd3d 2.1 over Vulkan 1.3.230" */
  bool has_uuid, has_luid;
  uint8_t uuid[XB_UUID_BYTES]; /* the same through every API */
  uint8_t luid[XB_LUID_BYTES]; /* Windows: the same until the system restarts; Direct3D 12 has no UUID */
  char pci[24];                /* "0000:01:00.0"; empty if unknown */

  /* Limits. */
  uint64_t max_binding_bytes;  /* largest range of one binding */
  uint64_t max_uniform_bytes;  /* the same for a uniform buffer; 0: no uniform buffers */
  uint64_t max_buffer_bytes;   /* largest single buffer */
  uint64_t binding_align;      /* alignment of a binding's offset; a power of two, at most 256 */
  uint64_t uniform_align;      /* the same for a uniform buffer */
  uint32_t max_groups[3];      /* groups per dispatch, in each dimension */
  uint32_t max_group_threads;  /* threads per group */
  uint32_t max_group_size[3];  /* threads per group, in each dimension */
  uint32_t shared_bytes;       /* shared memory per group, without opt-in */
  uint32_t shared_optin_bytes; /* with opt-in (CUDA); elsewhere equal to shared_bytes */
  uint32_t max_arg_bytes;      /* arguments per kernel: 128 or more; core uses at most XB_MAX_ARG_BYTES */
  bool has_robust_access;      /* supports robustBufferAccess (Vulkan): out-of-bounds accesses are harmless */
  bool robust_access;          /* if supported: true if it is enabled */

  uint32_t features; /* bits: xb_feature */
  bool addresses;    /* kernels can use buffers by their addresses: xb_buffer_address */

  /* Subgroups (warps, waves). */
  uint32_t subgroup_size;              /* default of a kernel */
  uint32_t subgroup_min, subgroup_max; /* sizes that a kernel may require; both are subgroup_size if it has no choice */

  /* Memory. */
  uint64_t memory_bytes; /* device-local */
  /* Vulkan: the largest allocation that the driver promises. Some drivers allow larger ones. */
  uint64_t max_allocation_bytes;

  xb_queue_info queues[XB_MAX_QUEUES]; /* by xb_queue */
  uint32_t compute_families;           /* Vulkan: bit i: queue family i supports compute; 0 elsewhere */
  bool queue_family_chosen;            /* xb_device_desc chose the compute queue's family */
  double timestamp_period_ns;
  uint32_t launch_modes;      /* bit i: xb_launch_mode i is supported */
  xb_launch_mode launch_mode; /* the one in use; XB_LAUNCH_DEFAULT in a listing */

  /* Properties that affect speed. */
  uint32_t multiprocessors;
  uint32_t threads_per_multiprocessor;
  uint64_t cache_bytes; /* last-level cache */
  uint32_t clock_khz, memory_clock_khz;
  uint32_t memory_bus_bits;
  uint32_t compute_capability; /* CUDA: 10 * major + minor */

  bool calibrates; /* xb_device_calibrate works */
  /* The address and the size of IMPORTED memory are multiples of this power of two; 0: the device imports none. */
  uint64_t import_align;
  bool exports, imports; /* exportable buffers, XB_MEM_SHARED */
  bool imports_peers;    /* XB_MEM_SHARED may be memory of another GPU */
  double open_ns;        /* host time of xb_device_open; 0 in a listing */
  /* Limits on the groups that a multiprocessor holds at a time. CUDA reports all of them; Vulkan reports none. */
  uint32_t groups_per_multiprocessor;
  uint32_t registers_per_multiprocessor;
  uint32_t shared_per_multiprocessor; /* bytes */
  uint32_t shared_per_group;          /* bytes that each group takes in addition to its own */
  /* Maximum bytes for xb_device_persist and for an xb_window; 0: not supported. */
  uint64_t persisting_bytes, window_bytes;
  bool exports_semaphores, imports_semaphores; /* xb_semaphore_create, xb_semaphore_import */
  uint32_t binary_forms;                       /* bit i: kernels can keep xb_binary_form i */
  /* Texel buffers (XB_BINDING_TEXELS) and images (XB_BINDING_IMAGE). 0: this backend does not support them. */
  bool storage_texels;        /* supports XB_BINDING_STORAGE_TEXELS */
  uint64_t max_texels;        /* texels in a texel buffer */
  uint64_t texel_align;       /* alignment of a texel buffer's offset, in bytes; a power of two, at most 512 */
  uint32_t max_image_size[2]; /* width, height */
  uint32_t max_line;          /* width of a 1D image */
  uint32_t max_volume;        /* width, height and depth of a 3D image */
  uint32_t linear_formats;    /* bit i: images of xb_texel i can be filtered */
  uint32_t filter_bits;       /* fraction bits in the weights of a linear filter */
  /* In a listing: the subgroup sizes with which the device emulates SPIR-V (xb_device_desc.wave); each is a power of
   * two and its own bit. In an open device: the size in use; 0: none. */
  uint32_t shader_waves;
} xb_device_info;

typedef struct xb_device_desc {
  const xb_backend *backend;
  uint32_t index;             /* xb_device_info.index */
  xb_launch_mode launch_mode; /* xb_device_open returns XB_UNSUPPORTED if the backend lacks it */
  /* Turns messages of the API's validation layer into errors, as XB_VALIDATION=1 does. Vulkan: a layer older than
   * 1.4.309 finds hazards between submissions only if the program's environment has
   * VK_LAYER_ENABLES=VALIDATION_CHECK_ENABLE_SYNCHRONIZATION_VALIDATION_QUEUE_SUBMIT; otherwise stderr gets a warning.
   * Direct3D 12: the debug layer of Windows; vkd3d has none. */
  bool validation;
  bool choose_queue_family; /* Vulkan: compute uses `queue_family` instead of the best family */
  uint32_t queue_family;
  /* The number of queues to open; XB_UNSUPPORTED if the device has fewer. 0 opens one of each kind that the device has.
   * XB_ALL_QUEUES opens all queues of this kind. */
  int32_t compute_queues, copy_queues;
  /* CUDA: opens a new context. Otherwise all devices of a GPU share the process's primary context, as vendor libraries
   * do. Other backends ignore it. */
  bool own_context;
  /* Vulkan: opens a driver's null device, which has no memory. It compiles kernels and runs none: only xb_kernel_create
   * may be called. A listing never shows this device. Other backends: XB_UNSUPPORTED. */
  bool compile_only;
  /* The backend "cpu": emulates a device that runs SPIR-V, with this subgroup size (xb_device_info.shader_waves); 0:
   * emulates a CUDA device. Other backends: XB_UNSUPPORTED unless 0. */
  uint32_t wave;
  /* The backend "cpu", with `wave`: shaders are watched for races (1) and for wrong accesses (2). The message of the
   * wait reports them. Elsewhere it makes no difference. */
  uint32_t checks;
} xb_device_desc;

/* Backend `i` of this library, in a fixed order; NULL past the end. */
const xb_backend *xb_backend_at(size_t i);
enum { XB_MAX_BACKENDS = 8 }; /* a build with more backends fails */
/* The backend with this name; NULL if no backend has it. */
const xb_backend *xb_backend_find(const char *name);
const char *xb_backend_name(const xb_backend *backend);

/* Lists the backend's devices: writes at most `capacity` of them, and their full number to `*count`.
 * XB_UNAVAILABLE if the driver is missing (the message says what to install) or has no device. */
xb_code xb_enumerate(const xb_backend *backend, xb_device_info *infos, uint32_t capacity, uint32_t *count,
                     xb_error *err);

xb_code xb_device_open(const xb_device_desc *desc, xb_device **device, xb_error *err);
/* Waits for work in flight (at most 10 s), then closes the device. Returns XB_INVALID and closes nothing if buffers,
 * kernels or command lists of the device still exist. XB_INTERNAL if the validation layer reported an error while
 * closing. */
xb_code xb_device_close(xb_device *device, xb_error *err);
/* Valid as long as the device is open. */
const xb_device_info *xb_device_get_info(const xb_device *device);
/* Bytes of device memory that are free now; 0 = unknown, 1 = none. */
uint64_t xb_device_free_bytes(xb_device *device);
/* XB_OK if the device is usable; else XB_TIMEOUT or XB_LOST, or XB_INVALID in a forked child. */
xb_code xb_device_status(const xb_device *device);

/* Sets `bytes` of the last-level cache aside for the windows of dispatches (xb_window), and writes the granted number
 * to `*set`. 0 ends the reservation. All devices of the same context share the setting, until xb_device_close.
 * XB_UNSUPPORTED if `bytes` is more than xb_device_info.persisting_bytes, or if the driver refuses, as on a part of a
 * GPU (MIG). */
xb_code xb_device_persist(xb_device *device, uint64_t bytes, uint64_t *set, xb_error *err);

/* The API's own handles, for vendor libraries. */
typedef void (*xb_proc)(void);
typedef struct xb_native {
  const char *backend;
  void *device;                                    /* VkDevice, CUcontext, ID3D12Device */
  void *commands;                                  /* VkCommandBuffer; CUstream (being captured in graph mode);
                                                    * ID3D12GraphicsCommandList: all buffers are in the state COMMON, and
                                                    * must be in it afterwards */
  xb_proc (*proc)(void *device, const char *name); /* vkGetDeviceProcAddr, cuGetProcAddress; may be NULL */
} xb_native;
typedef xb_code (*xb_native_fn)(const xb_native *native, void *user, xb_error *err);

/* Calls `fn` immediately, on this thread, with `commands` NULL. On CUDA, the device's context is current. Use it to
 * prepare a library before recording. XB_UNSUPPORTED if the backend has no native calls. */
xb_code xb_device_native(xb_device *device, xb_native_fn fn, void *user, xb_error *err);

#ifdef __cplusplus
}
#endif
#endif
