/* The rule by which sampling ends. */
#ifndef XB_STOPPING_H
#define XB_STOPPING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* More of a short run make files large, and hardly narrow an interval. */
enum { XB_MOST_SAMPLES = 10000 };

typedef struct xb_stopping {
  double min_ns; /* so long the interval is not asked */
  double max_ns; /* after this time, sampling ends */
  double width;  /* an interval of this width, relative to the median, is narrow enough */
  bool rarely;   /* of many samples, only every eighth part more asks again: statistics sort them all */
} xb_stopping;

typedef struct xb_sampled {
  const double *samples;
  size_t count;
  uint32_t placements;
  double sampled_ns; /* held against min_ns, */
  double spent_ns;   /* and against max_ns */
} xb_sampled;

/* Why sampling ends: as xb_settled_by says, "time limit", or "most samples". NULL: it goes on. */
const char *xb_stopped_by(const xb_stopping *rule, const xb_sampled *sampled);

/* Says why more samples would not help: "interval", it is at most `width` of the median; or "placements", each of which
 * is known well, so that only others would make it narrower. NULL: they would help. An interval that ends the sampling
 * as soon as it happens to be narrow holds the median too rarely, so only the first two thirds of the samples decide,
 * and of fewer than 24 samples none do. `scratch` must hold `count`
 * values. */
const char *xb_settled_by(const double *samples, size_t count, uint32_t placements, double width, double *scratch);

#endif
