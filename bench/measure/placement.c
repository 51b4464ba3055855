#include "judge/stats.h"
#include "measure/cell.h"
#include "os/pages.h"

#include <stdio.h>
#include <string.h>

enum { GAP = 64 << 10, ALIGNMENT = 512 };
/* A driver puts smaller allocations together into one page. */
static const uint64_t PAGE_BYTES = 2ull << 20;
/* Before each of several buffers, memory of random size is allocated, and freed after the last one. Otherwise a driver
 * returns the same pages in every process, whatever the seed. The spacers use at most an eighth of the free memory. */
static const uint64_t SPACER_BYTES = 256ull << 20;
enum { SPACERS_PART = 8 };

uint32_t xb_placements_wanted(const xb_device_info *info, uint32_t asked)
{
  return asked ? asked : info->type == XB_DEVICE_CPU ? XB_CPU_PLACEMENTS : XB_GPU_PLACEMENTS;
}

static uint64_t padded(uint64_t bytes)
{
  return (bytes + 2 * XB_GUARD_BYTES + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static uint64_t at_least_a_page(uint64_t bytes)
{
  return bytes < PAGE_BYTES ? PAGE_BYTES : bytes;
}

uint64_t xb_placement_bytes(uint64_t bytes)
{
  return at_least_a_page(padded(bytes) + GAP);
}

/* `count`, or 1 if that is less than XB_FEWEST_PLACEMENTS. */
static uint32_t distinct_placements(uint64_t count)
{
  return count >= XB_FEWEST_PLACEMENTS ? (uint32_t)count : 1;
}

uint64_t xb_placement_stream(uint64_t seed, const xb_device_info *info, const char *what)
{
  char name[128];
  snprintf(name, sizeof name, "%s %u %d %u %s", info->backend, info->index, (int)info->launch_mode,
           info->queues[XB_QUEUE_COMPUTE].family, what);
  for (const char *c = name; *c; c++) {
    seed ^= (unsigned char)*c;
    seed = xb_random(&(uint64_t){seed});
  }
  return seed;
}

static uint64_t gap(uint64_t *random)
{
  return xb_random(random) % (GAP / ALIGNMENT) * ALIGNMENT;
}

/* Creates no spacer if memory is short. Later random numbers do not depend on that. */
static xb_code create_spacer(xb_device *device, uint64_t most_pages, uint64_t *random, xb_buffer **spacer,
                             xb_error *err)
{
  const uint64_t pages = xb_random(random) % 1024 * most_pages / 1024;
  const xb_buffer_desc desc = {.label = "spacer", .mem = XB_MEM_DEVICE, .bytes = pages * PAGE_BYTES};
  xb_error error;
  const xb_code code = pages ? xb_buffer_create(device, &desc, spacer, &error) : XB_OK;
  if (!code || code == XB_NOMEM)
    return XB_OK;
  if (err)
    *err = error;
  return code;
}

/* Imported memory is allocated here, as a program would have it already. */
static xb_code create_buffer(xb_device *device, xb_buffer_desc desc, xb_placement *placement, xb_error *err)
{
  const uint64_t align = xb_device_get_info(device)->import_align;
  if (desc.mem == XB_MEM_IMPORTED && align) {
    desc.bytes = (desc.bytes + align - 1) / align * align;
    placement->pages = desc.host = xb_pages_take(align, desc.bytes);
    if (!desc.host)
      return xb_fail(err, XB_NOMEM, "place", "out of host memory");
    memset(placement->pages, 0xA5, desc.bytes); /* else what is past the end might be of a cell before */
  }
  return xb_buffer_create(device, &desc, &placement->buffer, err);
}

static xb_code create_placements(xb_device *device, xb_buffer_desc desc, uint32_t count, uint64_t *random,
                                 xb_placement *placements, xb_error *err)
{
  const uint64_t each = padded(desc.bytes);
  const uint64_t room = xb_device_free_bytes(device) / SPACERS_PART / count;
  const uint64_t most_pages = (room < SPACER_BYTES ? room : SPACER_BYTES) / PAGE_BYTES;
  xb_buffer *spacers[XB_MAX_PLACEMENTS] = {0};
  xb_code code = XB_OK;
  for (uint32_t p = 0; p < count && !code; p++) {
    const uint64_t before = p ? gap(random) : 0;
    if (count > 1)
      code = create_spacer(device, most_pages, random, &spacers[p], err);
    desc.bytes = count > 1 ? at_least_a_page(before + each) : each;
    placements[p].begin = before + XB_GUARD_BYTES;
    if (!code)
      code = create_buffer(device, desc, &placements[p], err);
  }
  for (uint32_t p = 0; p < count; p++)
    xb_buffer_destroy(spacers[p]);
  return code;
}

xb_code xb_placements_create(xb_device *device, const xb_buffer_desc *desc, uint32_t count, uint64_t *random,
                             xb_placement *placements, xb_error *err)
{
  memset(placements, 0, count * sizeof *placements);
  const xb_code code = create_placements(device, *desc, count, random, placements, err);
  if (code)
    xb_placements_destroy(placements, count);
  return code;
}

void xb_placements_destroy(xb_placement *placements, uint32_t count)
{
  for (uint32_t p = 0; p < count; p++) {
    xb_buffer_destroy(placements[p].buffer);
    xb_pages_free(placements[p].pages); /* no work is in flight, or the device is unusable and the program ends */
  }
  memset(placements, 0, count * sizeof *placements);
}

/* ---- How many --------------------------------------------------------------------------------------------------- */

/* Part of the free memory that further placements may use: other programs use the GPU, too. */
enum { PARTS = 4, PARTS_USED = 3 };
static const uint64_t SMALL_BYTES = 256ull << 20; /* limit for all placements of a control: checks take time */
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
      bytes += xb_placement_bytes(plan->slots[i].bytes);
  return bytes;
}

uint32_t xb_cell_placements(const xb_cell *cell, uint32_t most)
{
  const xb_plan *plan = &cell->plan;
  const uint64_t bytes = plan_bytes(plan);
  uint64_t count = xb_placements_wanted(cell->c.device, cell->wanted_placements);
  if (cell->c.variant->clock != XB_CLOCK_DEVICE || has_role(plan, HOSTS) || writes_image(plan))
    return 1;
  if (!cell->wanted_placements && count > XB_FEWEST_PLACEMENTS && count * bytes > CHECKED_BYTES)
    count = XB_FEWEST_PLACEMENTS;
  if (cell->is_control && count * bytes > SMALL_BYTES)
    count = SMALL_BYTES / bytes;
  return distinct_placements(count < most ? count : most);
}

/* Returns false if the cell has no buffers of its own. */
static bool has_buffers(const xb_cell *cell)
{
  return cell->verdict.outcome == XB_CELL_PENDING && !cell->shared && cell->plan.step_count;
}

uint32_t xb_input_placements(const xb_cell *cells, size_t count, const xb_workload *workload, uint32_t most)
{
  uint32_t placements = 1;
  for (size_t i = 0; i < count; i++) {
    if (cells[i].workload != workload || !has_buffers(&cells[i]) || !has_role(&cells[i].plan, INPUTS))
      continue;
    const uint32_t of_cell = xb_cell_placements(&cells[i], most);
    placements = of_cell > placements ? of_cell : placements;
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
    for (uint32_t k = 0; first_of_workload(cells, i) && k < w->input_kinds; k++)
      bytes += xb_input_placements(cells, count, w, most) * xb_placement_bytes(w->inputs[k].bytes);
    if (has_buffers(&cells[i]))
      bytes += xb_cell_placements(&cells[i], most) * plan_bytes(&cells[i].plan);
  }
  return bytes;
}

uint32_t xb_placements_with_room(const xb_cell *cells, size_t count, uint32_t wanted, uint64_t free_bytes)
{
  const uint64_t once = group_bytes(cells, count, 1);
  const uint64_t room = free_bytes > once ? (free_bytes - once) / PARTS * PARTS_USED : 0;
  while (wanted >= XB_FEWEST_PLACEMENTS && group_bytes(cells, count, wanted) - once > room)
    wanted--;
  return distinct_placements(wanted);
}
