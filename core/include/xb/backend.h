/* The interface of a backend: a constant table of functions, called by core.
 *
 * Core has checked every argument. It also tracks lifetimes, hazards and unusable devices: it only destroys an object
 * that no work in flight uses. Each backend defines its own xb_be_* structs. A program may have its own backend:
 * xb_device_desc.backend can point to any table. See docs/internals/architecture.md for an overview and
 * docs/internals/add-a-backend.md for the steps to write one.
 *
 * Thread rule: the functions of one device are called from one thread at a time.
 */
#ifndef XB_BACKEND_H
#define XB_BACKEND_H

#include "xb/gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { XB_BACKEND_VERSION = 8 };

typedef struct xb_be_device xb_be_device;
typedef struct xb_be_buffer xb_be_buffer;
typedef struct xb_be_image xb_be_image;
typedef struct xb_be_kernel xb_be_kernel;
typedef struct xb_be_commands xb_be_commands;
typedef struct xb_be_semaphore xb_be_semaphore;

typedef struct xb_be_binding {
  xb_be_buffer *buffer;
  uint64_t offset, size; /* size is 0 only for an image or a sampler */
  xb_binding_kind kind;
  xb_texel format;
  uint32_t channels;  /* TEXELS, STORAGE_TEXELS: 1, 2 or 4 */
  xb_be_image *image; /* IMAGE, STORAGE_IMAGE: instead of a buffer */
  xb_sample_mode sampler;
  xb_tiles tiles;   /* TILES */
  xb_access access; /* of a dispatch */
} xb_be_binding;

typedef struct xb_be_dispatch {
  xb_be_kernel *kernel;
  const xb_be_binding *bindings;
  uint32_t binding_count;
  const void *args;
  uint32_t arg_bytes;
  uint32_t groups[3];
  xb_window window;          /* 0 bytes unless info.window_bytes allows it */
  const xb_be_binding *uses; /* buffers that it uses by their addresses */
  uint32_t use_count;        /* at most XB_MAX_BINDINGS */
  bool early;                /* only with XB_FEATURE_EARLY_START */
} xb_be_dispatch;

/* The semaphores that a submission waits for and signals; NULL: none. */
typedef struct xb_be_handover {
  xb_be_semaphore *wait, *signal;
  uint64_t wait_value, signal_value;
} xb_be_handover;

/* Texts about an API for a program's user. Each may be NULL. */
typedef struct xb_about {
  const char *title;     /* "Direct3D 12"; NULL: the name */
  const char *vendor;    /* "NVIDIA": the only vendor whose GPUs it runs on; NULL: any vendor */
  const char *install;   /* advice if the driver is missing; NULL: the API is optional */
  const char *unreached; /* advice if only another API reaches a GPU */
  const char *visible;   /* the environment variable that hides devices of this API */
} xb_about;

struct xb_backend {
  uint32_t version; /* must be XB_BACKEND_VERSION */
  const char *name;
  xb_about about;

  xb_code (*enumerate)(xb_device_info *infos, uint32_t capacity, uint32_t *count, xb_error *err);

  /* `info` and all other out parameters are zero at first. xb_open_queues (core/queues.h) fills in the queues that the
   * description asks for. */
  xb_code (*device_open)(const xb_device_desc *desc, xb_be_device **device, xb_device_info *info, xb_error *err);
  /* Core calls this when no objects exist and no work is in flight. It frees the device even if it returns an error. */
  xb_code (*device_close)(xb_be_device *device, xb_error *err);
  /* Tells the backend that the device is unusable: from now on its functions only free host memory. */
  void (*device_abandon)(xb_be_device *device);
  uint64_t (*device_free_bytes)(xb_be_device *device); /* optional */
  /* Optional: calls `fn`, with the device current (CUDA). */
  xb_code (*device_native)(xb_be_device *device, xb_native_fn fn, void *user, xb_error *err);

  /* `*host` is the host pointer, for every kind of memory except DEVICE. Only UPLOAD and READBACK may be incoherent.
   * Returns XB_UNSUPPORTED for an optional kind that the device lacks. */
  xb_code (*buffer_create)(xb_be_device *device, const xb_buffer_desc *desc, xb_be_buffer **buffer, void **host,
                           xb_error *err);
  void (*buffer_destroy)(xb_be_device *device, xb_be_buffer *buffer);
  /* Flush: for each UPLOAD buffer, before its list is submitted. Invalidate: for each READBACK buffer, after its list
   * completed. */
  xb_code (*buffer_flush)(xb_be_device *device, xb_be_buffer *buffer, xb_error *err);
  xb_code (*buffer_invalidate)(xb_be_device *device, xb_be_buffer *buffer, xb_error *err);
  uint64_t (*buffer_native)(xb_be_buffer *buffer);
  uint64_t (*buffer_address)(xb_be_buffer *buffer); /* only with info.addresses; the buffer is addressable */

  xb_code (*kernel_create)(xb_be_device *device, const xb_kernel_desc *desc, xb_be_kernel **kernel,
                           xb_kernel_info *info, xb_error *err);
  void (*kernel_destroy)(xb_be_device *device, xb_be_kernel *kernel);

  xb_code (*commands_create)(xb_be_device *device, const xb_commands_desc *desc, xb_be_commands **commands,
                             xb_error *err);
  void (*commands_destroy)(xb_be_device *device, xb_be_commands *commands);
  xb_code (*cmd_dispatch)(xb_be_commands *commands, const xb_be_dispatch *dispatch, xb_error *err);
  /* Optional: only with XB_FEATURE_INDIRECT. `groups` is three 32-bit numbers; dispatch->groups is 0. */
  xb_code (*cmd_dispatch_indirect)(xb_be_commands *commands, const xb_be_dispatch *dispatch,
                                   const xb_be_binding *groups, xb_error *err);
  xb_code (*cmd_copy)(xb_be_commands *commands, const xb_be_binding *dst, const xb_be_binding *src, xb_error *err);
  xb_code (*cmd_fill)(xb_be_commands *commands, const xb_be_binding *dst, uint32_t word, xb_error *err);
  xb_code (*cmd_barrier)(xb_be_commands *commands, xb_error *err);
  xb_code (*cmd_timestamp)(xb_be_commands *commands, uint32_t index, xb_error *err);
  xb_code (*cmd_native)(xb_be_commands *commands, xb_native_fn fn, void *user, xb_error *err);
  xb_code (*commands_finish)(xb_be_commands *commands, xb_error *err);

  /* `value` is the point on the list's queue at which the work completes; the values of a queue are 1, 2, 3, ...
   * `after` only has points of other queues, because work on one queue completes in order. On failure nothing has been
   * submitted. */
  xb_code (*submit)(xb_be_device *device, xb_be_commands *commands, uint64_t value, const xb_point *after,
                    uint32_t after_count, const xb_be_handover *handover, xb_error *err);
  /* Returns XB_OK with `*reached` false if the time limit passes. A limit of 0 does not wait. An error with `*reached`
   * true means: the work has completed, and the backend has a message, such as one of the validation layer. */
  xb_code (*wait)(xb_be_device *device, xb_point point, uint64_t limit_ns, bool *reached, xb_error *err);
  xb_code (*timestamps)(xb_be_commands *commands, double *ns, uint32_t count, xb_error *err);

  /* Optional, both or none: only with xb_device_info.calibrates. `times` is for lists that were submitted after the
   * last calibration. */
  xb_code (*calibrate)(xb_be_device *device, double *deviation_ns, xb_error *err);
  xb_code (*times)(xb_be_commands *commands, double *ns, uint32_t count, xb_error *err);
  /* Optional, both: blocking copies between pageable memory and a DEVICE buffer that no work in flight uses. Without
   * them core copies through UPLOAD and READBACK buffers. */
  xb_code (*upload)(xb_be_device *device, const xb_be_binding *to, const void *from, xb_error *err);
  xb_code (*download)(xb_be_device *device, void *to, const xb_be_binding *from, xb_error *err);
  /* Only if info.exports; the buffer is exportable. */
  xb_code (*buffer_export)(xb_be_device *device, xb_be_buffer *buffer, xb_shared *shared, xb_error *err);
  /* Only with info.persisting_bytes. */
  xb_code (*persist)(xb_be_device *device, uint64_t bytes, uint64_t *set, xb_error *err);
  /* Only with info.binary_forms: returns the binary of a kernel that was created with a binary_form and without a
   * binary. */
  void (*kernel_binary)(const xb_be_kernel *kernel, const void **data, size_t *bytes);
  /* Only if info.exports_semaphores or info.imports_semaphores. An `fd` of -1 creates a new semaphore. Without both
   * flags, the handover of each submission is empty. */
  xb_code (*semaphore_create)(xb_be_device *device, int fd, xb_be_semaphore **semaphore, xb_error *err);
  xb_code (*semaphore_export)(xb_be_device *device, xb_be_semaphore *semaphore, int *fd, xb_error *err);
  void (*semaphore_destroy)(xb_be_device *device, xb_be_semaphore *semaphore);
  /* Only with info.max_image_size. A buffer's range has the size of the whole image. */
  xb_code (*image_create)(xb_be_device *device, const xb_image_desc *desc, xb_be_image **image, xb_error *err);
  void (*image_destroy)(xb_be_device *device, xb_be_image *image);
  xb_code (*cmd_copy_to_image)(xb_be_commands *commands, xb_be_image *dst, const xb_be_binding *src, xb_error *err);
  xb_code (*cmd_copy_from_image)(xb_be_commands *commands, const xb_be_binding *dst, xb_be_image *src, xb_error *err);
};

#ifdef __cplusplus
}
#endif
#endif
