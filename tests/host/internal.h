#ifndef HOST_INTERNAL_H
#define HOST_INTERNAL_H

#include "core/grow.h"
#include "host.h"

typedef enum host_op_kind { HOST_DISPATCH, HOST_COPY, HOST_FILL, HOST_TIMESTAMP } host_op_kind;

typedef struct host_op {
  host_op_kind kind;
  xb_be_kernel *kernel;
  xb_be_binding bindings[XB_MAX_BINDINGS]; /* copy: destination, source */
  uint32_t binding_count;
  uint32_t groups[3];
  xb_be_binding counts; /* with a buffer: `groups` is read from it when the command begins */
  uint32_t word;        /* of a fill; index of a timestamp */
  _Alignas(8) uint8_t args[XB_MAX_ARG_BYTES];
} host_op;

/* One submission and its progress. */
typedef struct host_work {
  xb_be_commands *commands;
  uint64_t value;
  xb_point after[XB_MAX_AFTER];
  uint32_t after_count;
  xb_be_handover handover;
  size_t op;
  uint64_t group;
} host_work;

typedef struct host_queue {
  host_work *work;
  size_t count, capacity;
  uint64_t submitted, reached;
} host_queue;

struct xb_be_device {
  xb_device_info info;
  host_queue queues[XB_MAX_QUEUES];
  bool failed;       /* a call returned XB_LOST or XB_TIMEOUT: only abandon may follow */
  bool abandoned;    /* only freeing may follow */
  bool hung;         /* a wait timed out */
  uint64_t clock_ns; /* the host's clock; advances at least 10 ns per step */
};

struct xb_be_buffer {
  xb_be_device *device;
  xb_mem mem;
  uint64_t bytes;
  uint8_t *data;   /* what the device sees */
  uint8_t *mapped; /* what the host sees; NULL for device memory */
};

struct xb_be_semaphore {
  xb_be_device *device;
  int file;
  uint64_t *value; /* in the file */
};

struct xb_be_kernel {
  xb_be_device *device;
  host_code code;
  uint32_t subgroup_size;
};

struct xb_be_commands {
  xb_be_device *device;
  xb_queue queue;
  host_op *ops;
  size_t op_count, op_capacity;
  uint64_t *stamps;
  uint32_t timestamp_count;
  bool finished;
};

extern host_mode host_current_mode;
extern host_live host_counters;

/* Counts a call that can fail. Returns an error if this is the call that has to fail. `device` may be NULL. */
xb_code host_call(xb_be_device *device, const char *name, xb_error *err);
/* What host_report_at_wait asked for, once. */
xb_code host_reported(const char *name, xb_error *err);
/* True once after host_lose_times. */
bool host_lost_times(void);
/* Counts a call that only frees. */
void host_free_call(xb_be_device *device, const char *name);
/* Notes a broken rule if `kept` is false; returns `kept`. */
bool host_promise(bool kept, const char *where, const char *text);
void host_note_open(const xb_device_desc *desc);

void host_info(uint32_t index, xb_device_info *info);

bool host_buffer_in_flight(const xb_be_buffer *buffer);
bool host_kernel_in_flight(const xb_be_kernel *kernel);
bool host_commands_in_flight(const xb_be_commands *commands);
bool host_semaphore_in_flight(const xb_be_semaphore *semaphore);
void host_queues_drop(xb_be_device *device);

uint64_t host_now_ns(void);

/* Runs one group of a dispatch, or all of another command. Returns true when the command is done. */
bool host_run_step(xb_be_device *device, host_work *work);

xb_code host_buffer_create(xb_be_device *, const xb_buffer_desc *, xb_be_buffer **, void **, xb_error *);
void host_buffer_destroy(xb_be_device *, xb_be_buffer *);
xb_code host_buffer_flush(xb_be_device *, xb_be_buffer *, xb_error *);
xb_code host_buffer_invalidate(xb_be_device *, xb_be_buffer *, xb_error *);
uint64_t host_buffer_native(xb_be_buffer *);
xb_code host_kernel_create(xb_be_device *, const xb_kernel_desc *, xb_be_kernel **, xb_kernel_info *, xb_error *);
void host_kernel_destroy(xb_be_device *, xb_be_kernel *);
xb_code host_commands_create(xb_be_device *, const xb_commands_desc *, xb_be_commands **, xb_error *);
void host_commands_destroy(xb_be_device *, xb_be_commands *);
xb_code host_cmd_dispatch(xb_be_commands *, const xb_be_dispatch *, xb_error *);
xb_code host_cmd_dispatch_indirect(xb_be_commands *, const xb_be_dispatch *, const xb_be_binding *, xb_error *);
xb_code host_cmd_copy(xb_be_commands *, const xb_be_binding *, const xb_be_binding *, xb_error *);
xb_code host_cmd_fill(xb_be_commands *, const xb_be_binding *, uint32_t, xb_error *);
xb_code host_cmd_barrier(xb_be_commands *, xb_error *);
xb_code host_cmd_timestamp(xb_be_commands *, uint32_t, xb_error *);
xb_code host_cmd_native(xb_be_commands *, xb_native_fn, void *, xb_error *);
xb_code host_commands_finish(xb_be_commands *, xb_error *);
xb_code host_submit(xb_be_device *, xb_be_commands *, uint64_t, const xb_point *, uint32_t, const xb_be_handover *,
                    xb_error *);
xb_code host_wait(xb_be_device *, xb_point, uint64_t, bool *, xb_error *);
xb_code host_timestamps(xb_be_commands *, double *, uint32_t, xb_error *);
xb_code host_calibrate(xb_be_device *, double *, xb_error *);
xb_code host_times(xb_be_commands *, double *, uint32_t, xb_error *);
xb_code host_semaphore_create(xb_be_device *, int, xb_be_semaphore **, xb_error *);
xb_code host_semaphore_export(xb_be_device *, xb_be_semaphore *, int *, xb_error *);
void host_semaphore_destroy(xb_be_device *, xb_be_semaphore *);

#endif
