/* Cells held against each other: ratio, interval, verdict. */
#ifndef XB_COMPARISON_H
#define XB_COMPARISON_H

#include "measure/cell.h"
#include "measure/ratio.h"

typedef struct xb_pair {
  const xb_cell *subject, *base;
  bool compared;        /* false where one of them has no result: `reason` says which */
  double ratio;         /* median time of the subject over that of the base */
  xb_interval interval; /* 95 % */
  /* The same with the difference of the two floors taken off the subject's time; ratio 0 where a floor is not known. */
  double ratio_less_floors;
  xb_interval interval_less_floors;
  double margin;
  xb_verdict verdict;
  char reason[96]; /* why it is unclear or not compared */
} xb_pair;

/* Cells that were sampled in the same rounds. */
typedef struct xb_comparison {
  xb_pair *pairs;
  size_t count;
  double *log_ratios; /* [count][XB_RESAMPLES]; of what was not compared, undefined */
} xb_comparison;

/* Pairs each cell with its base: the cell marked `base` of the same variant on another target or, where another variant
 * is the base, that variant on the same target, else wherever it has a result. `margin` < 0: xb_default_margin. */
xb_code xb_compare_cells(const xb_cell *cells, size_t count, double margin, uint64_t seed, xb_comparison *comparison,
                         xb_error *err);
void xb_comparison_free(xb_comparison *comparison);

/* What counts as no difference, unless the user says: docs/measuring.md has the measurements behind it. */
double xb_default_margin(const xb_device_info *info);

/* The target's floor among the cells; NULL where it was not measured. */
const xb_cell *xb_floor_cell(const xb_cell *cells, size_t count, const xb_device_info *target);
/* What the cell's dispatches cost at least: the median of the floor's cell, so many times; 0 where it was not measured.
 */
double xb_floor_ns(const xb_cell *cells, size_t count, const xb_cell *cell);

#endif
