/* How many groups a multiprocessor holds at a time, computed from what a group needs; and what NVIDIA publishes of a
 * multiprocessor, by compute capability, for GPUs that need not be here. */
#ifndef XB_OCCUPANCY_H
#define XB_OCCUPANCY_H

#include "xb/gpu.h"

/* What limits a multiprocessor. Registers are given to a wave in steps, or to a whole group on the oldest GPUs. */
typedef struct xb_multiprocessor {
  uint32_t wave, threads, groups, registers, shared_bytes;
  uint32_t most_group; /* threads of a group */
  uint32_t register_step;
  bool registers_by_group;
  uint32_t wave_step; /* a multiprocessor's waves that have registers: a multiple of this; waves of a group, by group */
  uint32_t shared_step, shared_besides; /* bytes; besides: what a group takes in addition */
} xb_multiprocessor;

typedef struct xb_occupancy {
  uint32_t by_threads, by_registers, by_shared; /* groups that each limit allows; UINT32_MAX: it does not limit */
  uint32_t groups;                              /* the least of them, and of the most groups */
  double share;                                 /* of the threads that a multiprocessor holds */
} xb_occupancy;

xb_occupancy xb_occupancy_of(const xb_multiprocessor *m, uint32_t block, uint32_t registers, uint32_t shared_bytes);
/* Of an NVIDIA GPU, from what CUDA tells. `wave`: the threads of a wave of the kernel, which need not be the device's
 * usual number. False if something is unknown. */
bool xb_multiprocessor_of(const xb_device_info *info, uint32_t wave, xb_multiprocessor *m);

typedef struct xb_capability {
  uint32_t number; /* 90: compute capability 9.0, sm_90 */
  const char *name;
  xb_multiprocessor has;
  uint32_t most_registers, most_shared_bytes; /* of a thread, of a group */
  uint32_t grids;                             /* that run at a time */
} xb_capability;

extern const xb_capability xb_capabilities[]; /* from the oldest one; the last one has no name */

/* NULL: unknown. */
const xb_capability *xb_capability_of(uint32_t number);

#endif
