#include "benchmarks/benchmark.h"
#include "benchmarks/plan.h"

bool xb_plan_next(xb_plan *plan, xb_slice *window, uint64_t all, uint64_t most)
{
  if (!most && !plan->code)
    plan->code = XB_INVALID;
  return !plan->code && xb_next_slice(window, all, most);
}

uint64_t xb_window_length(const xb_case *c, uint64_t elements, uint64_t bytes, uint64_t step)
{
  const uint64_t fit = c->window_bytes / bytes;
  return elements <= fit ? elements : fit / step * step;
}

uint32_t xb_stream_slot(xb_plan *plan, xb_windows *w, uint64_t each, xb_slot slot)
{
  slot.bytes = w->all * each;
  const uint32_t number = xb_plan_slot(plan, slot);
  xb_stream_of(w, number, each, slot.role == XB_ROLE_OUTPUT ? XB_DISJOINT_WRITE : XB_READ);
  return number;
}

uint32_t xb_stream_in(xb_plan *plan, xb_windows *w, const char *name, uint64_t each, xb_generate_fn *generate)
{
  return xb_stream_slot(plan, w, each, (xb_slot){.name = name, .generate = generate});
}

uint32_t xb_stream_out(xb_plan *plan, xb_windows *w, const char *name, uint64_t each)
{
  return xb_stream_slot(plan, w, each, (xb_slot){.name = name, .role = XB_ROLE_OUTPUT});
}

void xb_stream_of(xb_windows *w, uint32_t slot, uint64_t each, xb_access access)
{
  w->streams[w->stream_count++] = (xb_stream){slot, each, access, 0};
}

/* Units of a window: all, if they fit; else a multiple of the step. */
static uint64_t most_of(const xb_case *c, const xb_windows *w)
{
  uint64_t each = 1;
  for (uint32_t i = 0; i < w->stream_count; i++)
    each = w->streams[i].each > each ? w->streams[i].each : each;
  const uint64_t most = xb_window_length(c, w->all, each, w->step ? w->step : 1), around = w->before + w->behind;
  return most == w->all ? most : most > around ? most - around : 0;
}

static void bind_streams(const xb_plan *plan, xb_step *step, xb_windows *w)
{
  const uint64_t left = w->all - w->first - w->count;
  w->lead = w->first < w->before ? w->first : w->before;
  w->seen = w->lead + w->count + (left < w->behind ? left : w->behind);
  for (uint32_t i = 0; i < w->stream_count; i++) {
    const xb_stream *s = &w->streams[i];
    const uint64_t first = i ? w->first : w->first - w->lead, count = i ? w->count : w->seen;
    if (!s->each)
      xb_step_bind(step, s->slot, 0, s->bytes ? s->bytes : plan->slots[s->slot].bytes, s->access);
    else
      (w->vectors ? xb_step_bind_vectors : xb_step_bind)(step, s->slot, first * s->each, count * s->each, s->access);
  }
}

static uint64_t groups_of(const xb_case *c, const xb_windows *w)
{
  const uint64_t vectors = w->count / 4 > 4 ? w->count / 4 : 4; /* four threads for the last elements */
  return w->groups    ? w->groups(c, w->count)
         : w->vectors ? xb_ceil_div(vectors, c->block)
                      : xb_ceil_div(w->count, w->a_group ? w->a_group : c->block);
}

xb_step *xb_next_window(const xb_case *c, xb_plan *plan, xb_windows *w)
{
  xb_slice window = {w->first, w->count};
  w->most = w->most || w->count ? w->most : most_of(c, w);
  if (!xb_plan_next(plan, &window, w->all, w->most))
    return NULL;
  w->first = window.first;
  w->count = window.count;
  xb_step *step = xb_plan_dispatch(c, plan, groups_of(c, w));
  bind_streams(plan, step, w);
  return step;
}
