#include "measure/room.h"

/* Of what is free beside one placement of each: others use the GPU, too. */
enum { PARTS = 4, PARTS_USED = 3 };

/* Bytes of device memory of one placement. */
static uint64_t cell_bytes(const xb_cell *cell)
{
  xb_plan plan;
  xb_error ignored;
  uint64_t bytes = 0;
  if (cell->outcome != XB_CELL_PENDING || cell->shared || cell->benchmark->plan(&cell->c, &plan, &ignored))
    return 0;
  for (uint32_t i = 0; i < plan.slot_count; i++)
    switch (plan.slots[i].role) {
    case XB_ROLE_INPUT:
    case XB_ROLE_HOST_INPUT:
    case XB_ROLE_HOST_OUTPUT: break;
    default: bytes += xb_place_bytes(plan.slots[i].bytes);
    }
  return bytes;
}

static bool first_of_workload(const xb_cell *cells, size_t i)
{
  for (size_t k = 0; k < i; k++)
    if (cells[k].workload == cells[i].workload)
      return false;
  return true;
}

uint32_t xb_placements_with_room(const xb_cell *cells, size_t count, uint32_t wanted, uint64_t free_bytes)
{
  uint64_t each = 1; /* bytes of one placement of everything */
  for (size_t i = 0; i < count; i++) {
    each += cell_bytes(&cells[i]);
    if (first_of_workload(cells, i))
      each += xb_place_bytes(cells[i].workload->n * XB_ELEMENT_BYTES);
  }
  if (!free_bytes)
    return 0;
  const uint64_t more = free_bytes > each ? (free_bytes - each) / PARTS * PARTS_USED / each : 0;
  return more >= wanted ? wanted : xb_placements_that_tell(1 + more);
}
