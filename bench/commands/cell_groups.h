/* Which cells are measured together, and what they share. */
#ifndef XB_CELL_GROUPS_H
#define XB_CELL_GROUPS_H

#include "commands/devices.h"

/* Cells of one benchmark, element type and size: measured together. */
typedef struct xb_cell_group {
  const xb_benchmark *benchmark;
  xb_dtype dtype;
  uint64_t n, rows, columns;
  xb_cell *cells;
  size_t count;
} xb_cell_group;

/* Room for the cells of all targets. */
size_t xb_cells_capacity(const xb_options *options, const xb_benchmark *benchmark, size_t target_count);

/* Adds the cells of all targets to the group and makes their workloads, one a target, which the caller destroys: on
 * each target the inputs, in as many places as there is memory for. Where one cannot be made, its cells fail.
 * `flush_bytes`: written before each run where the cache is to be cold. */
void xb_create_workloads(const xb_options *options, const xb_target *targets, size_t target_count,
                         uint64_t window_bytes, uint64_t flush_bytes, xb_cell_group *group,
                         xb_workload workloads[XB_MAX_TARGETS]);

#endif
