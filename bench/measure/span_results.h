/* What is told of a run of lists, for a result. */
#ifndef XB_SPAN_RESULTS_H
#define XB_SPAN_RESULTS_H

#include "base/arena.h"
#include "measure/cell.h"
#include "result/result.h"

/* The metrics of a cell with lists; returns their number. */
size_t xb_span_metrics(const xb_cell *cell, xb_metric metrics[XB_MAX_METRICS]);
/* Sets the timeline of a cell that was sampled; nothing for a cell without lists. False if out of host memory. */
bool xb_span_timeline(const xb_cell *cell, xb_arena *arena, xb_result *r);

#endif
