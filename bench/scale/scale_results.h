/* What came of scaling, as results and as text. */
#ifndef XB_SCALE_RESULTS_H
#define XB_SCALE_RESULTS_H

#include "base/arena.h"
#include "formats/formats.h"
#include "scale/scale.h"

/* All points of one API. */
typedef struct xb_scale_series {
  const xb_scaling *scaling;
  const xb_result_device *on; /* of member 0 */
  const xb_scaled *points;
  size_t count;
  const char (*hosts)[XB_HOST_BYTES]; /* of the members */
  bool shared;                        /* members have one device between them */
} xb_scale_series;

/* The result of a point, with the efficiency against one member if that was measured. NULL: out of host memory. The
 * benchmark of the result is in `*benchmark`. */
const xb_result *xb_scale_result(const xb_scale_series *s, size_t point, xb_arena *arena,
                                 xb_result_benchmark *benchmark);
/* GB/s or GFLOP/s of a point; of an all-reduce, of one vector. */
double xb_scale_speed(const xb_scale_series *s, const xb_scaled *scaled);
/* What each link of a ring carries at this speed. */
double xb_scale_bus_speed(double speed, uint32_t members);
/* Prints a table for each kind of scaling, with the fitted serial part. */
void xb_scale_print(const xb_scale_series *s);
/* One line: a point has ended. */
void xb_scale_print_point(const xb_scale_series *s, size_t point);

#endif
