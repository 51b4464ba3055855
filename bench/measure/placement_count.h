/* How many placements a cell gets, and of how many a group has room. */
#ifndef XB_PLACEMENT_COUNT_H
#define XB_PLACEMENT_COUNT_H

#include "measure/cell.h"

/* Of this cell, where there is room for `most`: what is not timed by the device's clock, and what the host has a hand
 * in, gets one; yardsticks get several where that is next to nothing; and unless asked for, what takes long to check
 * gets no more than tell anything (by what it would take with as many as are usual). */
uint32_t xb_cell_placements(const xb_cell *cell, const xb_plan *plan, uint32_t most);
/* Of the input, likewise: as many as one of its cells reads. */
uint32_t xb_input_placements(const xb_cell *cells, size_t count, const xb_workload *workload, uint32_t most);
/* Of all cells and inputs of a group, in `free_bytes` of one GPU: at most `wanted`, and 1 where fewer fit than tell
 * anything. The cells were not created yet, but their workloads' inputs are noted. */
uint32_t xb_placements_with_room(const xb_cell *cells, size_t count, uint32_t wanted, uint64_t free_bytes);

#endif
