/* A device that a run uses. */
#ifndef XB_TARGET_H
#define XB_TARGET_H

#include "machine/monitor.h"
#include "xb/gpu.h"

enum { XB_MAX_TARGETS = 8 };

/* A device opened through one API, in one launch mode. */
typedef struct xb_target {
  xb_device *device;
  xb_device_info info; /* completed from the other APIs */
  xb_monitor *monitor; /* of its clocks; NULL if unavailable */
  bool base;           /* in a comparison: the other targets are compared with it */
} xb_target;

/* Opens a target. `info` is the device's entry of the inventory; targets from `first` up to this one are open, and the
 * monitor of one on the same GPU is shared. Returns -1 on success; otherwise the mistake has been reported and the
 * result is the exit code. */
int xb_open_target(const xb_device_desc *desc, const xb_device_info *info, const xb_target *first, xb_target *target);
/* Closes all targets at the end of a run with this exit code. If a device is unusable, this ends the process at once,
 * because the driver may block behind hung work. Returns false if closing fails (validation errors); the error goes to
 * stderr. */
bool xb_leave_targets(xb_target *targets, size_t count, int exit_code);
bool xb_close_targets(xb_target *targets, size_t count);

#endif
