/* Groups of cells that are measured together, and the resources that they share. */
#ifndef XB_CELL_GROUPS_H
#define XB_CELL_GROUPS_H

#include "commands/devices.h"

/* Cells of one benchmark, element type and size. */
typedef struct xb_cell_group {
  const xb_benchmark *benchmark;
  xb_dtype dtype;
  uint64_t n, rows, columns, inner;
  xb_cell *cells;
  size_t count;
  const volatile sig_atomic_t *stop; /* set by Ctrl-C */
} xb_cell_group;

/* An upper bound for the number of cells of all targets. */
size_t xb_cells_capacity(const xb_options *options, const xb_benchmark *benchmark, size_t target_count);

/* Adds the cells of all targets to the group. Creates one workload per target, with its inputs in as many places as
 * memory allows; the caller destroys it. If a workload cannot be created, its cells fail. With --cache cold,
 * `flush_bytes` are written before each run. */
void xb_create_workloads(const xb_options *options, const xb_target *targets, size_t target_count,
                         uint64_t window_bytes, uint64_t flush_bytes, xb_cell_group *group,
                         xb_workload workloads[XB_MAX_TARGETS]);

#endif
