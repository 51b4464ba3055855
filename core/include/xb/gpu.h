/* The public API: devices, buffers, kernels, command lists, queues and points (completions of submitted work).
 *
 * These functions check their arguments, so that a backend only sees valid calls (xb/backend.h). Only *_create and
 * *_open functions allocate memory for the caller; the caller destroys or closes the result.
 *
 * NULL handles: functions that return an xb_code return XB_INVALID. Getters return NULL, 0 or an empty text. void
 * functions and xb_device_close do nothing.
 *
 * Units: sizes and offsets are 64-bit numbers of bytes, times are in nanoseconds, clocks in kHz. In xb_device_info and
 * xb_kernel_info, 0 means unknown. For example, core Vulkan does not report multiprocessors, caches or clocks.
 *
 * Thread rule: use a device, and all objects made from it, from one thread at a time. Different devices are
 * independent.
 *
 * Forks: a device belongs to the process that opened it. In a forked child, calls on it and on its objects return
 * XB_INVALID, and the destroy functions do nothing: the child lacks the driver's threads, and the objects belong to
 * the parent. A child may open its own devices if the driver allows it. CUDA allows it only if no parent process has
 * used CUDA. So fork before you open devices.
 *
 * Unusable devices: after XB_TIMEOUT or XB_LOST a device is unusable. Every further call on it returns the same code.
 * The destroy functions still release host memory, but call no driver function, because the driver may block behind
 * the hung work. The program should save its results and leave with _exit().
 */
#ifndef XB_GPU_H
#define XB_GPU_H

#include "xb/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Buffers ---------------------------------------------------------------------------------------------------- */

typedef enum xb_mem {
  XB_MEM_DEVICE,   /* fast for the device, invisible to the host */
  XB_MEM_UPLOAD,   /* pinned; the host writes, the device reads */
  XB_MEM_READBACK, /* pinned and cached; the device writes, the host reads */
  /* Optional kinds: xb_buffer_create returns XB_UNSUPPORTED if the device lacks them. */
  XB_MEM_UPLOAD_COMBINED, /* as UPLOAD, but write-combined: the host only writes it, because reads are very slow */
  XB_MEM_DEVICE_MAPPED,   /* device memory that the host reads and writes through the bus */
  XB_MEM_IMPORTED,        /* the caller's own memory, which the device reads and writes: xb_buffer_desc.host */
  XB_MEM_SHARED,          /* memory that another device exported (xb_buffer_desc.shared); otherwise as DEVICE */
  XB_MEM_KINDS,
} xb_mem;

/* A file descriptor of memory that several devices share, through one API or several. A device imports memory of its
 * own GPU (same UUID). With xb_device_info.imports_peers it also imports memory of another GPU, by peer access. */
typedef struct xb_shared {
  int fd;                      /* the caller closes it, unless a buffer was created from it, which then owns it */
  uint64_t bytes;              /* of the whole allocation */
  bool dedicated;              /* Vulkan: the allocation belongs to one buffer. CUDA: any buffer can use the memory */
  uint8_t uuid[XB_UUID_BYTES]; /* the GPU with the memory */
} xb_shared;

typedef struct xb_buffer_desc {
  const char *label; /* for debuggers and messages; copied; may be NULL */
  xb_mem mem;
  uint64_t bytes; /* > 0 and a multiple of 4 */
  /* IMPORTED: memory of this process, `bytes` long; its address and its size are multiples of
   * xb_device_info.import_align. NULL for other kinds. The caller keeps the memory allocated, readable and writable
   * until the buffer is destroyed and no work in flight uses it. XB_INVALID if a page of it cannot be read and written,
   * or if another buffer of the device imports it. */
  void *host;
  bool exportable; /* DEVICE: for xb_buffer_export */
  /* For xb_buffer_address; any kind but IMPORTED and SHARED. XB_UNSUPPORTED without xb_device_info.addresses. */
  bool addressable;
  /* SHARED: the result of xb_buffer_export. XB_UNSUPPORTED if the memory is on another GPU, and this device does not
   * import such memory or has no peer access to it. XB_INVALID if the descriptor is of another type, such as a file on
   * a disk or a pipe. */
  xb_shared shared;
} xb_buffer_desc;

/* The initial contents are undefined. The message of XB_NOMEM contains the requested size and, if known, the free size.
 * XB_MEM_DEVICE never falls back to system memory. */
xb_code xb_buffer_create(xb_device *device, const xb_buffer_desc *desc, xb_buffer **buffer, xb_error *err);
/* Allowed while work in flight uses the buffer: its memory is then released later. */
void xb_buffer_destroy(xb_buffer *buffer);
/* The host pointer, valid as long as the buffer; NULL for DEVICE. A submission sees the host's writes before
 * xb_submit. After xb_wait on a submission's point, the host sees its writes. */
void *xb_buffer_host(const xb_buffer *buffer);
uint64_t xb_buffer_bytes(const xb_buffer *buffer);
/* VkBuffer, CUdeviceptr or ID3D12Resource, for native commands. */
uint64_t xb_buffer_native(const xb_buffer *buffer);
/* The address at which kernels find an `addressable` buffer; 0 for others. A kernel that gets it among its arguments,
 * or reads it from a buffer, may use the buffer without a binding (GLSL: buffer_reference; HLSL: vk::RawBufferLoad).
 * Name such buffers with xb_cmd_use. */
uint64_t xb_buffer_address(const xb_buffer *buffer);
/* Exports the memory of an `exportable` buffer, for a buffer of another device. The memory lives as long as one of
 * these buffers. After xb_wait on one device, or after a semaphore that both devices use, submissions to the other
 * device see the writes. */
xb_code xb_buffer_export(xb_buffer *buffer, xb_shared *shared, xb_error *err);

/* Copies ordinary (pageable) memory of the process, at any address, to or from a DEVICE buffer; returns when the copy
 * is complete. `offset` and `bytes` are multiples of 4. XB_INVALID while work in flight uses the buffer. CUDA's
 * driver copies such memory itself; elsewhere it goes through pinned memory of the device, in parts. If a part takes
 * longer than 10 s, the result is XB_TIMEOUT and the device is unusable. */
xb_code xb_upload(xb_buffer *buffer, uint64_t offset, const void *data, uint64_t bytes, xb_error *err);
xb_code xb_download(xb_buffer *buffer, uint64_t offset, void *data, uint64_t bytes, xb_error *err);

/* ---- Images ----------------------------------------------------------------------------------------------------- */

/* The format of a texel's channels. A kernel reads FLOAT32 and FLOAT16 as floats, UNORM8 as fractions (255 is 1), and
 * the others as integers. */
typedef enum xb_texel {
  XB_TEXEL_NONE,
  XB_TEXEL_FLOAT32,
  XB_TEXEL_FLOAT16,
  XB_TEXEL_UNORM8,
  XB_TEXEL_UINT8,
  XB_TEXEL_INT32,
  XB_TEXEL_UINT32,
  XB_TEXELS
} xb_texel;
/* Bytes of one channel; 0 for XB_TEXEL_NONE. */
uint32_t xb_texel_bytes(xb_texel format);

typedef struct xb_image_desc {
  const char *label; /* copied; may be NULL */
  xb_texel format;
  /* At most xb_device_info.max_image_size, max_line, max_volume. An image with height 0 is 1D, one with depth 0 is 2D.
   */
  uint32_t width, height, depth;
  uint32_t channels; /* 1, 2 or 4; 0 = 1 */
  /* Kernels may write it (XB_BINDING_STORAGE_IMAGE). It is 2D. XB_UNSUPPORTED if the format does not allow it. */
  bool storage;
} xb_image_desc;

/* Only the device knows the order of an image's texels in memory. XB_UNSUPPORTED if the device has no images. */
xb_code xb_image_create(xb_device *device, const xb_image_desc *desc, xb_image **image, xb_error *err);
void xb_image_destroy(xb_image *image); /* allowed while in flight; released later */

typedef enum xb_filter { XB_FILTER_POINT, XB_FILTER_LINEAR } xb_filter;
/* A coordinate outside of the image reads the nearest texel, the repeated image, or 0. */
typedef enum xb_address { XB_ADDRESS_CLAMP, XB_ADDRESS_WRAP, XB_ADDRESS_BORDER } xb_address;

/* The sampler of an image's binding. WRAP needs normalized coordinates, on every API. */
typedef struct xb_sample_mode {
  xb_filter filter;
  xb_address address; /* for all coordinates */
  bool normalized;    /* coordinates are 0 to 1 across the image, else 0 to its width and height; needed for 3D */
} xb_sample_mode;

/* ---- Kernels ---------------------------------------------------------------------------------------------------- */

/* The location of a binding in the code. Vulkan: its DescriptorSet and its Binding. Direct3D 12: the same numbers if
 * the build added [[vk::binding]] to the code (cmake/dxil/places.h), else the register's space and number. */
typedef struct xb_location {
  uint32_t set, binding; /* below XB_MAX_SETS, XB_MAX_LOCATIONS */
  /* An array of N buffers in the code (`b[2]`, `b[]`) is N bindings of one set and number, with the elements 0 to
   * N - 1. 0 for a buffer that is not an array. */
  uint32_t element;
} xb_location;

/* A parameter of a CUDA kernel: the address of a binding, or a value (a scalar of any size, or a struct). */
typedef struct xb_parameter {
  uint32_t binding;       /* if `bytes` is 0: the address of this binding */
  uint32_t offset, bytes; /* else these bytes of xb_dispatch.args; `bytes` is the size of the parameter's type */
} xb_parameter;

/* The value of a specialization constant (Vulkan). Unlisted constants keep the code's values. */
typedef struct xb_specialization {
  uint32_t id;    /* the code's SpecId; `constant_id` in GLSL and HLSL */
  uint32_t bytes; /* size of its type: 1, 2, 4 or 8; a bool has 4; 0 = 4 */
  uint64_t value; /* in the lowest `bytes` bytes */
} xb_specialization;

/* The contents of a `__constant__` array of the code (CUDA), a variable that the source declares. */
typedef struct xb_constant {
  const char *symbol;
  const void *data;
  uint64_t bytes; /* at most the size of the array */
} xb_constant;

/* How a kernel saves the driver's machine code, so that a later kernel needs no compilation (Vulkan). */
typedef enum xb_binary_form {
  XB_BINARY_NONE,
  XB_BINARY_CACHE,    /* the data of a pipeline cache with this kernel alone */
  XB_BINARY_PIPELINE, /* VK_KHR_pipeline_binary */
} xb_binary_form;

/* Kernel ABI (xb/abi.h): buffers in binding order, then one struct of 32-bit scalars by value. For kernels with
 * another order of parameters, or with other binding numbers, use `parameters` and `locations`.
 *
 * The code is the compiler's output, at any alignment. Vulkan: a SPIR-V module; it is validated before the driver
 * sees it. XB_UNSUPPORTED if it needs more shared memory than the device has, or uses a capability whose feature or
 * extension the device lacks; a capability that is only declared does not count. Also XB_UNSUPPORTED if the code is
 * newer than the validator: XB_ALLOW_NEWER_SPIRV=1 in the environment skips the validation of such code. CUDA: the
 * output of nvcc -fatbin, -cubin or -ptx; entry points are extern "C". Truncated CUDA code is refused, but damaged
 * machine code can crash the process, as in any CUDA program. Direct3D 12: DXIL with its checksum; the arguments are
 * the constants at b0.
 */
typedef struct xb_kernel_desc {
  const char *label; /* may be NULL */
  const void *code;  /* only read during the call */
  size_t code_bytes;
  const char *entry;
  uint32_t group_size[3];
  uint32_t dynamic_shared_bytes; /* XB_FEATURE_DYNAMIC_SHARED; elsewhere XB_UNSUPPORTED unless 0 */
  /* Required subgroup size; all subgroups are then full. A power of two in the device's range that divides
   * group_size[0], else XB_UNSUPPORTED; 0 = any. */
  uint32_t subgroup_size;
  uint32_t binding_count;   /* at most XB_MAX_BINDINGS */
  uint32_t unused_bindings; /* bit i: the code does not use binding i (compilers remove unused ones) */
  uint32_t tile_bindings;   /* bit i: dispatches give binding i as XB_BINDING_TILES; needs XB_FEATURE_TILES */
  uint32_t arg_bytes;       /* a multiple of 4, at most XB_MAX_ARG_BYTES and max_arg_bytes */
  bool args_unused;         /* the code does not use its arguments */
  /* Vulkan: one for each binding, all different; copied. NULL: binding i is at set 0, binding i. An array of buffers
   * has as many elements here as in the code; an array without a length (`b[]`) has as many as dispatches give it.
   * XB_UNSUPPORTED on Direct3D 12. CUDA only checks that the list is valid: its kernels take pointers. */
  const xb_location *locations;
  /* CUDA: the kernel's parameters in order, at most XB_MAX_PARAMETERS; copied. Each binding is a parameter or has its
   * bit in unused_bindings. 0: as in the kernel ABI. Other backends only check that the list is valid. */
  const xb_parameter *parameters;
  uint32_t parameter_count;
  /* Needs XB_FEATURE_SPECIALIZATION. XB_INVALID if the code has no such constant, or one of another size. They may set
   * the group size and the length of arrays. At most XB_MAX_SPECIALIZATIONS; only read during the call. */
  const xb_specialization *specializations;
  uint32_t specialization_count;
  uint32_t features;  /* bits that the code needs (xb_feature): XB_UNSUPPORTED if the device lacks one of them */
  bool no_statistics; /* Vulkan: do not ask for registers and code size, which may bypass the driver's pipeline cache */
  /* CUDA: the part of a multiprocessor's on-chip memory to use as cache, in per cent; the rest is shared memory. This
   * is a hint. 0: the driver chooses. XB_UNSUPPORTED without XB_FEATURE_CACHE_SHARE. */
  uint32_t cache_percent;
  bool keep_text;             /* Vulkan: keep the machine code as text, if the driver gives it: xb_kernel_info.text */
  xb_binary_form binary_form; /* XB_UNSUPPORTED if the device lacks it */
  /* NULL: the kernel keeps its binary for xb_kernel_binary. Otherwise: the binary of an earlier kernel with the same
   * code, from the same driver; only read during the call.
   */
  const void *binary;
  size_t binary_bytes;
  /* Needs XB_FEATURE_CONSTANTS. They are set when the kernel is created and never change. XB_INVALID if the code has no
   * such array. Only read during the call. */
  const xb_constant *constants;
  uint32_t constant_count;
} xb_kernel_desc;

typedef struct xb_kernel_info {
  bool access_known;           /* the code declares what it can write (SPIR-V); bindings must then declare the same */
  uint32_t read_only_bindings; /* bit i: the code cannot write binding i */
  uint32_t uniform_bindings;   /* bit i: the code has a uniform buffer at binding i; only if access_known */
  /* The size of each uniform buffer in the code; a binding must have at least as many bytes. */
  uint32_t uniform_bytes[XB_MAX_BINDINGS];
  uint32_t subgroup_size;     /* in use */
  uint32_t max_group_threads; /* for this kernel */
  uint32_t registers;         /* per thread */
  uint32_t shared_bytes;      /* per group, static */
  bool spills_known;
  uint32_t spill_bytes;               /* per thread, in local memory */
  uint32_t code_bytes;                /* machine code */
  uint32_t groups_per_multiprocessor; /* occupancy at this group size */
  uint32_t waves_per_simd;            /* AMD's occupancy: waves of this kernel that a SIMD holds */
  uint32_t instructions;
  uint32_t scalar_registers;                   /* per wave (AMD) */
  uint32_t spilled_registers, spilled_scalars; /* if spills_known (AMD) */
  const char *text;                            /* with keep_text; lives as long as the kernel; NULL: none */
  double create_ns;                            /* host time of the API calls that created the kernel; 0 = unknown */
  /* Bit i: binding i is of this kind; only if access_known. */
  uint32_t texel_bindings, storage_texel_bindings, image_bindings, storage_image_bindings, sampler_bindings;
  uint32_t line_bindings, volume_bindings; /* the 1D and the 3D images in image_bindings */
} xb_kernel_info;

/* Compares what the code declares (group size, bindings, argument bytes) with the description. XB_INVALID if they
 * differ; the message names the difference. On an emulated device (xb_device_info.emulates) the loaded code becomes a
 * part of this process, and can do whatever the process can. Load only code that you trust, or load it in a process
 * that you can lose. */
xb_code xb_kernel_create(xb_device *device, const xb_kernel_desc *desc, xb_kernel **kernel, xb_error *err);
void xb_kernel_destroy(xb_kernel *kernel); /* allowed while in flight; released later */
const xb_kernel_info *xb_kernel_get_info(const xb_kernel *kernel);
/* Returns the kernel's binary, which lives as long as the kernel. `*bytes` is 0 if the driver gave none. XB_INVALID if
 * the kernel was created without a binary_form, or from a binary. */
xb_code xb_kernel_binary(const xb_kernel *kernel, const void **data, size_t *bytes, xb_error *err);

/* ---- Command lists ---------------------------------------------------------------------------------------------- */

typedef enum xb_access {
  XB_READ,
  XB_WRITE,
  XB_READ_WRITE,
  XB_ATOMIC,         /* atomics, and accesses that they order; no conflict with other XB_ATOMIC accesses */
  XB_DISJOINT_WRITE, /* the caller guarantees that no two dispatches write the same word; no conflict with itself */
} xb_access;

typedef enum xb_binding_kind {
  XB_BINDING_BUFFER,
  XB_BINDING_UNIFORM, /* a uniform buffer (`cbuffer`): read only, with its own limits; CUDA: a pointer */
  /* Read only. CUDA: the parameter is a cudaTextureObject_t. */
  XB_BINDING_TEXELS, /* a texel buffer (`Buffer<float>`): texels of `format`, read by index */
  /* A texel buffer that kernels write (`RWBuffer<float>`); only with xb_device_info.storage_texels. CUDA has none: bind
   * a buffer to its kernel's pointer. */
  XB_BINDING_STORAGE_TEXELS,
  /* An image and its sampler. Vulkan: a combined descriptor; in HLSL `Texture2D<float>` (or 1D, 3D) and `SamplerState`
   * have the same binding. Before a list reads an image, that list or an earlier one must copy to it. */
  XB_BINDING_IMAGE,
  /* An image that kernels write: `RWTexture2D`. CUDA: the parameter is a cudaSurfaceObject_t. */
  XB_BINDING_STORAGE_IMAGE,
  XB_BINDING_SAMPLER, /* a separate sampler (Vulkan): only `sampler` is used */
  /* Tiles of a matrix in the buffer, which the hardware copies to shared memory (`tiles` says which). Read only. CUDA:
   * the parameter is a CUtensorMap by value, `const __grid_constant__`. Other APIs have none. */
  XB_BINDING_TILES,
} xb_binding_kind;

enum { XB_TILE_SIDE = 256, XB_TILE_ROW_BYTES = 128, XB_TILE_ALIGN = 16 };

/* A matrix, or an array of three dimensions, and the tiles that one copy takes of it. The vectors of 16 bytes in a
 * tile's row are exchanged (CU_TENSOR_MAP_SWIZZLE_128B): in row r of 128 bytes, vector v lies at v ^ r % 8. Elements of
 * a tile beyond the array are 0. CUDA Driver API, cuTensorMapEncodeTiled. */
typedef struct xb_tiles {
  uint32_t dimensions;    /* 2 or 3 */
  uint32_t element_bytes; /* 1, 2 or 4 */
  uint64_t size[3];       /* of the array, in elements, the contiguous dimension first; below 2^32 each */
  uint64_t pitch[2];      /* bytes from one row, and from one layer, to the next: multiples of XB_TILE_ALIGN */
  uint32_t tile[3];       /* at most XB_TILE_SIDE in each dimension, XB_TILE_ROW_BYTES in the first */
} xb_tiles;

typedef struct xb_binding {
  xb_binding_kind kind;
  xb_buffer *buffer;
  uint64_t offset; /* for a dispatch, a multiple of xb_device_info.binding_align or uniform_align */
  uint64_t size;   /* for a dispatch, at most max_binding_bytes or max_uniform_bytes; 0 = to the buffer's end */
  xb_access access;
  xb_texel format;   /* TEXELS, STORAGE_TEXELS */
  uint32_t channels; /* TEXELS, STORAGE_TEXELS: 1 (or 0), 2 or 4 */
  xb_image *image;   /* IMAGE, STORAGE_IMAGE: instead of a buffer */
  xb_sample_mode sampler;
  xb_tiles tiles; /* TILES */
} xb_binding;

/* The last-level cache keeps a part of the accesses to this range (`hit_ratio`, 0 to 1) in the bytes that
 * xb_device_persist set aside. The other accesses stream through it. This is a hint: it never changes results. */
typedef struct xb_window {
  uint32_t binding;       /* the window is in this binding's buffer */
  uint64_t offset, bytes; /* in that binding; 0 bytes: no window */
  float hit_ratio;
} xb_window;

typedef struct xb_dispatch {
  xb_kernel *kernel;
  const xb_binding *bindings; /* copied */
  uint32_t binding_count;
  const void *args; /* copied */
  uint32_t arg_bytes;
  uint32_t groups[3];
  xb_window window; /* XB_UNSUPPORTED beyond xb_device_info.window_bytes */
  /* The device may start it when all groups of the previous dispatch have requested that, or have ended, despite the
   * barrier between them (CUDA: programmatic dependent launch). The kernel itself waits (griddepcontrol.wait) before
   * it accesses the data of earlier commands: the library checks barriers as always, but not this wait. After any other
   * command the dispatch starts as usual. XB_UNSUPPORTED without XB_FEATURE_EARLY_START. */
  bool early;
} xb_dispatch;

typedef struct xb_commands_desc {
  const char *label; /* may be NULL */
  xb_queue queue;
  uint32_t timestamp_count; /* at most XB_MAX_TIMESTAMPS */
} xb_commands_desc;

enum { XB_MAX_TIMESTAMPS = 65536 };

/* A command list is recorded once and submitted many times. It retains the buffers and kernels that it uses.
 *
 * After a barrier, all writes before it are visible. Between two barriers, commands may overlap. So the recording
 * functions track what each command reads and writes. On every backend they refuse a command that depends on an earlier
 * one without a barrier between them. A list begins with a full barrier after earlier submissions on its queue;
 * only points order different queues, and xb_submit refuses a list that needs a point and has none.
 *
 * The list keeps the first recording error: xb_commands_finish and xb_submit return it. */
xb_code xb_commands_create(xb_device *device, const xb_commands_desc *desc, xb_commands **commands, xb_error *err);
void xb_commands_destroy(xb_commands *commands); /* allowed while in flight; released later */

void xb_cmd_dispatch(xb_commands *commands, const xb_dispatch *dispatch);
/* The next dispatch uses these buffers by their addresses, at most XB_MAX_BINDINGS: the list retains them, and missing
 * barriers are found as for bindings. The bindings are of kind XB_BINDING_BUFFER, and their buffers addressable. A GPU
 * does not report which addresses a kernel used, so it does not notice a missing buffer. The backend "cpu",
 * with the check of accesses (xb_device_desc.checks), refuses each access to an addressable buffer that the dispatch
 * neither binds nor names. */
void xb_cmd_use(xb_commands *commands, const xb_binding *buffers, uint32_t count);
/* The device reads the number of groups just before it dispatches: three 32-bit numbers at `offset` (a multiple of 4)
 * in `groups`. They replace xb_dispatch.groups and may be 0; above max_groups the behaviour is undefined. Needs
 * XB_FEATURE_INDIRECT, which CUDA streams lack. */
void xb_cmd_dispatch_indirect(xb_commands *commands, const xb_dispatch *dispatch, xb_buffer *groups, uint64_t offset);
void xb_cmd_copy(xb_commands *commands, xb_buffer *dst, uint64_t dst_offset, xb_buffer *src, uint64_t src_offset,
                 uint64_t bytes);
/* Copies the whole image from `offset`, a multiple of 4 and of a texel's size. Rows and layers follow each other
 * without gaps. Only on a compute queue. */
void xb_cmd_copy_to_image(xb_commands *commands, xb_image *dst, xb_buffer *src, uint64_t offset);
/* Copies the whole image to `offset`; the same rules apply. */
void xb_cmd_copy_from_image(xb_commands *commands, xb_buffer *dst, uint64_t offset, xb_image *src);
/* Sets each 32-bit word of the range to `word`. `offset` and `bytes` are multiples of 4. */
void xb_cmd_fill(xb_commands *commands, xb_buffer *dst, uint64_t offset, uint64_t bytes, uint32_t word);
void xb_cmd_barrier(xb_commands *commands);
/* Records the device's time when all earlier work has completed, and before any later work begins. A list
 * must record each index below timestamp_count exactly once. */
void xb_cmd_timestamp(xb_commands *commands, uint32_t index);

/* Calls `fn` immediately, to record commands with the API's own calls. In a stream, each submission calls it instead,
 * as an ordinary program would call a library. `user` must stay valid as long as the list. `bindings` declare the reads
 * and writes of the commands. */
void xb_cmd_native(xb_commands *commands, xb_native_fn fn, void *user, const xb_binding *bindings,
                   uint32_t binding_count);

/* Ends recording. Without this call, the first xb_submit does it, with its cost and its errors. */
xb_code xb_commands_finish(xb_commands *commands, xb_error *err);

/* ---- Submitting and waiting ------------------------------------------------------------------------------------- */

/* The completion of one submission to a queue. A point with value 0 is always reached. */
typedef struct xb_point {
  xb_queue queue;
  uint64_t value;
} xb_point;

/* A semaphore orders the work of several devices of one GPU without the host, also through different APIs. It contains
 * a number that begins at 0 and only grows. A submission can wait until the number has reached a value, and can set a
 * new value when it ends. The semaphore lives as long as one of the devices uses it. */
xb_code xb_semaphore_create(xb_device *device, xb_semaphore **semaphore, xb_error *err);
/* Returns a file descriptor for another device with the same UUID. The caller closes it. */
xb_code xb_semaphore_export(xb_semaphore *semaphore, int *fd, xb_error *err);
/* On success, the semaphore owns the descriptor. XB_INVALID if the check finds that it is not a semaphore. The check
 * cannot find every case, and the driver writes to the object. */
xb_code xb_semaphore_import(xb_device *device, int fd, xb_semaphore **semaphore, xb_error *err);
void xb_semaphore_destroy(xb_semaphore *semaphore); /* allowed while in flight; released later */

typedef struct xb_submission {
  xb_commands *commands;
  const xb_point *after; /* points of the same device; the device waits for them before it starts this work */
  uint32_t after_count;
  /* Semaphores of the same device, or NULL. `signal_value` is larger than every value that was set before. If no work
   * sets the awaited value, the submission never ends, and xb_wait reaches its time limit. */
  xb_semaphore *wait, *signal;
  uint64_t wait_value, signal_value;
} xb_submission;

enum { XB_MAX_AFTER = 16 };

/* `*done` (may be NULL) is the point at which the work completes. XB_INVALID if the list has timestamps of its last
 * submission that have not been read, or if it depends on a list in flight on another queue and `after` has no point
 * that orders them, directly or through other lists. A list counts as in flight until the host has waited for it or for
 * a later list; if very many lists are in flight, complete ones do not count. The next xb_wait, xb_poll or xb_submit
 * returns the validation layer's errors about a submission, because the work is already in flight. */
xb_code xb_submit(xb_device *device, const xb_submission *submission, xb_point *done, xb_error *err);

/* Returns when the point is reached. XB_TIMEOUT if it takes longer than the limit: the device is then unusable, also
 * with a limit of 0 (use xb_poll instead).
 * An emulated device stops the kernel at the limit and stays usable. Exception: if the kernel waits in a system call or
 * blocks signals, its thread and its resources stay until the process ends.
 * XB_INTERNAL: the point is reached, and the validation layer or the emulation reports an error. */
xb_code xb_wait(xb_device *device, xb_point point, uint64_t limit_ns, xb_error *err);
/* Sets `*reached` to true if the point is reached. It does not wait, and the device stays usable. */
xb_code xb_poll(xb_device *device, xb_point point, bool *reached, xb_error *err);

/* The timestamps of the list's last submission. Wait for that submission first. `count` is the list's timestamp_count;
 * ns[i] is the time from index 0 to index i, negative if i was recorded before index 0. It is NAN if a held
 * stream started before the host had issued the whole list (after 100 ms). Afterwards the list may be submitted again.
 */
xb_code xb_commands_timestamps(xb_commands *commands, double *ns, uint32_t count, xb_error *err);

/* One clock for all queues and the host. xb_device_calibrate relates the device's clock to the host's, CLOCK_MONOTONIC:
 * the two readings are at most `*deviation_ns` apart. The clocks drift apart, so call it again before
 * each measurement; CUDA's times also become coarser, by 1 us for each 16 s since the call. XB_UNSUPPORTED without
 * xb_device_info.calibrates. It may be called with work in flight. */
xb_code xb_device_calibrate(xb_device *device, double *deviation_ns, xb_error *err);
/* The same timestamps as times of CLOCK_MONOTONIC. Times of lists that were submitted after the same calibration have
 * the same deviation. XB_INVALID if the list was not submitted after a calibration. */
xb_code xb_commands_times(xb_commands *commands, double *ns, uint32_t count, xb_error *err);

#ifdef __cplusplus
}
#endif
#endif
