/* Makes results of measured cells. */
#ifndef XB_CELL_RESULTS_H
#define XB_CELL_RESULTS_H

#include "base/arena.h"
#include "measure/cell.h"
#include "result/result.h"

/* The devices of a run, and the same devices in the form of results. Entries at the same index belong together. */
typedef struct xb_measured_on {
  const xb_device_info *const *infos;
  const xb_result_device *devices;
  size_t count;
} xb_measured_on;

/* These functions return false or NULL if out of host memory. Texts live in the arena. */
bool xb_result_device_of(const xb_device_info *info, xb_arena *arena, xb_result_device *device);
bool xb_result_benchmark_of(const xb_benchmark *benchmark, xb_arena *arena, xb_result_benchmark *out);
/* Returns one result for each cell of a group, in their order. Samples are not copied: they stay in the cells. */
xb_result *xb_results_of_cells(const xb_cell *cells, size_t count, const xb_measured_on *on, xb_arena *arena);

/* The metrics of a cell with lists; returns their number. (lists.c) */
size_t xb_span_metrics(const xb_cell *cell, xb_metric metrics[XB_MAX_METRICS]);
/* Sets the timeline of a cell that was sampled; nothing for a cell without lists. (lists.c) */
bool xb_span_timeline(const xb_cell *cell, xb_arena *arena, xb_result *r);

#endif
