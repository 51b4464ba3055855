/* Cells that NEW measured in several runs. Only for bench/diff. */
#ifndef XB_DIFF_AGAIN_H
#define XB_DIFF_AGAIN_H

#include "diff/diff.h"

/* Makes one result of the first `count` runs of a cell: all their samples, and all their placements. The caller frees
 * `values`, which the result uses; it is NULL if one run is all. Returns false if out of host memory. */
bool xb_pool_runs(const xb_diff_cell *cell, size_t count, xb_result *pooled, double **values);

/* The base is one run, and runs of one program differ. A regression has to be slower than one more run could be, as far
 * as the spread of these runs tells. Other regressions of several runs become unclear. */
void xb_check_spread(xb_diff_cell *cell, double threshold);

#endif
