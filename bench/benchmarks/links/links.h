/* Devices of one API in pairs, and memory that one of a pair reads from the other. */
#ifndef XB_LINKS_H
#define XB_LINKS_H

#include "benchmarks/pieces.h"

/* ---- pair.c ----------------------------------------------------------------------------------------------------- */

/* The device at `index` in the listing of the call's backend: the call's own one, or another one that stays open until
 * xb_links_close. XB_UNSUPPORTED if it is not there. */
xb_code xb_links_open(const xb_call *call, uint32_t index, xb_device **device, xb_error *err);
void xb_links_close(void);

/* Memory of one device, as another one sees it. */
typedef struct xb_reach {
  xb_device *from, *to;
  xb_buffer *source; /* of `from` */
  xb_buffer *seen;   /* of `to`; the same buffer if the devices are the same */
} xb_reach;

/* Makes memory of the kind `mem` of reach->from, and shares it with reach->to. XB_UNSUPPORTED if that one cannot see
 * it. The caller closes it, also on failure. */
xb_code xb_reach_open(xb_reach *reach, xb_mem mem, uint64_t bytes, xb_error *err);
void xb_reach_close(xb_reach *reach);

/* ---- copies.c, walk.c -------------------------------------------------------------------------------------------- */

/* One of several copies that run at the same time: `to` reads from `from`. */
typedef struct xb_lane {
  xb_device *from, *to;
  xb_mem from_mem, to_mem; /* DEVICE, or UPLOAD and READBACK for the host's */
  xb_queue queue;
} xb_lane;

enum { XB_MOST_LANES = 2 };
/* Time of a copy of the case's size on all lanes: the device's for one lane, else the host's. Checks each word. */
xb_code xb_time_lanes(const xb_case *c, const xb_lane *lanes, uint32_t count, double *ns, xb_error *err);

/* Accesses of a walk through memory of a case's size. */
uint64_t xb_walk_steps(const xb_case *c);
/* Device time of the walk. */
xb_code xb_time_walk(const xb_case *c, xb_device *from, xb_device *to, double *ns, xb_error *err);

#endif
