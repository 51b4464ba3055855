/* The devices of this machine, each once with the APIs that reach it; and those that a run was asked to use. */
#ifndef XB_DEVICES_H
#define XB_DEVICES_H

#include "commands/options.h"
#include "measure/monitor.h"

enum { XB_MAX_DEVICES = 32, XB_MAX_BACKENDS = 4, XB_MAX_TARGETS = 8 };

/* One device. The APIs that reach it are known by its UUID; a device without one stands alone. */
typedef struct xb_gpu {
  const xb_device_info *by_backend[XB_MAX_BACKENDS]; /* NULL where that API does not reach it */
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

/* What one API does not tell about a device (multiprocessors, cache, clocks, bus) is taken from another that does. */
void xb_take_inventory(xb_inventory *inventory);
/* -1, or the exit code after the mistake was reported. `chosen` reaches at least one of the backends asked for. */
int xb_choose_gpu(const xb_inventory *inventory, const xb_options *options, const xb_gpu **chosen);
bool xb_backend_wanted(const xb_options *options, const xb_backend *backend);
/* One of the wanted backends reaches it. */
bool xb_gpu_wanted(const xb_options *options, const xb_gpu *gpu);

/* A device opened through one API, in one launch mode. */
typedef struct xb_target {
  xb_device *device;
  xb_device_info info; /* completed from the other APIs */
  xb_monitor *monitor; /* of its clocks; NULL where nothing tells */
  bool base;           /* of a comparison: the other targets are held against it */
} xb_target;

/* Opens the chosen device on each chosen backend; for a comparison of devices, the other device before it. Returns -1,
 * or the exit code after the mistake was reported. */
int xb_open_targets(const xb_options *options, xb_target targets[XB_MAX_TARGETS], size_t *count);
/* The end of a run that ends with `exit_code`. Where a device died it leaves the process at once: a driver may block
 * behind work that hangs. False where the driver reported an error at the very end (validation), which goes to stderr.
 */
bool xb_leave_targets(xb_target *targets, size_t count, int exit_code);
bool xb_close_targets(xb_target *targets, size_t count);

#endif
