#include "measure/placement_count.h"

/* Part of the free memory that further placements may use: other programs use the GPU, too. */
enum { PARTS = 4, PARTS_USED = 3 };
static const uint64_t SMALL_BYTES = 256ull << 20; /* limit for all placements of a yardstick: checks take time */
static const uint64_t CHECKED_BYTES = 2ull << 30; /* the same limit for any other cell */

enum { INPUTS = 1 << XB_ROLE_INPUT, HOSTS = 1 << XB_ROLE_HOST_INPUT | 1 << XB_ROLE_HOST_OUTPUT };

static bool has_role(const xb_plan *plan, int roles)
{
  for (uint32_t i = 0; i < plan->slot_count; i++)
    if (roles >> plan->slots[i].role & 1)
      return true;
  return false;
}

/* There is one image for all placements. */
static bool writes_image(const xb_plan *plan)
{
  for (uint32_t i = 0; i < plan->slot_count; i++)
    if (plan->slots[i].image.format && plan->slots[i].role != XB_ROLE_INPUT)
      return true;
  return false;
}

/* The device memory of one placement, without inputs: they belong to the workload. */
static uint64_t plan_bytes(const xb_plan *plan)
{
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < plan->slot_count; i++)
    if (!((INPUTS | HOSTS) >> plan->slots[i].role & 1))
      bytes += xb_place_bytes(plan->slots[i].bytes);
  return bytes;
}

uint32_t xb_cell_placements(const xb_cell *cell, const xb_plan *plan, uint32_t most)
{
  const uint64_t bytes = plan_bytes(plan);
  uint64_t count = xb_placements_wanted(cell->c.device, cell->wanted_placements);
  if (cell->c.variant->clock != XB_CLOCK_DEVICE || has_role(plan, HOSTS) || writes_image(plan))
    return 1;
  if (!cell->wanted_placements && count > XB_FEWEST_PLACEMENTS && count * bytes > CHECKED_BYTES)
    count = XB_FEWEST_PLACEMENTS;
  if (cell->yardstick && count * bytes > SMALL_BYTES)
    count = SMALL_BYTES / bytes;
  return xb_placements_that_tell(count < most ? count : most);
}

/* Returns false if the cell has no buffers of its own. */
static bool plan(const xb_cell *cell, xb_plan *planned)
{
  xb_error ignored;
  return cell->verdict.outcome == XB_CELL_PENDING && !cell->shared && !xb_plan_make(&cell->c, planned, &ignored);
}

uint32_t xb_input_placements(const xb_cell *cells, size_t count, const xb_workload *workload, uint32_t most)
{
  uint32_t placements = 1;
  for (size_t i = 0; i < count; i++) {
    xb_plan planned;
    if (cells[i].workload != workload || !plan(&cells[i], &planned))
      continue;
    const uint32_t of_cell = has_role(&planned, INPUTS) ? xb_cell_placements(&cells[i], &planned, most) : 1;
    placements = of_cell > placements ? of_cell : placements;
    xb_plan_free(&planned);
  }
  return placements;
}

static bool first_of_workload(const xb_cell *cells, size_t i)
{
  for (size_t k = 0; k < i; k++)
    if (cells[k].workload == cells[i].workload)
      return false;
  return true;
}

static uint64_t group_bytes(const xb_cell *cells, size_t count, uint32_t most)
{
  uint64_t bytes = 0;
  for (size_t i = 0; i < count; i++) {
    const xb_workload *w = cells[i].workload;
    xb_plan planned;
    for (uint32_t k = 0; first_of_workload(cells, i) && k < w->input_kinds; k++)
      bytes += xb_input_placements(cells, count, w, most) * xb_place_bytes(w->inputs[k].bytes);
    if (plan(&cells[i], &planned)) {
      bytes += xb_cell_placements(&cells[i], &planned, most) * plan_bytes(&planned);
      xb_plan_free(&planned);
    }
  }
  return bytes;
}

uint32_t xb_placements_with_room(const xb_cell *cells, size_t count, uint32_t wanted, uint64_t free_bytes)
{
  const uint64_t once = group_bytes(cells, count, 1);
  const uint64_t room = free_bytes > once ? (free_bytes - once) / PARTS * PARTS_USED : 0;
  while (wanted >= XB_FEWEST_PLACEMENTS && group_bytes(cells, count, wanted) - once > room)
    wanted--;
  return xb_placements_that_tell(wanted);
}
