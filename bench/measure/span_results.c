#include "measure/span_results.h"

#include "measure/lists.h"

#include <math.h>

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
  r->timeline.values = bars;
  r->timeline.count = bars ? count : 0;
  return bars;
}
