/* How many placements of all its cells and inputs a group has room for. */
#ifndef XB_ROOM_H
#define XB_ROOM_H

#include "measure/cell.h"

/* Of cells that were not created yet, with their workloads' n and device set: at most `wanted`; 1 where fewer fit than
 * tell anything; 0 where `free_bytes`, of the GPU that has least, is unknown (0). All of them may be on one GPU. */
uint32_t xb_placements_with_room(const xb_cell *cells, size_t count, uint32_t wanted, uint64_t free_bytes);

#endif
