/* How cells are timed (docs/internals/method.md): verify, calibrate the batch, warm up, sample, and verify the outputs
 * of the samples. Sampling has rounds; in each round every cell gives one sample, in random order.
 *
 * Device time is the difference of two timestamps around `batch` runs of the plan, with barriers between the runs,
 * divided by `batch`. Host time, from submit to complete of the whole sample, is kept separately. Sampling of a cell
 * ends at the time limit, or when it has had its minimum time and either the 95 % interval of its median is narrow
 * enough or only its placements still differ.
 *
 */
#ifndef XB_SAMPLER_H
#define XB_SAMPLER_H

#include <signal.h>

#include "measure/cell.h"

/* A GPU works for so long before its first sample. One that rested, for example while the host checked a result, may
 * begin at low clocks: through Vulkan an H200 took 0.2 to 0.36 s to raise them. Until then its times agree, but are
 * wrong. */
#define XB_AWAKE_NS 0.5e9

typedef struct xb_sampling {
  double sample_time_s;              /* device time of one sample; 0 = 5 ms */
  double min_time_s;                 /* minimum device time of all samples of a cell */
  double max_time_s;                 /* time limit for each cell; if they end together, on average */
  bool together;                     /* all cells get equally many samples, for comparisons */
  double width;                      /* a 95 % interval of this width, relative to the median, is narrow enough */
  size_t min_rounds;                 /* at least XB_MIN_SAMPLES */
  uint64_t seed;                     /* for the order of samples */
  const volatile sig_atomic_t *stop; /* set by Ctrl-C */
  /* Gets the progress of xb_measure, 0 to 1; may be NULL. `what` is static text. */
  void (*progress)(void *user, const char *what, double done);
  void *progress_user;
} xb_sampling;

/* Verifies, times and verifies again all cells that are PENDING. A failed cell does not affect others, but an unusable
 * device fails all cells that remain. */
void xb_measure(xb_cell *cells, size_t count, const xb_sampling *sampling);

#endif
