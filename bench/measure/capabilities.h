/* What NVIDIA publishes of a multiprocessor, by compute capability: for GPUs that need not be here. */
#ifndef XB_CAPABILITIES_H
#define XB_CAPABILITIES_H

#include "measure/occupancy.h"

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
