/* What the calls of benchmarks (XB_STEP_CALL) do with devices. */
#ifndef XB_CALLS_H
#define XB_CALLS_H

#include "benchmarks/benchmark.h"

/* Submits a list, and waits for it. */
xb_code xb_run_list(xb_device *device, xb_commands *list, xb_error *err);
/* A list that does something `runs` times, with barriers between. */
typedef struct xb_timed_work {
  const char *label;
  uint32_t runs;
  void (*before)(void *user, xb_commands *list); /* once, untimed; NULL: nothing */
  void (*run)(void *user, xb_commands *list);
  void *user;
} xb_timed_work;
/* Runs such a list twice, and the device times the second one. `ns`: of one of its runs. */
xb_code xb_time_work(xb_device *device, const xb_timed_work *work, double *ns, xb_error *err);
/* Records a dispatch of so many groups, in x and y if the device allows fewer in x. `grid_x`: the argument for it. */
void xb_record_groups(xb_commands *list, const xb_case *c, uint64_t groups, xb_dispatch dispatch, uint32_t *grid_x);

/* The description of a device that is open. */
xb_device_desc xb_device_like(const xb_device *device);
/* Another device, which stays open: opening one takes longer than all that is measured with it. A lost one is opened
 * again. */
xb_code xb_other_device(const xb_device_desc *desc, xb_device **device, xb_error *err);
/* The one that is open through this API and has the UUID of `info`; NULL: none is. */
xb_device *xb_other_device_of(const char *api, const xb_device_info *info);
void xb_other_devices_close(void);

#endif
