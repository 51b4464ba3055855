/* How cells are timed (docs/measuring.md): verify, calibrate the batch, warm up, then rounds in which every cell gives
 * one sample, in random order, then verify what the samples left behind.
 *
 * Device time is taken by two timestamps around `batch` runs of the plan, with barriers between the runs, divided by
 * batch. Host time, submit to complete of the whole sample, is kept apart. Sampling ends when every cell has had its
 * minimum time and either the 95 % interval of its median is narrow enough or what is left is what its placements
 * differ by, or when the time limit is reached.
 */
#ifndef XB_SAMPLER_H
#define XB_SAMPLER_H

#include <signal.h>

#include "measure/cell.h"

typedef struct xb_sampling {
  double sample_time_s;              /* device time of one sample; 0 = 5 ms */
  double min_time_s;                 /* device time that each cell is sampled for */
  double max_time_s;                 /* time limit, for each cell on average */
  double width;                      /* of the 95 % interval around the median, as a part of it: narrow enough */
  size_t min_rounds;                 /* at least XB_MIN_SAMPLES */
  uint64_t seed;                     /* of the order */
  const volatile sig_atomic_t *stop; /* set by Ctrl-C */
  /* How far xb_measure is, 0 to 1; may be NULL. `what` is static text. */
  void (*progress)(void *user, const char *what, double done);
  void *progress_user;
} xb_sampling;

/* Verifies, times and verifies again all cells that are PENDING. Cells fail one by one; a dead device fails the rest.
 */
void xb_measure(xb_cell *cells, size_t count, const xb_sampling *sampling);

#endif
