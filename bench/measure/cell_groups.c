#include "measure/cell_groups.h"

#include "base/value_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- Cells ------------------------------------------------------------------------------------------------------ */

typedef struct xb_adding {
  const xb_choice *what;
  const xb_conditions *how;
  uint64_t window_bytes;
  xb_cell_group *group;
  const xb_target *target;
  const xb_workload *workload;
} xb_adding;

size_t xb_cells_capacity(const xb_choice *what, const xb_conditions *how, const xb_benchmark *benchmark,
                         size_t target_count)
{
  size_t yardsticks = 0;
  for (size_t i = 0; i < xb_benchmark_count(); i++)
    yardsticks += xb_benchmark_at(i)->variant_count;
  return target_count *
         ((benchmark->variant_count + 1) * xb_place_count(what, benchmark) + how->configuration_count + yardsticks);
}

static xb_cell *add(const xb_adding *a, const xb_variant *v, xb_dtype dtype, uint64_t n)
{
  const uint32_t block = a->how->block;
  const bool asked = block && xb_takes_block(v, block) && !v->benchmark->methods->block;
  xb_cell *cell = &a->group->cells[a->group->count++];
  *cell = (xb_cell){
      .c = {.variant = v,
            .dtype = dtype,
            .n = n,
            .rows = 1,
            .columns = n,
            .block = asked ? block : xb_default_block(v, &a->target->info, n),
            .seed = a->workload->seed,
            .window_bytes = a->window_bytes,
            .device = &a->target->info},
      .workload = a->workload,
      .monitor = a->target->monitor,
      .cache = a->how->cache,
      .wanted_placements = a->how->placements,
  };
  if (!xb_has_dtype(v->benchmark, dtype)) {
    xb_fail(&cell->verdict.error, XB_UNSUPPORTED, v->benchmark->name, "is not built for %s", xb_dtype_name(dtype));
    xb_cell_fail(cell);
  }
  return cell;
}

/* Adds a cell that the user selected, of the group's size, at this place on the axes. */
static xb_cell *add_own(const xb_adding *a, const xb_variant *v, size_t place)
{
  xb_cell *cell = add(a, v, a->group->dtype, a->group->n);
  xb_set_place(a->what, v->benchmark, place, cell->c.at);
  cell->c.rows = a->group->rows;
  cell->c.columns = a->group->columns;
  cell->c.inner = a->group->inner;
  cell->c.idle_shared = (uint32_t)a->how->idle_shared_bytes;
  cell->loop = a->how->loop;
  return cell;
}

static bool selected(const xb_adding *a, const xb_variant *v)
{
  for (size_t i = 0; i < a->what->selected_count; i++)
    if (a->what->selected[i].variant == v && v->benchmark == a->group->benchmark)
      return true;
  return false;
}

/* Limits the copies to a part of the memory, so that the cells to compare with them still fit. */
static uint64_t ceiling_size(const xb_target *target, uint64_t n)
{
  const uint64_t most = target->info.memory_bytes / 16 / sizeof(uint32_t);
  return most && n > most ? most : n;
}

/* A plain number is the length of both sides, which surprises those who mean elements. */
static xb_code check_memory(const xb_target *target, const xb_cell_group *g, xb_error *err)
{
  const uint64_t memory = target->info.memory_bytes, side = g->columns;
  char asked[32], there[32], hint[96] = "";
  if (!memory || g->n <= memory / xb_dtype_bytes(g->dtype))
    return XB_OK;
  xb_format_bytes(g->n * xb_dtype_bytes(g->dtype), asked, sizeof asked);
  xb_format_bytes(memory, there, sizeof there);
  if (g->rows == side && !g->inner && !(side & (side - 1))) {
    uint64_t rows = 1;
    while (rows * rows <= side / 4)
      rows *= 2;
    snprintf(hint, sizeof hint, ": a plain number is both sides; for %" PRIu64 " elements give %" PRIu64 "x%" PRIu64,
             side, rows, side / rows);
  }
  return xb_fail(err, XB_NOMEM, "--size", "%" PRIu64 " elements need %s, but the device has only %s%s", g->n, asked,
                 there, hint);
}

/* No yardsticks if nothing of this size can run: each would repeat the reason. The floor is none if the user selected
 * it. */
static void add_yardsticks(const xb_adding *a)
{
  xb_error error;
  if (a->how->no_yardsticks || check_memory(a->target, a->group, &error))
    return;
  const bool copies = !a->how->compares && a->group->benchmark->bandwidth;
  const xb_benchmark *b;
  for (size_t k = 0; (b = xb_benchmark_at(k)); k++)
    for (const xb_variant *v = b->variants; v < b->variants + b->variant_count; v++) {
      if (v->ceiling && copies && !selected(a, v))
        add(a, v, a->group->dtype, ceiling_size(a->target, a->group->n))->yardstick = true;
      const bool own = selected(a, v) && a->group->n == b->default_n && a->how->loop == XB_LOOP_LAUNCH;
      if (v->floor && a->how->cache == XB_CACHE_HOT && !own)
        add(a, v, XB_FLOAT32, b->default_n)->yardstick = true;
    }
}

/* Finds an earlier cell of this target that measures the same. */
static const xb_cell *find(const xb_adding *a, const xb_cell *cell)
{
  for (const xb_cell *other = a->group->cells; other < cell; other++)
    if (other->workload == a->workload && other->c.variant == cell->c.variant && other->c.block == cell->c.block &&
        !memcmp(other->c.at, cell->c.at, sizeof cell->c.at))
      return other;
  return NULL;
}

/* Adds the variant's cells of the list of configurations; returns their number. */
static size_t add_configured(const xb_adding *a, const xb_variant *v)
{
  size_t count = 0;
  for (size_t i = 0; i < a->how->configuration_count; i++) {
    const xb_configuration *f = &a->how->configurations[i];
    if (f->variant != v || (f->backend && strcmp(f->backend, a->target->info.backend) != 0))
      continue;
    xb_cell *cell = add_own(a, v, 0);
    cell->c.block = f->block ? f->block : cell->c.block;
    memcpy(cell->c.at, f->at, sizeof f->at);
    cell->preset = f->preset;
    count++;
  }
  return count;
}

/* Adds the cells of one target to the group: the selected variants of its benchmark; in a run, the copies to compare
 * with; in a comparison, the baseline variant; and the floor of the API. */
static void add_cells(const xb_choice *what, const xb_conditions *how, uint64_t window_bytes, xb_cell_group *group,
                      const xb_target *target, const xb_workload *workload)
{
  const xb_adding a = {what, how, window_bytes, group, target, workload};
  const size_t places = xb_place_count(what, group->benchmark);
  for (size_t i = 0; i < what->selected_count; i++) {
    const xb_variant *v = what->selected[i].variant;
    const size_t first = group->count;
    const bool configured = v->benchmark == group->benchmark && add_configured(&a, v);
    for (size_t p = 0; v->benchmark == group->benchmark && p < places && !configured; p++)
      add_own(&a, v, p);
    for (size_t c = first; c < group->count; c++)
      group->cells[c].base = how->compares && target->base;
  }
  const xb_variant *against = what->against_variant;
  for (size_t p = 0; against && against->benchmark == group->benchmark && p < places; p++) {
    xb_cell *cell = add_own(&a, against, p);
    cell->base = true;
    if (against->clock == XB_CLOCK_DEVICE)
      cell->shared = find(&a, cell);
  }
  add_yardsticks(&a);
}

/* ---- Workloads -------------------------------------------------------------------------------------------------- */

static void fail_cells(xb_cell_group *group, size_t first, size_t count, const xb_error *error)
{
  for (size_t i = first; i < first + count; i++) {
    group->cells[i].verdict.error = *error;
    xb_cell_fail(&group->cells[i]);
  }
}

/* The free memory of the target with the least of it. If the driver does not report it, half of the memory. */
static uint64_t free_memory(const xb_target *targets, size_t count)
{
  uint64_t least = UINT64_MAX;
  for (size_t t = 0; t < count; t++) {
    const uint64_t all = targets[t].info.memory_bytes, free_bytes = xb_device_free_bytes(targets[t].device);
    const uint64_t unused = !free_bytes ? all / 2 : all && free_bytes > all ? all : free_bytes;
    least = unused < least ? unused : least;
  }
  return least;
}

/* Creates the inputs of one target, and whatever else its cells [first, end) need. On an error these cells fail. */
static void create_workload(const xb_conditions *how, const xb_target *target, uint64_t flush_bytes, uint32_t most,
                            xb_cell_group *group, size_t first, size_t end, xb_workload *workload)
{
  const uint32_t placements = xb_input_placements(group->cells, group->count, workload, most);
  xb_error error;
  xb_code code = check_memory(target, group, &error);
  if (!code)
    code = xb_workload_create(workload, &error);
  if (!code)
    xb_workload_place_inputs(workload, placements);
  if (!code && group->benchmark->methods->untrusted)
    xb_workload_create_draws(workload);
  for (size_t i = first; i < end && !code && workload->input_count < placements; i++)
    group->cells[i].most_placements = 1; /* the memory that was free is now in use elsewhere */
  if (!code && how->cache == XB_CACHE_COLD)
    code = xb_workload_create_flush(workload, flush_bytes, &error);
  if (code)
    fail_cells(group, first, end - first, &error);
}

static void note_inputs(xb_cell_group *group, size_t first, size_t end, xb_workload *workload)
{
  xb_error error;
  for (size_t i = first; i < end; i++)
    if (group->cells[i].verdict.outcome == XB_CELL_PENDING && xb_workload_need(workload, &group->cells[i].c, &error))
      fail_cells(group, i, 1, &error);
}

void xb_create_workloads(const xb_choice *what, const xb_conditions *how, const xb_target *targets, size_t target_count,
                         uint64_t window_bytes, uint64_t flush_bytes, xb_cell_group *group,
                         xb_workload workloads[XB_MAX_TARGETS])
{
  uint32_t most_wanted = 1;
  size_t ends[XB_MAX_TARGETS];
  for (size_t t = 0; t < target_count; t++) {
    const xb_target *target = &targets[t];
    workloads[t] = (xb_workload){.device = target->device,
                                 .of = group->benchmark,
                                 .dtype = group->dtype,
                                 .n = group->n,
                                 .seed = how->seed,
                                 .wait_limit_ns = (uint64_t)(how->wait_limit_s * 1e9),
                                 .stop = group->stop};
    add_cells(what, how, window_bytes, group, target, &workloads[t]);
    ends[t] = group->count;
    note_inputs(group, t ? ends[t - 1] : 0, ends[t], &workloads[t]);
    const uint32_t wanted = xb_placements_wanted(&target->info, how->placements);
    most_wanted = wanted > most_wanted ? wanted : most_wanted;
  }
  const uint64_t unused = free_memory(targets, target_count); /* all targets may share one GPU */
  const uint64_t flushed = how->cache == XB_CACHE_COLD ? target_count * flush_bytes : 0;
  const uint32_t most =
      xb_placements_with_room(group->cells, group->count, most_wanted, unused > flushed ? unused - flushed : 0);
  for (size_t i = 0; i < group->count; i++)
    group->cells[i].most_placements = most;
  for (size_t t = 0; t < target_count; t++)
    create_workload(how, &targets[t], flush_bytes, most, group, t ? ends[t - 1] : 0, ends[t], &workloads[t]);
}
