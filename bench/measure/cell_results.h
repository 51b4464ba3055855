/* Cells, once they were measured, as results. */
#ifndef XB_CELL_RESULTS_H
#define XB_CELL_RESULTS_H

#include "arena.h"
#include "measure/cell.h"
#include "result/result.h"

/* What a run measures on, as its results show it: the device at i of both. */
typedef struct xb_measured_on {
  const xb_device_info *const *infos;
  const xb_result_device *devices;
  size_t count;
} xb_measured_on;

/* Each of these: false or NULL, out of host memory. Texts live in the arena. */
bool xb_result_device_of(const xb_device_info *info, xb_arena *arena, xb_result_device *device);
bool xb_result_benchmark_of(const xb_benchmark *benchmark, xb_arena *arena, xb_result_benchmark *out);
/* Of cells that were measured together, one each, in their order. Samples stay where they are, in the cells. */
xb_result *xb_results_of_cells(const xb_cell *cells, size_t count, const xb_measured_on *on, xb_arena *arena);

#endif
