/* The devices of this machine, each listed once with all APIs that reach it, and the devices that a run uses. */
#ifndef XB_DEVICES_H
#define XB_DEVICES_H

#include "commands/options.h"
#include "measure/monitor.h"

enum { XB_MAX_DEVICES = 32, XB_MAX_BACKENDS = 4, XB_MAX_TARGETS = 8 };

/* One device. APIs report the same UUID for it; a device without a UUID is not merged with others. */
typedef struct xb_gpu {
  const xb_device_info *by_backend[XB_MAX_BACKENDS]; /* NULL if that API does not reach it */
  const xb_device_info *any;                         /* the first of them: name, type, UUID */
} xb_gpu;

typedef struct xb_inventory {
  size_t backend_count;
  xb_code code[XB_MAX_BACKENDS]; /* XB_OK, or why the backend has no devices */
  xb_error error[XB_MAX_BACKENDS];
  uint32_t left_out[XB_MAX_BACKENDS]; /* devices beyond XB_MAX_DEVICES */
  xb_device_info infos[XB_MAX_BACKENDS][XB_MAX_DEVICES];
  xb_gpu gpus[XB_MAX_BACKENDS * XB_MAX_DEVICES];
  size_t gpu_count;
} xb_inventory;

/* If one API does not report a property (multiprocessors, cache, clocks, bus), it is copied from another API that does.
 */
void xb_take_inventory(xb_inventory *inventory);
/* The same, but an API with a code in `skipped` is not asked: that is its error. */
void xb_take_inventory_without(const xb_error skipped[XB_MAX_BACKENDS], xb_inventory *inventory);
/* Copies what `info` lacks from the same device as another API, or a listing, reports it. */
void xb_complete_info(xb_device_info *info, const xb_device_info *other);
/* Returns -1 on success; otherwise the mistake has been reported and the result is the exit code. `chosen` is reachable
 * through at least one requested backend. */
int xb_choose_gpu(const xb_inventory *inventory, const xb_options *options, const xb_gpu **chosen);
bool xb_backend_wanted(const xb_options *options, const xb_backend *backend);
/* True if a requested backend reaches it. */
bool xb_gpu_wanted(const xb_options *options, const xb_gpu *gpu);

/* A device opened through one API, in one launch mode. */
typedef struct xb_target {
  xb_device *device;
  xb_device_info info; /* completed from the other APIs */
  xb_monitor *monitor; /* of its clocks; NULL if unavailable */
  bool base;           /* in a comparison: the other targets are compared with it */
} xb_target;

/* Opens the chosen device on each chosen backend. In a comparison of devices, the other device comes first. Returns -1
 * on success; otherwise the mistake has been reported and the result is the exit code. */
int xb_open_targets(const xb_options *options, xb_target targets[XB_MAX_TARGETS], size_t *count);
/* Closes all targets at the end of a run with this exit code. If a device is unusable, this ends the process at once,
 * because the driver may block behind hung work. Returns false if closing fails (validation errors); the error goes to
 * stderr. */
bool xb_leave_targets(xb_target *targets, size_t count, int exit_code);
bool xb_close_targets(xb_target *targets, size_t count);

#endif
