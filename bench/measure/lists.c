#include "measure/cell_groups.h"

#include "core/clock.h"

#include <math.h>
#include <stdlib.h>

enum { ALONE_RUNS = 3 };

static bool make_span(xb_span *span, uint32_t count)
{
  span->begin_ns = calloc(count, sizeof *span->begin_ns);
  span->end_ns = calloc(count, sizeof *span->end_ns);
  return span->begin_ns && span->end_ns;
}

static bool create(xb_cell *cell)
{
  const uint32_t count = cell->plan.list_count;
  xb_lists *l = cell->buffers.lists = calloc(1, sizeof *l);
  if (!l || !(l->commands = calloc(count, sizeof(xb_commands *))) || !(l->points = calloc(count, sizeof *l->points)) ||
      !(l->last.alone_ns = calloc(count, sizeof(double))) || !make_span(&l->last, count) ||
      !make_span(&l->shortest, count))
    return xb_cell_nomem(cell, "lists");
  l->shortest.alone_ns = l->last.alone_ns;
  l->shortest.ns = INFINITY;
  for (uint32_t i = 0; i < count; i++) {
    const xb_plan_list *list = &cell->plan.lists[i];
    if (list->on_host)
      continue;
    const xb_commands_desc desc = {.label = list->name, .queue = list->queue, .timestamp_count = 2};
    if (xb_commands_create(cell->workload->device, &desc, &l->commands[i], &cell->verdict.error))
      return xb_cell_fail(cell);
    xb_cmd_timestamp(l->commands[i], 0);
    xb_cell_record_list(cell, i, l->commands[i]);
    xb_cmd_timestamp(l->commands[i], 1);
    if (xb_commands_finish(l->commands[i], &cell->verdict.error))
      return xb_cell_fail(cell);
  }
  return true;
}

void xb_lists_destroy(xb_cell *cell)
{
  xb_lists *l = cell->buffers.lists;
  if (!l)
    return;
  for (uint32_t i = 0; l->commands && i < cell->plan.list_count; i++)
    xb_commands_destroy(l->commands[i]);
  free(l->commands);
  free(l->points);
  free(l->last.alone_ns);
  free(l->last.begin_ns);
  free(l->last.end_ns);
  free(l->shortest.begin_ns);
  free(l->shortest.end_ns);
  free(l);
  cell->buffers.lists = NULL;
}

/* ---- Running ---------------------------------------------------------------------------------------------------- */

static bool call_host(xb_cell *cell, uint32_t list)
{
  double ignored = 0;
  for (uint32_t i = 0; i < cell->plan.step_count; i++)
    if (cell->plan.steps[i].list == list && !xb_cell_call(cell, &cell->plan.steps[i], &ignored))
      return false;
  return true;
}

/* Submits a list, or does the host's work. Alone, it waits for nothing. */
static bool begin_list(xb_cell *cell, uint32_t i, bool alone)
{
  xb_lists *l = cell->buffers.lists;
  const xb_plan_list *list = &cell->plan.lists[i];
  xb_point after[XB_MAX_AFTER];
  if (list->on_host) {
    l->last.begin_ns[i] = xb_clock_ns();
    const bool good = call_host(cell, i);
    l->last.end_ns[i] = xb_clock_ns();
    return good;
  }
  for (uint32_t k = 0; k < list->after_count; k++)
    after[k] = l->points[list->after[k]];
  const xb_submission s = {.commands = l->commands[i], .after = after, .after_count = alone ? 0 : list->after_count};
  return !xb_submit(cell->workload->device, &s, &l->points[i], &cell->verdict.error) || xb_cell_fail(cell);
}

static bool end_list(xb_cell *cell, uint32_t i)
{
  const xb_workload *w = cell->workload;
  const double begin = xb_clock_ns();
  bool reached = false;
  if (cell->plan.lists[i].on_host)
    return true;
  while (cell->plan.polls && !reached && xb_clock_ns() - begin < (double)w->wait_limit_ns)
    if (xb_poll(w->device, cell->buffers.lists->points[i], &reached, &cell->verdict.error))
      return xb_cell_fail(cell);
  return reached || !xb_wait(w->device, cell->buffers.lists->points[i], w->wait_limit_ns, &cell->verdict.error) ||
         xb_cell_fail(cell);
}

/* After a failure, also of a wait: other cells must find nothing in flight. A lost device returns at once. */
static void wait_for_begun(const xb_cell *cell, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    if (!cell->plan.lists[i].on_host)
      xb_wait(cell->workload->device, cell->buffers.lists->points[i], cell->workload->wait_limit_ns, NULL);
}

/* The times of a list that has completed, on the host's clock. */
static bool read_times(xb_cell *cell, uint32_t i)
{
  double ns[2];
  if (cell->plan.lists[i].on_host)
    return true;
  if (xb_commands_times(cell->buffers.lists->commands[i], ns, 2, &cell->verdict.error))
    return xb_cell_fail(cell);
  cell->buffers.lists->last.begin_ns[i] = ns[0];
  cell->buffers.lists->last.end_ns[i] = ns[1];
  return true;
}

static bool calibrate(xb_cell *cell)
{
  xb_span *last = &cell->buffers.lists->last;
  const double begin = xb_clock_ns();
  const xb_code code = xb_device_calibrate(cell->workload->device, &last->deviation_ns, &cell->verdict.error);
  last->calibrate_ns = xb_clock_ns() - begin;
  return !code || xb_cell_fail(cell);
}

bool xb_lists_run(xb_cell *cell, double *ns)
{
  const uint32_t count = cell->plan.list_count;
  if ((!cell->buffers.lists && !create(cell)) || !calibrate(cell))
    return false;
  xb_span *last = &cell->buffers.lists->last;
  bool good = true;
  const double begin = xb_clock_ns();
  for (uint32_t i = 0; i < count; i++)
    if (!begin_list(cell, i, false)) {
      wait_for_begun(cell, i);
      return false;
    }
  const double issued = xb_clock_ns();
  for (uint32_t i = count; i > 0 && good; i--) /* the last of a queue also ends those before */
    good = end_list(cell, i - 1);
  if (!good)
    wait_for_begun(cell, count);
  const double end = xb_clock_ns();
  for (uint32_t i = 0; i < count && good; i++)
    good = read_times(cell, i);
  last->read_ns = (xb_clock_ns() - end) / count;
  last->issued_ns = issued - begin;
  last->ns = *ns = end - begin;
  for (uint32_t i = 0; i < count; i++) {
    last->begin_ns[i] -= begin;
    last->end_ns[i] -= begin;
  }
  return good;
}

/* A held stream that was not held has no times: such a sample is not kept as the shortest. */
static bool has_times(const xb_cell *cell)
{
  for (uint32_t i = 0; i < cell->plan.list_count; i++)
    if (isnan(cell->buffers.lists->last.begin_ns[i]))
      return false;
  return true;
}

bool xb_lists_sample(xb_cell *cell, double *ns, double *issued_ns)
{
  if (!xb_lists_run(cell, ns))
    return false;
  xb_lists *l = cell->buffers.lists;
  *issued_ns = l->last.issued_ns;
  if (*ns < l->shortest.ns && has_times(cell)) {
    const xb_span longer = l->shortest;
    l->shortest = l->last;
    l->last = longer;
  }
  return true;
}

bool xb_lists_run_alone(xb_cell *cell)
{
  bool good = true;
  cell->buffers.lists->shortest.ns = INFINITY; /* what ran before was to wake the device */
  for (int run = 0; run < ALONE_RUNS && good && !xb_cell_stopped(cell); run++) {
    good = calibrate(cell);
    for (uint32_t i = 0; i < cell->plan.list_count && good; i++) {
      xb_span *last = &cell->buffers.lists->last;
      good = begin_list(cell, i, true) && end_list(cell, i) && read_times(cell, i);
      const double ns = last->end_ns[i] - last->begin_ns[i]; /* NAN: it was not held. fmin takes the other one */
      if (good)
        last->alone_ns[i] = run ? fmin(last->alone_ns[i], ns) : ns;
    }
  }
  if (!good)
    wait_for_begun(cell, cell->plan.list_count);
  return good && !(cell->stop && *cell->stop);
}

/* ---- Results ---------------------------------------------------------------------------------------------------- */

size_t xb_span_metrics(const xb_cell *cell, xb_metric metrics[XB_MAX_METRICS])
{
  const xb_methods *methods = cell->c.variant->benchmark->methods;
  if (!cell->buffers.lists || isinf(cell->buffers.lists->shortest.ns) || !methods->span_metrics)
    return 0;
  xb_span span = cell->buffers.lists->shortest;
  span.shortest_ns = span.ns;
  span.ns = cell->samples.device.median;
  return methods->span_metrics(&cell->c, &cell->plan, &span, metrics);
}

static const char *lane_name(const xb_plan_list *list, xb_arena *arena)
{
  if (list->on_host)
    return "host";
  return xb_arena_text(arena, "%s %d", list->queue < XB_QUEUE_COPY ? "compute" : "copy",
                       list->queue % XB_QUEUES_OF_A_KIND);
}

bool xb_span_timeline(const xb_cell *cell, xb_arena *arena, xb_result *r)
{
  if (!cell->buffers.lists || isinf(cell->buffers.lists->shortest.ns))
    return true;
  const xb_span *span = &cell->buffers.lists->shortest;
  const uint32_t count = cell->plan.list_count;
  xb_bar *bars = xb_arena_take(arena, count, sizeof *bars);
  for (uint32_t i = 0; i < count && bars; i++) {
    const xb_plan_list *list = &cell->plan.lists[i];
    /* The two clocks differ a little, so a list may seem to begin before it was submitted. */
    const double begin = fmax(span->begin_ns[i], 0);
    bars[i] =
        (xb_bar){lane_name(list, arena), xb_arena_text(arena, "%s", list->name), begin, fmax(span->end_ns[i], begin)};
    if (!bars[i].lane || !bars[i].stage)
      return false;
  }
  r->rates.timeline.values = bars;
  r->rates.timeline.count = bars ? count : 0;
  return bars;
}
