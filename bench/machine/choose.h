/* The device of a run, and the APIs through which it is used. */
#ifndef XB_CHOOSE_H
#define XB_CHOOSE_H

#include "machine/inventory.h"
#include "machine/target.h"

enum { XB_MAX_LAUNCH_MODES = 3, XB_MAX_QUEUE_FAMILIES = 4 };

typedef struct xb_device_choice {
  const char *backend;        /* NULL or "all": every backend that reaches the device; else names with commas between */
  const char *device;         /* NULL: the best one */
  const char *against_device; /* the baseline of a comparison: another device, as `device`; NULL: none */
  bool first_is_base;         /* a comparison without another baseline: the first API */
  bool emulated_only;         /* no API that is not emulated */
  uint32_t checks;            /* xb_checks of emulated shaders' code */
  bool all_queues;            /* open all queues, not one of each kind */
  xb_launch_mode launch_modes[XB_MAX_LAUNCH_MODES];
  size_t launch_mode_count; /* 0: each backend's default */
  uint32_t queue_families[XB_MAX_QUEUE_FAMILIES];
  size_t queue_family_count; /* 0: each backend's best */
  bool all_queue_families;   /* use the best family, then all others */
  uint32_t waves;            /* where CUDA is emulated, also run shaders, with each of these sizes: bits */
  bool shaders_only;         /* there, nothing else */
} xb_device_choice;

/* Returns -1 on success; otherwise the mistake has been reported and the result is the exit code. `chosen` is reachable
 * through at least one requested backend. */
int xb_choose_gpu(const xb_inventory *inventory, const xb_device_choice *on, const xb_gpu **chosen);
bool xb_backend_wanted(const xb_device_choice *on, const xb_backend *backend);
/* True if a requested backend reaches it. */
bool xb_gpu_wanted(const xb_device_choice *on, const xb_gpu *gpu);

/* Opens the chosen device on each chosen backend. In a comparison of devices, the other device comes first. Returns -1
 * on success; otherwise the mistake has been reported and the result is the exit code. */
int xb_open_targets(const xb_device_choice *on, xb_target targets[XB_MAX_TARGETS], size_t *count);

#endif
