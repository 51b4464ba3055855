/* The number of placements of a cell, and the number that fit into memory. */
#ifndef XB_PLACEMENT_COUNT_H
#define XB_PLACEMENT_COUNT_H

#include "measure/cell.h"

/* The number of placements of this cell, at most `most`. It is 1 if the host times the cell or takes part in its work.
 * Yardsticks get several only if these are small. A cell whose placements take long to check gets XB_FEWEST_PLACEMENTS,
 * unless the user asked for a number. */
uint32_t xb_cell_placements(const xb_cell *cell, const xb_plan *plan, uint32_t most);
/* The number of placements of the inputs: the largest number that a cell of the workload reads. */
uint32_t xb_input_placements(const xb_cell *cells, size_t count, const xb_workload *workload, uint32_t most);
/* The number of placements for all cells and inputs of a group that fits into `free_bytes` of one GPU: at most
 * `wanted`, and 1 if fewer than XB_FEWEST_PLACEMENTS fit. The inputs of the workloads are recorded, but no cell has
 * been created. */
uint32_t xb_placements_with_room(const xb_cell *cells, size_t count, uint32_t wanted, uint64_t free_bytes);

#endif
