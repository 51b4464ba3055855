#include "measure/cell_groups.h"

#include "base/value_text.h"
#include "base/word_list.h"
#include "judge/judge.h"
#include "result/fields.h"
#include "show/languages.h"
#include "show/twins.h"
#include "source/fingerprint.h"

#include <math.h>
#include <string.h>

/* ---- Devices and benchmarks ------------------------------------------------------------------------------------- */

bool xb_result_device_of(const xb_device_info *info, xb_arena *arena, xb_result_device *device)
{
  const bool families = info->launch_modes >> XB_LAUNCH_COMMAND_BUFFER & 1;
  const xb_queue_info *compute = &info->queues[XB_QUEUE_COMPUTE];
  const xb_language *language = xb_language_of(info->shader_waves ? info->emulates : info->backend);
  char uuid[40];
  xb_format_uuid(info, uuid);
  *device = (xb_result_device){
      .uuid = *uuid ? xb_arena_text(arena, "%s", uuid) : NULL,
      .backend = info->backend,
      .emulated = info->emulates != NULL,
      .emulates = info->emulates,
      .name = info->name,
      .type = xb_device_type_name(info->type),
      .driver = info->driver,
      .api_version = info->api_version,
      .launch_mode = xb_launch_mode_name(info->launch_mode),
      .pci = info->pci,
      .queue_family = families ? (int64_t)compute->family : XB_UNKNOWN,
      .queue_family_graphics = families ? compute->graphics : XB_UNKNOWN,
      .queue_family_chosen = families ? info->queue_family_chosen : XB_UNKNOWN,
      .robust_buffer_access = info->has_robust_access ? info->robust_access : XB_UNKNOWN,
      .memory_bytes = info->memory_bytes,
      .max_binding_bytes = info->max_binding_bytes,
      .max_group_threads = info->max_group_threads,
      .shared_bytes = info->shared_bytes,
      .subgroup_size = info->subgroup_size,
      .timestamp_period_ns = info->timestamp_period_ns,
      .multiprocessors = info->multiprocessors,
      .cache_bytes = info->cache_bytes,
      .clock_khz = info->clock_khz,
      .memory_clock_khz = info->memory_clock_khz,
      .memory_bus_bits = info->memory_bus_bits,
      .kernel_compiler = language && *xb_language_compiler(language) ? xb_language_compiler(language) : NULL,
  };
  return !*uuid || device->uuid;
}

bool xb_result_benchmark_of(const xb_benchmark *benchmark, xb_arena *arena, xb_result_benchmark *out)
{
  xb_result_axis *axes = xb_arena_take(arena, benchmark->axis_count, sizeof *axes);
  for (size_t i = 0; axes && i < benchmark->axis_count; i++)
    axes[i] = (xb_result_axis){benchmark->axes[i].name, benchmark->axes[i].title, benchmark->axes[i].base};
  *out = (xb_result_benchmark){.name = benchmark->name, .title = benchmark->title, .ladder = benchmark->ladder};
  out->axes.values = axes;
  out->axes.count = benchmark->axis_count;
  out->quoted.values = benchmark->quoted;
  out->quoted.count = benchmark->quoted_count;
  return axes;
}

/* ---- Yardsticks of the same rounds ------------------------------------------------------------------------------ */

typedef struct group {
  const xb_cell *cells;
  size_t count;
  const xb_measured_on *on;
  xb_arena *arena;
} group;

/* Bytes per nanosecond equal 10^9 bytes per second. */
static double bandwidth(const xb_cell *cell)
{
  return cell->verdict.outcome == XB_CELL_OK && cell->samples.device.median > 0
             ? (double)cell->plan.bytes / cell->samples.device.median
             : 0;
}

/* The bandwidth of the best copy on the cell's device; 0 if not all copies were measured. */
static double copy_bandwidth(const group *g, const xb_cell *cell)
{
  double best = 0;
  if (cell->loop == XB_LOOP_KERNEL || g->cells[0].loop == XB_LOOP_KERNEL)
    return 0; /* copies are repeated by launches */
  for (size_t i = 0; i < g->count; i++) {
    if (!g->cells[i].c.variant->ceiling || g->cells[i].workload->device != cell->workload->device)
      continue;
    const double copy = bandwidth(&g->cells[i]);
    if (copy <= 0)
      return 0; /* without one of the copies the best is unknown */
    best = fmax(best, copy);
  }
  return best;
}

/* The number of dispatches in a run that wait for the one before: after a barrier, and at the start of a run. Others
 * overlap. With a cold cache the floor is one dispatch between two timestamps, which is more than a dispatch after a
 * barrier takes: it counts once. */
static double dependent_dispatches(const xb_cell *cell)
{
  uint32_t count = 1;
  if (cell->cache != XB_CACHE_HOT)
    return count;
  for (uint32_t i = 0; i < cell->plan.step_count; i++)
    count += cell->plan.steps[i].kind == XB_STEP_BARRIER;
  return count / (double)(cell->c.repeats ? cell->c.repeats : 1);
}

/* The minimum cost of the cell's dispatches; NAN if unknown. A library's number of dispatches is not known. The floor
 * is a control, or a cell that the user selected. */
static double overhead_ns(const group *g, const xb_cell *cell)
{
  const xb_variant *v = cell->c.variant;
  const xb_cell *floor = NULL;
  if (!xb_has_kernel(v) || v->clock != XB_CLOCK_DEVICE || v->overlap)
    return NAN;
  for (const xb_cell *c = g->cells; c < g->cells + g->count; c++)
    if (c->c.variant->floor && (!floor || c->is_control) && c->c.device == cell->c.device &&
        c->verdict.outcome == XB_CELL_OK)
      floor = c;
  return floor && floor != cell ? dependent_dispatches(cell) * floor->samples.device.median : NAN;
}

/* ---- Metrics and model ------------------------------------------------------------------------------------------ */

static size_t measure(const xb_cell *cell, xb_metric metrics[XB_MAX_METRICS])
{
  return cell->plan.list_count ? xb_span_metrics(cell, metrics)
                               : xb_metrics_of_run(&cell->c, &cell->plan, cell->samples.device.median, metrics);
}

/* With the clock that the monitor saw in the middle of the samples. */
static size_t add_per_clock(const xb_cell *cell, xb_metric metrics[XB_MAX_METRICS], size_t count)
{
  const double mhz = ((double)cell->samples.lowest.clock_mhz + cell->samples.highest.clock_mhz) / 2;
  const uint32_t multiprocessors = cell->c.device->multiprocessors;
  if (!cell->c.variant->benchmark->per_clock || !count || count == XB_MAX_METRICS || mhz <= 0 || !multiprocessors)
    return count;
  metrics[count] = (xb_metric){"per clock", "op/clock/SM", metrics[0].value / (mhz * 1e-3 * multiprocessors), 1};
  return count + 1;
}

static bool add_metrics(const group *g, const xb_cell *cell, xb_result *r)
{
  xb_metric metrics[XB_MAX_METRICS];
  r->rates.metrics.count = add_per_clock(cell, metrics, measure(cell, metrics));
  xb_metric *kept = xb_arena_take(g->arena, r->rates.metrics.count, sizeof *kept);
  if (kept && r->rates.metrics.count)
    memcpy(kept, metrics, r->rates.metrics.count * sizeof *kept);
  r->rates.metrics.values = kept;
  return kept;
}

/* The same cell with all axes at their base; NULL if that has no result. */
static const xb_cell *at_base(const group *g, const xb_cell *cell)
{
  const xb_benchmark *b = cell->c.variant->benchmark;
  for (size_t i = 0; i < g->count; i++) {
    const xb_cell *other = &g->cells[i];
    bool base = other->c.variant == cell->c.variant && other->workload == cell->workload &&
                other->verdict.outcome == XB_CELL_OK && other->base == cell->base;
    for (size_t a = 0; a < b->axis_count; a++)
      base = base && other->c.at[a] == b->axes[a].base;
    if (base)
      return other;
  }
  return NULL;
}

static void add_model(const group *g, const xb_cell *cell, xb_result *r)
{
  const xb_methods *methods = cell->c.variant->benchmark->methods;
  xb_metric here[XB_MAX_METRICS], there[XB_MAX_METRICS];
  if (!methods->predict || cell->verdict.outcome == XB_CELL_UNSUPPORTED)
    return;
  const xb_cell *base = at_base(g, cell);
  const xb_model model = methods->predict(&cell->c);
  if (!model.name)
    return;
  r->rates.model = (xb_result_model){model.name, model.unit, model.value, model.relative, NAN};
  if (base && cell->verdict.outcome == XB_CELL_OK && measure(cell, here) && measure(base, there))
    r->rates.model.measured = here[0].value / there[0].value;
}

/* ---- A result --------------------------------------------------------------------------------------------------- */

static bool add_question(const group *g, const xb_cell *cell, xb_result *r)
{
  const xb_variant *v = cell->c.variant;
  const xb_device_info *info = cell->c.device;
  char name[XB_VARIANT_NAME];
  size_t target = 0;
  while (target + 1 < g->on->count && g->on->infos[target] != info)
    target++;
  const xb_result_device *device = &g->on->devices[target];
  const bool families = device->queue_family != XB_UNKNOWN, matrix = v->benchmark->matrix;
  xb_at *at = xb_arena_take(g->arena, v->benchmark->axis_count, sizeof *at);
  for (size_t i = 0; at && i < v->benchmark->axis_count; i++)
    at[i] = (xb_at){v->benchmark->axes[i].name, cell->c.at[i]};
  r->benchmark = v->benchmark->name;
  r->variant = xb_arena_text(g->arena, "%s", xb_variant_name(v, name));
  r->variant_number = v->number;
  r->variant_name = v->name;
  r->title = v->title;
  r->backend = device->backend;
  r->device = device->uuid;
  r->launch_mode = device->launch_mode;
  r->on = device;
  r->dtype = xb_dtype_name(cell->c.dtype);
  r->work.size = cell->c.n;
  r->work.rows = matrix ? cell->c.rows : 0;
  r->work.columns = matrix ? cell->c.columns : 0;
  r->work.inner = cell->c.inner;
  r->at.values = at;
  r->at.count = v->benchmark->axis_count;
  r->work.block = xb_has_kernel(v) ? cell->c.block : 0;
  r->work.windows = cell->plan.windows;
  r->work.bytes = cell->plan.bytes;
  r->work.flops = (int64_t)cell->plan.flops;
  r->conditions.cache = cell->cache == XB_CACHE_COLD ? "cold" : "hot";
  r->conditions.flush = cell->workload->flush ? "read" : NULL;
  r->conditions.flush_bytes = cell->workload->flush ? (int64_t)xb_buffer_bytes(cell->workload->flush) : 0;
  r->conditions.idle_shared_bytes = cell->c.idle_shared;
  r->conditions.queue = v->queue == XB_QUEUE_COPY ? "copy" : "compute";
  r->conditions.queue_family = families ? (int64_t)info->queues[v->queue].family : XB_UNKNOWN;
  r->conditions.compute_queue_family = device->queue_family;
  r->conditions.clock = v->clock == XB_CLOCK_DEVICE ? "device" : "host";
  r->conditions.seed = (int64_t)cell->c.seed;
  r->yardstick = cell->is_control;
  r->floor = v->floor;
  r->is_base = cell->base;
  r->conditions.loop = cell->loop == XB_LOOP_KERNEL ? "kernel" : "launch";
  r->conditions.repeats = cell->loop == XB_LOOP_KERNEL ? cell->c.repeats : 0;
  if (cell->loop == XB_LOOP_KERNEL && cell->samples.linear_ns[0] > 0)
    r->time.linear_ns = (xb_numbers){cell->samples.linear_ns, XB_LINEAR_POINTS};
  switch (xb_variant_likeness(v, xb_api_of(info), &r->check.reason)) {
  case XB_ALIKE: break;
  case XB_APPROXIMATE: r->check.counterpart = "nearest"; break;
  case XB_NONE: r->check.counterpart = "none"; break;
  }
  return at && r->variant;
}

static bool add_kernel(const group *g, const xb_cell *cell, xb_result *r)
{
  static const xb_kernel_info unknown = {0};
  const xb_kernel *first = cell->buffers.kernels && cell->plan.kernel_count ? cell->buffers.kernels[0] : NULL;
  const xb_kernel_info *kernel = first ? xb_kernel_get_info(first) : &unknown;
  r->code.subgroup_size = kernel->subgroup_size;
  r->code.registers = kernel->registers;
  r->code.shared_bytes = kernel->shared_bytes;
  r->code.spill_bytes = kernel->spills_known ? (int64_t)kernel->spill_bytes : XB_UNKNOWN;
  r->code.code_bytes = kernel->code_bytes;
  r->code.max_group_threads = kernel->max_group_threads;
  r->code.groups_per_multiprocessor = kernel->groups_per_multiprocessor;
  if (cell->buffers.code_hash)
    r->code.code_hash = xb_arena_text(g->arena, "fnv1a64:%016llx", (unsigned long long)cell->buffers.code_hash);
  const xb_methods *methods = cell->c.variant->benchmark->methods;
  const uint64_t source =
      methods->source_hash ? methods->source_hash(&cell->c) : xb_source_hash(cell->c.variant, cell->c.device->backend);
  if (source)
    r->code.source_hash = xb_arena_text(g->arena, XB_SOURCE_HASH_FORMAT, source);
  return (!cell->buffers.code_hash || r->code.code_hash) && (!source || r->code.source_hash);
}

/* The peak of the cell's device. Vulkan does not tell it: CUDA does, if the run has the same device there. */
static double peak_gflops(const group *g, const xb_cell *cell)
{
  const xb_device_info *own = cell->c.device;
  for (size_t i = 0; i < g->count; i++) {
    const xb_device_info *d = g->cells[i].c.device;
    if (d->compute_capability && (d == own || (own->has_uuid && !memcmp(d->uuid, own->uuid, sizeof own->uuid))))
      return xb_peak_gflops(d->compute_capability, d->multiprocessors, d->clock_khz);
  }
  return 0;
}

static double percent(double value, double of)
{
  return of > 0 ? 100 * value / of : NAN;
}

static bool add_times(const group *g, const xb_cell *cell, xb_result *r)
{
  const xb_stats *s = &cell->samples.device;
  r->time.batch = cell->samples.batch;
  r->time.median_ns = s->median;
  /* A few samples that differ widely have an interval that ends below 0, where no time lies. */
  r->time.ci95_ns = (xb_interval){s->median > 0 ? fmax(s->ci95_low, 0) : s->ci95_low, s->ci95_high};
  r->time.ci95_scope = cell->buffers.placements > 1 ? "placements" : "samples";
  r->time.spread_ns = s->spread;
  r->time.autocorrelation = s->autocorrelation;
  r->time.outliers = (int64_t)s->outliers;
  r->time.warm_up_rounds = cell->samples.warm_up_rounds;
  r->time.warm = cell->samples.warm;
  r->time.stopped_by = cell->samples.stopped_by;
  r->time.floor_ns = overhead_ns(g, cell);
  r->time.restore_ns = cell->samples.restore_ns > 0 ? cell->samples.restore_ns : NAN;
  const bool runs_alone =
      cell->cache == XB_CACHE_HOT && isnan(r->time.restore_ns); /* else host times include a flush or copies */
  r->time.host_ns = runs_alone ? cell->samples.host.median : NAN;
  const xb_launch_mode mode = cell->c.device->launch_mode;
  const bool stream = mode == XB_LAUNCH_STREAM || mode == XB_LAUNCH_HELD_STREAM;
  r->time.issue_ns =
      stream && runs_alone && cell->c.variant->clock == XB_CLOCK_DEVICE ? cell->samples.issue.median : NAN;
  const bool added = add_metrics(g, cell, r);
  if (added && cell->plan.bytes && r->rates.metrics.count && !strcmp(r->rates.metrics.values[0].name, "bandwidth")) {
    if (xb_plan_memory_bytes(&cell->plan) == cell->plan.bytes) /* the rest comes from a cache, which is faster */
      r->rates.percent_of_peak =
          percent(bandwidth(cell), xb_peak_gbps(r->on->memory_clock_khz, r->on->memory_bus_bits));
    r->rates.percent_of_copy = percent(bandwidth(cell), copy_bandwidth(g, cell));
  }
  if (added && cell->c.variant->benchmark->multiply_adds && cell->c.dtype == XB_FLOAT32 && r->rates.metrics.count)
    r->rates.percent_of_peak = percent(r->rates.metrics.values[0].value, peak_gflops(g, cell));
  return added;
}

static xb_result_state state_of(const xb_gpu_state *s)
{
  return (xb_result_state){s->clock_mhz, s->memory_clock_mhz, s->temperature_c, s->power_w > 0 ? s->power_w : NAN};
}

static bool add_clocks(const group *g, const xb_cell *cell, xb_result *r)
{
  const bool known =
      cell->samples.count && (cell->samples.before.throttle_known || cell->samples.highest.throttle_known);
  const char **reasons = xb_arena_take(g->arena, XB_THROTTLES, sizeof *reasons);
  if (known && reasons) {
    r->throttling.throttled_samples = (int64_t)cell->samples.throttled;
    r->throttling.throttle = (xb_texts){reasons, xb_throttle_names(cell->samples.throttle, reasons)};
    r->throttling.throttle_counters = cell->samples.before.counters_known && cell->samples.after.counters_known;
  }
  r->throttling.gpu_state = (xb_result_states){state_of(&cell->samples.before), state_of(&cell->samples.lowest),
                                               state_of(&cell->samples.highest), state_of(&cell->samples.after)};
  return reasons;
}

/* "not varied while timed: x, y": inputs of an untrusted kernel, which it may remember. NULL: none. */
static const char *not_varied(const group *g, const xb_cell *cell)
{
  char names[200] = "";
  for (uint32_t i = 0; i < cell->plan.slot_count; i++) {
    const xb_slot *s = &cell->plan.slots[i];
    const bool input = s->role == XB_ROLE_INPUT || (s->role == XB_ROLE_INOUT && !s->scratch);
    if (input && (!cell->workload->draw_count || !xb_workload_input(cell->workload, s)->drawn))
      xb_add_listed(names, sizeof names, s->name);
  }
  return *names && cell->c.variant->benchmark->methods->untrusted
             ? xb_arena_text(g->arena, "not varied while timed: %s", names)
             : NULL;
}

static bool make(const group *g, const xb_cell *cell, xb_result *r)
{
  xb_set_unknown(&xb_result_fields, r);
  const xb_methods *methods = cell->c.variant->benchmark->methods;
  const bool checked = (xb_has_check(methods) && !methods->unverified) || /* false also for an empty kernel */
                       (methods->checks_itself && methods->checks_itself(&cell->c));
  const bool timed = cell->verdict.outcome == XB_CELL_OK;
  r->outcome = cell->verdict.outcome == XB_CELL_PENDING ? XB_CELL_INTERRUPTED : cell->verdict.outcome;
  r->outcome_name = xb_outcome_name(cell->verdict.outcome);
  r->time.placements = cell->buffers.placements;
  r->time.crowded = cell->buffers.crowded;
  r->conditions.preset = cell->preset ? "tuned" : NULL;
  r->time.samples_ns = (xb_numbers){cell->samples.ns, cell->samples.count};
  r->time.host_samples_ns = (xb_numbers){cell->samples.host_ns, cell->samples.count};
  if (!cell->samples.ns) /* an empty list, not an unknown one */
    r->time.samples_ns.values = r->time.host_samples_ns.values = &cell->samples.once_ns;
  r->check.verified = checked ? timed && cell->verdict.verified : XB_UNKNOWN;
  const char *remark = timed && methods->remark ? methods->remark(&cell->c) : NULL;
  const uint32_t usual = methods->block ? cell->c.block : cell->c.variant->benchmark->default_block,
                 most = cell->c.device->max_group_threads;
  r->check.remark = remark ? xb_arena_text(g->arena, "%s", remark)
                    : timed && xb_has_kernel(cell->c.variant) && usual > most
                        ? xb_arena_text(g->arena, "groups of %u: this device does not support %u", cell->c.block, usual)
                        : NULL;
  if (timed && cell->c.variant->wrong)
    r->check.remark = xb_arena_text(g->arena, "wrong on purpose, correct here by chance: %s", cell->c.variant->wrong);
  const char *same = timed ? not_varied(g, cell) : NULL;
  r->check.remark = same && r->check.remark ? xb_arena_text(g->arena, "%s; %s", r->check.remark, same)
                    : same                  ? same
                                            : r->check.remark;
  r->check.inputs = methods->inputs;
  r->check.rechecked_runs = checked && timed ? (int64_t)cell->verdict.rechecked_runs : XB_UNKNOWN;
  const bool good = add_question(g, cell, r) && add_kernel(g, cell, r) && add_clocks(g, cell, r);
  if (cell->verdict.error.code && cell->verdict.outcome != XB_CELL_NO_COUNTERPART)
    r->check.error =
        cell->c.variant->wrong && cell->verdict.outcome == XB_CELL_WRONG
            ? xb_arena_text(g->arena, "%s; on purpose: %s", cell->verdict.error.message, cell->c.variant->wrong)
            : cell->verdict.error.message;
  const bool hashed = timed && cell->verdict.outputs.words;
  if (hashed)
    r->check.output_hash = xb_arena_text(g->arena, "sum64:%016llx", (unsigned long long)cell->verdict.outputs.sum);
  add_model(g, cell, r);
  if (timed && !xb_span_timeline(cell, g->arena, r))
    return false;
  return good && (!hashed || r->check.output_hash) && (!timed || add_times(g, cell, r));
}

xb_result *xb_results_of_cells(const xb_cell *cells, size_t count, const xb_measured_on *on, xb_arena *arena)
{
  const group g = {cells, count, on, arena};
  xb_result *results = xb_arena_take(arena, count, sizeof *results);
  for (size_t i = 0; results && i < count; i++)
    if (!make(&g, &cells[i], &results[i]))
      return NULL;
  return results;
}
