/* What a backend implements: one `static const`-like table of functions behind the front door of xb/gpu.h.
 *
 * The front door has checked every argument, tracks lifetimes (a backend's destroy is only called when nothing in
 * flight uses the object), hazards and the death of the device. A backend is a folder with one table;
 * docs/architecture.md has the picture, docs/add-a-backend.md the order to write it in. Each backend defines the
 * xb_be_* structs for itself. A program may bring a backend of its own: xb_device_desc.backend takes a pointer to any
 * table.
 *
 * Thread rule: the functions of one device are called from one thread at a time.
 */
#ifndef XB_BACKEND_H
#define XB_BACKEND_H

#include "xb/gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { XB_BACKEND_VERSION = 2 };

typedef struct xb_be_device xb_be_device;
typedef struct xb_be_buffer xb_be_buffer;
typedef struct xb_be_kernel xb_be_kernel;
typedef struct xb_be_commands xb_be_commands;

typedef struct xb_be_binding {
  xb_be_buffer *buffer;
  uint64_t offset, size; /* size is never 0 */
} xb_be_binding;

typedef struct xb_be_dispatch {
  xb_be_kernel *kernel;
  const xb_be_binding *bindings;
  uint32_t binding_count;
  const void *args;
  uint32_t arg_bytes;
  uint32_t groups[3];
} xb_be_dispatch;

struct xb_backend {
  uint32_t version; /* XB_BACKEND_VERSION; the front door refuses another */
  const char *name;

  xb_code (*enumerate)(xb_device_info *infos, uint32_t capacity, uint32_t *count, xb_error *err);

  /* `info` starts zeroed; so does every out parameter. */
  xb_code (*device_open)(const xb_device_desc *desc, xb_be_device **device, xb_device_info *info, xb_error *err);
  /* Nothing is alive and nothing is in flight. Always frees. */
  xb_code (*device_close)(xb_be_device *device, xb_error *err);
  /* The device is dead: from here on every function of it frees host memory only. */
  void (*device_abandon)(xb_be_device *device);
  uint64_t (*device_free_bytes)(xb_be_device *device); /* optional */
  /* Optional: calls `fn` with the device current. */
  xb_code (*device_native)(xb_be_device *device, xb_native_fn fn, void *user, xb_error *err);

  /* `*host` is the mapping of UPLOAD and READBACK memory. */
  xb_code (*buffer_create)(xb_be_device *device, const xb_buffer_desc *desc, xb_be_buffer **buffer, void **host,
                           xb_error *err);
  void (*buffer_destroy)(xb_be_device *device, xb_be_buffer *buffer);
  /* Called for each UPLOAD buffer of a list before it is submitted, and for each READBACK buffer after it completed. */
  xb_code (*buffer_flush)(xb_be_device *device, xb_be_buffer *buffer, xb_error *err);
  xb_code (*buffer_invalidate)(xb_be_device *device, xb_be_buffer *buffer, xb_error *err);
  uint64_t (*buffer_native)(xb_be_buffer *buffer);

  xb_code (*kernel_create)(xb_be_device *device, const xb_kernel_desc *desc, xb_be_kernel **kernel,
                           xb_kernel_info *info, xb_error *err);
  void (*kernel_destroy)(xb_be_device *device, xb_be_kernel *kernel);

  xb_code (*commands_create)(xb_be_device *device, const xb_commands_desc *desc, xb_be_commands **commands,
                             xb_error *err);
  void (*commands_destroy)(xb_be_device *device, xb_be_commands *commands);
  xb_code (*cmd_dispatch)(xb_be_commands *commands, const xb_be_dispatch *dispatch, xb_error *err);
  xb_code (*cmd_copy)(xb_be_commands *commands, const xb_be_binding *dst, const xb_be_binding *src, xb_error *err);
  xb_code (*cmd_fill)(xb_be_commands *commands, const xb_be_binding *dst, uint32_t word, xb_error *err);
  xb_code (*cmd_barrier)(xb_be_commands *commands, xb_error *err);
  xb_code (*cmd_timestamp)(xb_be_commands *commands, uint32_t index, xb_error *err);
  xb_code (*cmd_native)(xb_be_commands *commands, xb_native_fn fn, void *user, xb_error *err);
  xb_code (*commands_finish)(xb_be_commands *commands, xb_error *err);

  /* The submission completes as `value` on the list's queue; values of a queue count 1, 2, 3, ... `after` has points of
   * other queues only: work on one queue completes in order. On failure nothing is in flight. */
  xb_code (*submit)(xb_be_device *device, xb_be_commands *commands, uint64_t value, const xb_point *after,
                    uint32_t after_count, xb_error *err);
  /* XB_OK with `*reached` false when the limit passed; limit 0 only asks. An error with `*reached` true: the work is
   * done, and there is something to report, such as a validation message. */
  xb_code (*wait)(xb_be_device *device, xb_point point, uint64_t limit_ns, bool *reached, xb_error *err);
  xb_code (*timestamps)(xb_be_commands *commands, double *ns, uint32_t count, xb_error *err);
};

#ifdef __cplusplus
}
#endif
#endif
