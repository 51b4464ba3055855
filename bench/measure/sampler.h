/* How cells are timed: warm up, calibrate the batch, then rounds in which every cell gives one sample, in random order.
 *
 * Device time is taken by two timestamps around `batch` runs of the plan, with barriers between the runs, divided by
 * batch. Host time, submit to complete of the whole sample, is kept apart. Sampling ends when the 95 % interval of
 * every cell's median is narrow enough and every cell has had its minimum time, or when the time limit is reached.
 */
#ifndef XB_SAMPLER_H
#define XB_SAMPLER_H

#include <signal.h>

#include "measure/cell.h"

typedef struct xb_sampling {
  double min_time_s;                 /* device time that each cell is sampled for */
  double max_time_s;                 /* time limit, for each cell on average */
  double width;                      /* of the 95 % interval around the median, as a part of it: narrow enough */
  uint64_t seed;                     /* of the order */
  const volatile sig_atomic_t *stop; /* set by Ctrl-C */
  void (*progress)(void *user, const char *what, size_t done, size_t total); /* may be NULL */
  void *progress_user;
} xb_sampling;

enum { XB_MIN_SAMPLES = 10 };

/* Verifies, times and verifies again all cells that are PENDING. Cells fail one by one; a dead device fails the rest.
 */
void xb_measure(xb_cell *cells, size_t count, const xb_sampling *sampling);

#endif
