#include "commands/cells.h"

#include <string.h>

typedef struct xb_adding {
  const xb_options *options;
  uint64_t window_bytes;
  xb_cell_group *group;
  const xb_target *target;
  const xb_workload *workload;
} xb_adding;

size_t xb_cells_capacity(const xb_options *o, const xb_benchmark *benchmark, size_t target_count)
{
  size_t yardsticks = 0;
  for (size_t i = 0; i < xb_benchmark_count(); i++)
    yardsticks += xb_benchmark_at(i)->variant_count;
  return target_count * ((benchmark->variant_count + 1) * xb_place_count(o, benchmark) + yardsticks);
}

static xb_cell *add(const xb_adding *a, const xb_variant *v, xb_dtype dtype, uint64_t n)
{
  const bool asked = a->options->block && xb_has_block(v->benchmark, a->options->block);
  xb_cell *cell = &a->group->cells[a->group->count++];
  *cell = (xb_cell){
      .c = {.variant = v,
            .dtype = dtype,
            .n = n,
            .rows = 1,
            .columns = n,
            .block = asked ? a->options->block : xb_default_block(v, &a->target->info, n),
            .seed = a->workload->seed,
            .window_bytes = a->window_bytes,
            .device = &a->target->info},
      .workload = a->workload,
      .monitor = a->target->monitor,
      .cache = a->options->cache,
      .wanted_placements = a->options->placements,
  };
  if (!xb_has_dtype(v->benchmark, dtype)) {
    xb_fail(&cell->error, XB_UNSUPPORTED, v->benchmark->name, "is not built for %s", xb_dtype_name(dtype));
    xb_cell_fail(cell);
  }
  return cell;
}

/* One of the group's own, of its shape, at that place on the axes. */
static xb_cell *add_own(const xb_adding *a, const xb_variant *v, size_t place)
{
  xb_cell *cell = add(a, v, a->group->dtype, a->group->n);
  xb_set_place(a->options, v->benchmark, place, cell->c.at);
  cell->c.rows = a->group->rows;
  cell->c.columns = a->group->columns;
  cell->loop = a->options->loop;
  return cell;
}

static bool selected(const xb_adding *a, const xb_variant *v)
{
  for (size_t i = 0; i < a->options->selected_count; i++)
    if (a->options->selected[i].variant == v && v->benchmark == a->group->benchmark)
      return true;
  return false;
}

/* The copies are held to a part of the memory, so that they never crowd out what is measured against them. */
static uint64_t ceiling_size(const xb_target *target, uint64_t n)
{
  const uint64_t most = target->info.memory_bytes / 16 / sizeof(uint32_t);
  return most && n > most ? most : n;
}

static void add_yardsticks(const xb_adding *a)
{
  const bool copies = a->options->command == XB_COMMAND_RUN && a->group->benchmark->bandwidth;
  const xb_benchmark *b;
  for (size_t k = 0; (b = xb_benchmark_at(k)); k++)
    for (const xb_variant *v = b->variants; v < b->variants + b->variant_count; v++) {
      if (v->ceiling && copies && !selected(a, v))
        add(a, v, a->group->dtype, ceiling_size(a->target, a->group->n))->yardstick = true;
      if (v->floor && a->options->cache == XB_CACHE_HOT)
        add(a, v, XB_FLOAT32, b->default_n)->yardstick = true;
    }
}

/* Of this target: the cell before `cell` that asks the same. */
static const xb_cell *find(const xb_adding *a, const xb_cell *cell)
{
  for (const xb_cell *other = a->group->cells; other < cell; other++)
    if (other->workload == a->workload && other->c.variant == cell->c.variant &&
        !memcmp(other->c.at, cell->c.at, sizeof cell->c.at))
      return other;
  return NULL;
}

void xb_add_cells(const xb_options *o, uint64_t window_bytes, xb_cell_group *group, const xb_target *target,
                  const xb_workload *workload)
{
  const xb_adding a = {o, window_bytes, group, target, workload};
  const size_t places = xb_place_count(o, group->benchmark);
  for (size_t i = 0; i < o->selected_count; i++) {
    const xb_variant *v = o->selected[i].variant;
    for (size_t p = 0; v->benchmark == group->benchmark && p < places; p++)
      add_own(&a, v, p)->base = o->command == XB_COMMAND_COMPARE && target->base;
  }
  const xb_variant *against = o->against_variant;
  for (size_t p = 0; against && against->benchmark == group->benchmark && p < places; p++) {
    xb_cell *cell = add_own(&a, against, p);
    cell->base = true;
    if (against->clock == XB_CLOCK_DEVICE)
      cell->shared = find(&a, cell);
  }
  add_yardsticks(&a);
}
