/* The front door's own objects. Everything here belongs to one device and is used by one thread at a time. */
#ifndef XB_CORE_INTERNAL_H
#define XB_CORE_INTERNAL_H

#include "xb/backend.h"

enum { XB_LABEL_BYTES = 64 };

typedef struct xb_pending {
  xb_point point;
  xb_commands *commands; /* retained until the point is reached */
} xb_pending;

struct xb_device {
  const xb_backend *backend;
  xb_be_device *be;
  xb_device_info info;
  xb_code status; /* XB_OK, or what it died of */
  uint64_t submitted[XB_MAX_QUEUES], reached[XB_MAX_QUEUES];
  xb_pending *pending;
  size_t pending_count, pending_capacity;
  size_t alive; /* objects that the caller has not destroyed */
};

struct xb_buffer {
  xb_device *device;
  xb_be_buffer *be;
  void *host;
  uint64_t bytes;
  xb_mem mem;
  uint32_t refs;
  char label[XB_LABEL_BYTES];
};

struct xb_kernel {
  xb_device *device;
  xb_be_kernel *be;
  xb_kernel_info info;
  uint32_t refs;
  uint32_t binding_count, unused_bindings, arg_bytes;
  char label[XB_LABEL_BYTES];
};

/* One range that work since the last barrier reads or writes. */
typedef struct xb_touch {
  const xb_buffer *buffer;
  uint64_t begin, end;
  xb_access access;
  const char *by; /* a kernel's label, or static text */
} xb_touch;

typedef struct xb_hazards {
  xb_touch *touches;
  size_t count, capacity;
} xb_hazards;

/* Checks the touches of one command against those since the last barrier, and against each other, then adds them.
 * XB_INVALID with the names of both sides where a barrier is missing. */
xb_code xb_hazards_add(xb_hazards *hazards, const xb_touch *touches, size_t count, xb_error *err);
void xb_hazards_barrier(xb_hazards *hazards);
void xb_hazards_free(xb_hazards *hazards);

struct xb_commands {
  xb_device *device;
  xb_be_commands *be;
  xb_queue queue;
  uint32_t refs;
  uint32_t timestamp_count;
  uint8_t *stamped; /* per timestamp: recorded */
  bool finished;
  bool unread;         /* submitted with timestamps that were not read yet */
  uint64_t last_value; /* of the last submission */
  xb_error error;      /* the first recording error */
  xb_hazards hazards;
  xb_buffer **buffers;
  size_t buffer_count, buffer_capacity;
  xb_kernel **kernels;
  size_t kernel_count, kernel_capacity;
  char label[XB_LABEL_BYTES];
};

/* XB_OK, or the dead device's code with a message. */
xb_code xb_device_usable(const xb_device *device, const char *where, xb_error *err);
/* Passes a backend's result through; a fatal one kills the device. */
xb_code xb_device_result(xb_device *device, xb_code code);
/* Counts points reached up to `point` and releases what they kept alive. */
xb_code xb_device_retire(xb_device *device, xb_point point, xb_error *err);
/* Releases whatever has completed, without waiting. */
xb_code xb_device_collect(xb_device *device, xb_error *err);
/* Drops everything in flight: the device is idle or dead. */
void xb_device_drop_pending(xb_device *device);

void xb_buffer_release(xb_buffer *buffer);
void xb_kernel_release(xb_kernel *kernel);
void xb_commands_release(xb_commands *commands);

void xb_label_copy(char label[XB_LABEL_BYTES], const char *given, const char *otherwise);
/* Makes room for one more item of `item_bytes`; false when memory ran out. */
bool xb_reserve(void **items, size_t *capacity, size_t count, size_t item_bytes);

#endif
