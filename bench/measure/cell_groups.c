#include "measure/cell_groups.h"

#include "base/value_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Requests --------------------------------------------------------------------------------------------------- */

void xb_setup_targets(xb_setup *setup)
{
  setup->window_bytes = setup->conditions.window_bytes ? setup->conditions.window_bytes : UINT64_MAX;
  for (const xb_target *t = setup->targets; t < setup->targets + setup->target_count; t++) {
    if (xb_largest_window(&t->info) < setup->window_bytes)
      setup->window_bytes = xb_largest_window(&t->info);
    if (t->info.cache_bytes > setup->cache_bytes)
      setup->cache_bytes = t->info.cache_bytes;
  }
}

static bool is_chosen(const xb_choice *selection, const xb_benchmark *benchmark)
{
  for (size_t i = 0; i < selection->selected_count; i++)
    if (selection->selected[i].variant->benchmark == benchmark)
      return true;
  return false;
}

xb_request *xb_requests_of(const xb_setup *setup, size_t *count)
{
  const xb_choice *selection = setup->selection;
  const xb_benchmark *benchmark;
  const size_t most = xb_benchmark_count() * (selection->dtype_count ? selection->dtype_count : 1) *
                      (selection->size_count ? selection->size_count : 1);
  xb_request *requests = calloc(most, sizeof *requests);
  *count = 0;
  for (size_t b = 0; requests && (benchmark = xb_benchmark_at(b)); b++) {
    const size_t sizes =
        selection->size_count && !(selection->elements && benchmark->matrix) ? selection->size_count : 1;
    bool begins = true;
    for (size_t d = 0; d < selection->dtype_count && is_chosen(selection, benchmark); d++)
      for (size_t s = 0; s < sizes && xb_has_dtype(benchmark, selection->dtypes[d]); s++) {
        const xb_size size = xb_size_for(selection, benchmark, setup->cache_bytes, s);
        requests[(*count)++] = (xb_request){benchmark,
                                            selection->dtypes[d],
                                            size.rows * size.columns,
                                            size,
                                            begins,
                                            sizes * selection->dtype_count > 1};
        begins = false;
      }
  }
  return requests;
}

/* ---- Cells ------------------------------------------------------------------------------------------------------ */

typedef struct xb_adding {
  const xb_setup *setup;
  const xb_request *request;
  xb_cell_group *group;
  const xb_target *target;
  const xb_workload *workload;
} xb_adding;

/* An upper bound for the number of cells of all targets. */
static size_t cells_capacity(const xb_setup *setup, const xb_benchmark *benchmark)
{
  size_t controls = 0;
  for (size_t i = 0; i < xb_benchmark_count(); i++)
    controls += xb_benchmark_at(i)->variant_count;
  return setup->target_count * ((benchmark->variant_count + 1) * xb_axis_point_count(setup->selection, benchmark) +
                                setup->conditions.configuration_count + controls);
}

static xb_cell *add(const xb_adding *a, const xb_variant *v, xb_dtype dtype, uint64_t n)
{
  const xb_conditions *conditions = &a->setup->conditions;
  const uint32_t block = conditions->block;
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
            .window_bytes = a->setup->window_bytes,
            .device = &a->target->info},
      .workload = a->workload,
      .monitor = a->target->monitor,
      .cache = conditions->cache,
      .wanted_placements = conditions->placements,
  };
  if (!xb_has_dtype(v->benchmark, dtype)) {
    xb_fail(&cell->verdict.error, XB_UNSUPPORTED, v->benchmark->name, "is not built for %s", xb_dtype_name(dtype));
    xb_cell_fail(cell);
  }
  return cell;
}

/* Adds a cell that the user selected, of the request's size, at this axis point. */
static xb_cell *add_own(const xb_adding *a, const xb_variant *v, size_t point)
{
  xb_cell *cell = add(a, v, a->request->dtype, a->request->n);
  xb_set_axis_point(a->setup->selection, v->benchmark, point, cell->c.at);
  cell->c.rows = a->request->size.rows;
  cell->c.columns = a->request->size.columns;
  cell->c.inner = a->request->size.inner;
  cell->c.idle_shared = (uint32_t)a->setup->conditions.idle_shared_bytes;
  cell->loop = a->setup->conditions.loop;
  return cell;
}

static bool selected(const xb_adding *a, const xb_variant *v)
{
  const xb_choice *selection = a->setup->selection;
  for (size_t i = 0; i < selection->selected_count; i++)
    if (selection->selected[i].variant == v && v->benchmark == a->request->benchmark)
      return true;
  return false;
}

/* A plain number is the length of both sides, which surprises those who mean elements. */
static xb_code check_memory(const xb_target *target, const xb_request *g, xb_error *err)
{
  const uint64_t memory = target->info.memory_bytes, side = g->size.columns;
  char asked[32], there[32], hint[96] = "";
  if (!memory || g->n <= memory / xb_dtype_bytes(g->dtype))
    return XB_OK;
  xb_format_bytes(g->n * xb_dtype_bytes(g->dtype), asked, sizeof asked);
  xb_format_bytes(memory, there, sizeof there);
  if (g->size.rows == side && !g->size.inner && !(side & (side - 1))) {
    uint64_t rows = 1;
    while (rows * rows <= side / 4)
      rows *= 2;
    snprintf(hint, sizeof hint, ": a single number sets both sides; for %" PRIu64 " elements give %" PRIu64 "x%" PRIu64,
             side, rows, side / rows);
  }
  return xb_fail(err, XB_NOMEM, "--size", "%" PRIu64 " elements need %s, but the device has only %s%s", g->n, asked,
                 there, hint);
}

/* No controls if nothing of this size can run: each would repeat the reason. The floor is none if the user selected
 * it. */
static void add_controls(const xb_adding *a)
{
  const xb_conditions *conditions = &a->setup->conditions;
  /* A part of the memory for the copies, so that the cells to compare with them still fit. */
  const uint64_t n = a->request->n, most = a->target->info.memory_bytes / 16 / sizeof(uint32_t);
  xb_error error;
  if (conditions->no_controls || check_memory(a->target, a->request, &error))
    return;
  const bool copies = !conditions->compares && a->request->benchmark->bandwidth;
  const xb_benchmark *b;
  for (size_t k = 0; (b = xb_benchmark_at(k)); k++)
    for (const xb_variant *v = b->variants; v < b->variants + b->variant_count; v++) {
      if (v->ceiling && copies && !selected(a, v))
        add(a, v, a->request->dtype, most && n > most ? most : n)->is_control = true;
      const bool own = selected(a, v) && n == b->default_n && conditions->loop == XB_LOOP_LAUNCH;
      if (v->floor && !own)
        add(a, v, XB_FLOAT32, b->default_n)->is_control = true;
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
  for (size_t i = 0; i < a->setup->conditions.configuration_count; i++) {
    const xb_configuration *f = &a->setup->conditions.configurations[i];
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
static void add_cells(const xb_adding *a)
{
  const xb_choice *selection = a->setup->selection;
  const xb_benchmark *benchmark = a->request->benchmark;
  xb_cell_group *group = a->group;
  const size_t points = xb_axis_point_count(selection, benchmark);
  for (size_t i = 0; i < selection->selected_count; i++) {
    const xb_variant *v = selection->selected[i].variant;
    const size_t first = group->count;
    const bool configured = v->benchmark == benchmark && add_configured(a, v);
    for (size_t p = 0; v->benchmark == benchmark && p < points && !configured; p++)
      add_own(a, v, p);
    for (size_t c = first; c < group->count; c++)
      group->cells[c].base = a->setup->conditions.compares && a->target->base;
  }
  const xb_variant *against = selection->against_variant;
  for (size_t p = 0; against && against->benchmark == benchmark && p < points; p++) {
    xb_cell *cell = add_own(a, against, p);
    cell->base = true;
    if (against->clock == XB_CLOCK_DEVICE)
      cell->shared = find(a, cell);
  }
  add_controls(a);
}

/* ---- Workloads -------------------------------------------------------------------------------------------------- */

static void fail_cells(xb_cell_group *group, size_t first, size_t count, const xb_error *error)
{
  for (size_t i = first; i < first + count; i++) {
    group->cells[i].verdict.error = *error;
    xb_plan_free(&group->cells[i].plan);
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
static void create_workload(xb_cell_group *group, const xb_target *target, uint32_t most, size_t first, size_t end,
                            xb_workload *workload)
{
  const xb_conditions *conditions = &group->setup->conditions;
  const uint32_t placements = xb_input_placements(group->cells, group->count, workload, most);
  xb_error error;
  xb_code code = check_memory(target, &group->request, &error);
  if (!code)
    code = xb_workload_create(workload, &error);
  if (!code)
    xb_workload_place_inputs(workload, placements);
  if (!code && group->request.benchmark->methods->untrusted)
    xb_workload_create_draws(workload);
  for (size_t i = first; i < end && !code && workload->input_count < placements; i++)
    group->cells[i].most_placements = 1; /* the memory that was free is now in use elsewhere */
  if (!code && conditions->cache == XB_CACHE_COLD)
    code = xb_workload_create_flush(workload, conditions->flush_bytes, group->setup->window_bytes, &error);
  if (code)
    fail_cells(group, first, end - first, &error);
}

/* Each cell is planned once, here. */
static void plan_cells(xb_cell_group *group, size_t first, size_t end, xb_workload *workload)
{
  xb_error error;
  for (size_t i = first; i < end; i++) {
    xb_cell *cell = &group->cells[i];
    if (cell->verdict.outcome == XB_CELL_PENDING && !cell->shared && xb_cell_plan(cell) &&
        xb_workload_need_inputs(workload, &cell->c, &cell->plan, &error))
      fail_cells(group, i, 1, &error);
  }
}

bool xb_cell_group_create(xb_cell_group *group, const xb_setup *setup, const xb_request *request)
{
  const xb_conditions *conditions = &setup->conditions;
  uint32_t most_wanted = 1;
  size_t ends[XB_MAX_TARGETS];
  *group = (xb_cell_group){.setup = setup, .request = *request};
  group->cells = calloc(cells_capacity(setup, request->benchmark), sizeof *group->cells);
  if (!group->cells)
    return false;
  for (size_t t = 0; t < setup->target_count; t++) {
    const xb_target *target = &setup->targets[t];
    xb_workload *workload = &group->workloads[t];
    *workload = (xb_workload){.device = target->device,
                              .of = request->benchmark,
                              .dtype = request->dtype,
                              .n = request->n,
                              .seed = conditions->seed,
                              .wait_limit_ns = (uint64_t)(conditions->wait_limit_s * 1e9),
                              .stop = setup->stop};
    add_cells(&(xb_adding){setup, request, group, target, workload});
    ends[t] = group->count;
    plan_cells(group, t ? ends[t - 1] : 0, ends[t], workload);
    const uint32_t wanted = xb_placements_wanted(&target->info, conditions->placements);
    most_wanted = wanted > most_wanted ? wanted : most_wanted;
  }
  const uint64_t unused = free_memory(setup->targets, setup->target_count); /* all targets may share one GPU */
  const uint64_t flushed = conditions->cache == XB_CACHE_COLD ? setup->target_count * conditions->flush_bytes : 0;
  const uint32_t most =
      xb_placements_with_room(group->cells, group->count, most_wanted, unused > flushed ? unused - flushed : 0);
  for (size_t i = 0; i < group->count; i++)
    group->cells[i].most_placements = most;
  for (size_t t = 0; t < setup->target_count; t++)
    create_workload(group, &setup->targets[t], most, t ? ends[t - 1] : 0, ends[t], &group->workloads[t]);
  return true;
}

void xb_cell_group_destroy(xb_cell_group *group)
{
  for (size_t i = 0; i < group->count; i++)
    xb_cell_destroy(&group->cells[i]);
  for (size_t t = 0; t < group->setup->target_count; t++)
    xb_workload_destroy(&group->workloads[t]);
  free(group->cells);
}
