/* Which cells are measured together. */
#ifndef XB_CELLS_H
#define XB_CELLS_H

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

/* Adds the cells of one target to the group: the selected variants of its benchmark; in a run the copies that they are
 * held against, in a comparison the variant that they are held against; and the floor of the API. */
void xb_add_cells(const xb_options *options, uint64_t window_bytes, xb_cell_group *group, const xb_target *target,
                  const xb_workload *workload);

#endif
