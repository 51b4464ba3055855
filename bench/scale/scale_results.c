#include "scale/scale.h"

#include "benchmarks/registry.h"
#include "result/fields.h"

#include <math.h>
#include <string.h>

const char *xb_route_name(xb_route route)
{
  static const char *const names[] = {"host", "message", "peer", "interop", "nccl"};
  return names[route];
}

static const char *kind_of(const xb_scale_series *s, const xb_scale_point *p)
{
  return s->scaling->over_groups ? p->weak ? "groups_weak" : "groups_strong" : p->weak ? "weak" : "strong";
}

/* The point of one member that another one is compared with. */
static const xb_scaled *one_member(const xb_scale_series *s, const xb_scaled *of)
{
  for (size_t i = 0; i < s->count; i++) {
    const xb_scale_point *p = &s->points[i].point;
    if (!s->points[i].code && s->points[i].count && p->members == 1 && p->weak == of->point.weak &&
        p->route == of->point.route)
      return &s->points[i];
  }
  return NULL;
}

/* Bytes or operations of all members together; of an all-reduce, the bytes of one vector. */
static double work_of(const xb_scale_series *s, const xb_scaled *scaled, bool *operations)
{
  const xb_scaling *o = s->scaling;
  xb_case c = o->like;
  xb_plan plan;
  xb_error ignored;
  *operations = o->variant->benchmark->multiply_adds || o->variant->benchmark->product;
  const double all = scaled->point.weak && !scaled->point.allreduce ? scaled->point.members : 1;
  double work = NAN;
  if (!xb_plan_make(&c, &plan, &ignored))
    work = all * (double)(*operations ? plan.flops : plan.bytes);
  xb_plan_free(&plan);
  return work;
}

double xb_scale_speed(const xb_scale_series *s, const xb_scaled *scaled)
{
  bool ignored;
  return work_of(s, scaled, &ignored) / scaled->stats.median;
}

double xb_scale_bus_speed(double speed, uint32_t members)
{
  return speed * 2 * (members - 1) / members;
}

static size_t add_metrics(const xb_scale_series *s, const xb_scaled *scaled, xb_metric m[XB_MAX_METRICS])
{
  bool operations;
  const xb_scaled *one = one_member(s, scaled);
  const uint32_t members = scaled->point.members;
  const double speed = work_of(s, scaled, &operations) / scaled->stats.median;
  size_t count = 0;
  m[count++] = operations                ? (xb_metric){"speed", "GFLOP/s", speed, 1}
               : scaled->point.allreduce ? (xb_metric){"algorithm bandwidth", "GB/s", speed, 1}
                                         : (xb_metric){"bandwidth", "GB/s", speed, 1};
  if (scaled->point.allreduce)
    m[count++] = (xb_metric){"bus bandwidth", "bus GB/s", xb_scale_bus_speed(speed, members), 1};
  if (one && !scaled->point.allreduce) {
    const xb_estimate e = xb_scale_speedup(one, scaled);
    m[count++] = (xb_metric){"speed-up", "times", e.value, 1};
    m[count++] = (xb_metric){"efficiency", "% of linear", 100 * e.value / members, 1};
  }
  if (s->scaling->over_groups)
    return count;
  m[count++] = (xb_metric){"start", "us to start", scaled->start_ns / 1e3, 0};
  m[count++] = (xb_metric){"combine", "us to combine", scaled->combine_ns / 1e3, 0};
  if (scaled->clock_error_ns > 0)
    m[count++] = (xb_metric){"clock error", "us clock error", scaled->clock_error_ns / 1e3, 0};
  if (!scaled->point.allreduce)
    m[count++] = (xb_metric){"slowest", "slowest member", scaled->slowest, XB_UNKNOWN};
  return count;
}

static bool add_timeline(const xb_scale_series *s, const xb_scaled *scaled, xb_arena *arena, xb_result *r)
{
  const uint32_t members = s->scaling->over_groups ? 1 : scaled->point.members;
  xb_bar *bars = xb_arena_take(arena, 2 * members, sizeof *bars);
  for (uint32_t i = 0; bars && i < members; i++) {
    const xb_stamp *t = &scaled->shortest[i];
    const char *lane = xb_arena_text(arena, "member %u, %s", i, s->hosts[i]);
    if (!lane)
      return false;
    bars[2 * i] = (xb_bar){lane, "work", t->begin, t->ready};
    bars[2 * i + 1] = (xb_bar){lane, "combine", t->ready, t->end};
  }
  r->rates.timeline.values = bars;
  r->rates.timeline.count = 2 * members;
  return bars;
}

static xb_outcome outcome_of(const xb_scaled *scaled)
{
  return !scaled->code                    ? scaled->count ? XB_CELL_OK : XB_CELL_INTERRUPTED
         : xb_scaled_wrong(scaled)        ? XB_CELL_WRONG
         : scaled->code == XB_UNSUPPORTED ? XB_CELL_UNSUPPORTED
                                          : XB_CELL_FAILED;
}

/* The points of an API are freed before those of the next one are measured, and the file is written again and again. */
static bool copy_samples(const double *samples, size_t count, xb_arena *arena, xb_numbers *copy)
{
  double *values = xb_arena_take(arena, count, sizeof *values);
  if (values && samples)
    memcpy(values, samples, count * sizeof *values);
  *copy = (xb_numbers){values, samples ? count : 0};
  return values;
}

const xb_result *xb_scale_result(const xb_scale_series *s, size_t point, xb_arena *arena,
                                 xb_result_benchmark *benchmark)
{
  const xb_scaling *o = s->scaling;
  const xb_scaled *scaled = &s->points[point];
  const xb_benchmark *b = o->variant->benchmark;
  char name[XB_VARIANT_NAME];
  xb_result *r = xb_arena_take(arena, 1, sizeof *r);
  xb_at *at = xb_arena_take(arena, 1, sizeof *at);
  xb_result_axis *axis = xb_arena_take(arena, 1, sizeof *axis);
  xb_metric *metrics = xb_arena_take(arena, XB_MAX_METRICS, sizeof *metrics);
  if (!r || !at || !axis || !metrics)
    return NULL;
  xb_set_unknown(&xb_result_fields, r);
  *at = (xb_at){"members", scaled->point.members};
  *axis = (xb_result_axis){"members",
                           o->over_groups ? "multiprocessors that have groups" : "members, each with a device", 1};
  r->benchmark = xb_arena_text(arena, "%s_%s", b->name, kind_of(s, &scaled->point));
  const char *title = s->shared ? xb_arena_text(arena, "%s; members share a device", b->title) : b->title;
  *benchmark = (xb_result_benchmark){.name = r->benchmark, .title = title, .ladder = 0};
  benchmark->axes.values = axis;
  benchmark->axes.count = 1;
  const char *route = scaled->point.allreduce ? xb_route_name(scaled->point.route) : NULL;
  r->variant = xb_arena_text(arena, "%s%s%s", xb_variant_name(o->variant, name), route ? "_" : "", route ? route : "");
  r->variant_number = o->variant->number + (route ? 10 * scaled->point.route : 0);
  r->variant_name = r->variant ? strchr(r->variant, '_') + 1 : NULL;
  r->title = o->variant->title;
  r->backend = s->on->backend;
  r->device = s->on->uuid;
  r->launch_mode = s->on->launch_mode;
  r->on = s->on;
  r->dtype = xb_dtype_name(o->like.dtype);
  r->work.size = o->like.n;
  r->work.rows = b->matrix ? o->like.rows : 0;
  r->work.columns = b->matrix ? o->like.columns : 0;
  r->work.inner = o->like.inner;
  r->at.values = at;
  r->at.count = 1;
  r->work.block = xb_has_kernel(o->variant) ? xb_scale_block(o, scaled->point.weak) : 0;
  r->conditions.cache = "hot";
  r->conditions.clock = scaled->batch ? "device" : "host";
  r->conditions.seed = (int64_t)o->like.seed;
  r->time.placements = 1;
  if (!copy_samples(scaled->samples_ns, scaled->count, arena, &r->time.samples_ns) ||
      !copy_samples(scaled->host_ns, scaled->count, arena, &r->time.host_samples_ns))
    return NULL;
  r->conditions.loop = "launch";
  r->conditions.queue = "compute";
  r->yardstick = r->floor = r->time.crowded = false;
  r->work.flops = 0;
  r->outcome = outcome_of(scaled);
  r->outcome_name = xb_outcome_name(r->outcome);
  r->check.verified = r->outcome == XB_CELL_OK;
  if (scaled->code && !(r->check.error = xb_arena_text(arena, "%s", scaled->error.message)))
    return NULL;
  if (r->outcome != XB_CELL_OK)
    return r->benchmark && r->variant && title ? r : NULL;
  r->time.median_ns = scaled->stats.median;
  r->time.host_ns = scaled->host_median_ns;
  r->time.ci95_ns = (xb_interval){fmax(scaled->stats.ci95_low, 0), scaled->stats.ci95_high};
  r->time.ci95_scope = "samples";
  r->time.batch = scaled->batch ? scaled->batch : 1;
  r->time.warm_up_rounds = scaled->warm_up_runs;
  r->time.warm = true;
  r->time.stopped_by = scaled->stopped_by;
  r->time.spread_ns = scaled->stats.spread;
  r->time.autocorrelation = scaled->stats.autocorrelation;
  r->time.outliers = (int64_t)scaled->stats.outliers;
  bool operations;
  const double work = work_of(s, scaled, &operations);
  if (operations)
    r->work.flops = (int64_t)work;
  else if (!scaled->point.allreduce)
    r->work.bytes = (uint64_t)work;
  r->rates.metrics.count = add_metrics(s, scaled, metrics);
  r->rates.metrics.values = metrics;
  return r->benchmark && r->variant && title && add_timeline(s, scaled, arena, r) ? r : NULL;
}
