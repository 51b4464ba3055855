/* One cell: what was asked, what the device made of it, and what was measured. */
#include "report/format.h"
#include "report/json.h"

#include <stdio.h>

/* ---- What was asked --------------------------------------------------------------------------------------------- */

static void add_question(json_t *r, const xb_cell *cell)
{
  const xb_device_info *info = cell->c.device;
  const xb_variant *v = cell->c.variant;
  json_object_set_new(r, "benchmark", json_string(v->benchmark->name));
  json_object_set_new(r, "variant", xb_json_variant(v));
  json_object_set_new(r, "title", json_string(v->title));
  json_object_set_new(r, "backend", json_string(info->backend));
  json_object_set_new(r, "device", xb_json_uuid(info));
  json_object_set_new(r, "dtype", json_string(xb_dtype_name(cell->c.dtype)));
  json_object_set_new(r, "size", json_integer((json_int_t)cell->c.n));
  json_object_set_new(r, "rows",
                      cell->c.variant->benchmark->matrix ? json_integer((json_int_t)cell->c.rows) : json_null());
  json_object_set_new(r, "columns",
                      cell->c.variant->benchmark->matrix ? json_integer((json_int_t)cell->c.columns) : json_null());
  json_object_set_new(r, "block", xb_has_kernel(v) ? json_integer(cell->c.block) : json_null());
  json_object_set_new(r, "windows", xb_json_known(cell->plan.windows));
  json_object_set_new(r, "bytes", xb_json_known(cell->plan.bytes));
  json_object_set_new(r, "flops", json_integer((json_int_t)cell->plan.flops));
  json_object_set_new(r, "cache", json_string(cell->cache == XB_CACHE_COLD ? "cold" : "hot"));
  json_object_set_new(r, "launch_mode", json_string(xb_launch_mode_name(info->launch_mode)));
  json_object_set_new(r, "queue", json_string(v->queue == XB_QUEUE_COPY ? "copy" : "compute"));
  json_object_set_new(r, "queue_family",
                      xb_has_families(info) ? json_integer(info->queues[v->queue].family) : json_null());
  json_object_set_new(r, "compute_queue_family",
                      xb_has_families(info) ? json_integer(info->queues[XB_QUEUE_COMPUTE].family) : json_null());
  json_object_set_new(r, "clock", json_string(v->clock == XB_CLOCK_DEVICE ? "device" : "host"));
  json_object_set_new(r, "seed", json_integer((json_int_t)cell->c.seed));
  json_object_set_new(r, "yardstick", json_boolean(cell->yardstick));
}

/* Repeated inside the kernel: how often, and the times of 1, 2, 4 and 8 repetitions that show it. */
static void add_loop(json_t *r, const xb_cell *cell)
{
  const bool kernel = cell->loop == XB_LOOP_KERNEL;
  const bool linear = kernel && cell->linear_ns[0] > 0;
  json_object_set_new(r, "loop", json_string(kernel ? "kernel" : "launch"));
  json_object_set_new(r, "repeats", kernel ? xb_json_known(cell->c.repeats) : json_null());
  json_object_set_new(r, "linear_ns", linear ? xb_json_numbers(cell->linear_ns, XB_LINEAR_POINTS) : json_null());
}

/* ---- What the device made of it --------------------------------------------------------------------------------- */

static void add_kernel(json_t *r, const xb_cell *cell)
{
  static const xb_kernel_info unknown = {0};
  const xb_kernel_info *kernel = xb_cell_kernel(cell) ? xb_kernel_get_info(xb_cell_kernel(cell)) : &unknown;
  char hash[32] = "";
  if (cell->code_hash)
    snprintf(hash, sizeof hash, "fnv1a64:%016llx", (unsigned long long)cell->code_hash);
  json_object_set_new(r, "subgroup_size", xb_json_known(kernel->subgroup_size));
  json_object_set_new(r, "registers", xb_json_known(kernel->registers));
  json_object_set_new(r, "shared_bytes", xb_json_known(kernel->shared_bytes));
  json_object_set_new(r, "spill_bytes", kernel->spills_known ? json_integer(kernel->spill_bytes) : json_null());
  json_object_set_new(r, "code_bytes", xb_json_known(kernel->code_bytes));
  json_object_set_new(r, "max_group_threads", xb_json_known(kernel->max_group_threads));
  json_object_set_new(r, "groups_per_multiprocessor", xb_json_known(kernel->groups_per_multiprocessor));
  json_object_set_new(r, "code_hash", xb_json_text(hash));
}

/* ---- What was measured ------------------------------------------------------------------------------------------ */

static void add_samples(json_t *r, const xb_cell *cell)
{
  json_object_set_new(r, "placements", xb_json_known(cell->placements));
  json_object_set_new(r, "crowded", json_boolean(cell->crowded));
  json_object_set_new(r, "samples_ns", xb_json_numbers(cell->samples_ns, cell->sample_count));
  json_object_set_new(r, "host_samples_ns", xb_json_numbers(cell->host_ns, cell->sample_count));
}

static void add_times(json_t *r, const xb_group *group, const xb_cell *cell)
{
  const xb_stats *s = &cell->device;
  const double floor = xb_floor_ns(group->cells, group->count, cell);
  const bool host = cell->cache == XB_CACHE_HOT; /* cold: the flush would be in it */
  json_object_set_new(r, "batch", json_integer(cell->batch));
  json_object_set_new(r, "median_ns", xb_json_number(s->median));
  json_object_set_new(r, "ci95_ns", xb_json_interval(s->ci95_low, s->ci95_high));
  json_object_set_new(r, "spread_ns", xb_json_number(s->spread));
  json_object_set_new(r, "outliers", json_integer((json_int_t)s->outliers));
  json_object_set_new(r, "warm_up_rounds", json_integer(cell->warm_up_rounds));
  json_object_set_new(r, "warm", json_boolean(cell->warm));
  json_object_set_new(r, "stopped_by", cell->stopped_by ? json_string(cell->stopped_by) : json_null());
  json_object_set_new(r, "floor_ns", floor > 0 ? xb_json_number(floor) : json_null());
  json_object_set_new(r, "host_ns", host ? xb_json_number(cell->host.median) : json_null());
}

static json_t *percent(double value, double of)
{
  return of > 0 ? xb_json_number(100 * value / of) : json_null();
}

static void add_rates(json_t *r, const xb_group *group, const xb_cell *cell)
{
  const double gbps = xb_cell_gbps(cell);
  json_object_set_new(r, "gbps", xb_json_number(gbps));
  json_object_set_new(r, "percent_of_peak", percent(gbps, xb_peak_gbps(cell->c.device)));
  json_object_set_new(r, "percent_of_copy", percent(gbps, xb_copy_gbps(group, cell->workload->device)));
}

static void add_nulls(json_t *r, const char *const *fields)
{
  for (; *fields; fields++)
    json_object_set_new(r, *fields, json_null());
}

static void add_measured(json_t *r, const xb_group *group, const xb_cell *cell)
{
  static const char *const times[] = {"batch", "median_ns", "ci95_ns", "spread_ns",  "outliers", "warm_up_rounds",
                                      "warm",  "floor_ns",  "host_ns", "stopped_by", NULL};
  static const char *const rates[] = {"gbps", "percent_of_peak", "percent_of_copy", NULL};
  const bool timed = cell->outcome == XB_CELL_OK;
  json_object_set_new(r, "outcome", json_string(xb_outcome_name(cell->outcome)));
  add_samples(r, cell);
  if (timed)
    add_times(r, group, cell);
  else
    add_nulls(r, times);
  if (timed && cell->plan.bytes)
    add_rates(r, group, cell);
  else
    add_nulls(r, rates);
  /* Nothing to check: an empty kernel. */
  json_object_set_new(r, "verified",
                      cell->c.variant->benchmark->methods->check ? json_boolean(timed && cell->verified) : json_null());
  json_object_set_new(r, "error", cell->error.code ? xb_json_text(cell->error.message) : json_null());
}

/* ---- What held the clocks --------------------------------------------------------------------------------------- */

static json_t *gpu_state(const xb_gpu_state *state)
{
  if (!state->known)
    return json_null();
  json_t *s = json_object();
  json_object_set_new(s, "clock_mhz", xb_json_known(state->clock_mhz));
  json_object_set_new(s, "memory_clock_mhz", xb_json_known(state->memory_clock_mhz));
  json_object_set_new(s, "temperature_c", xb_json_known(state->temperature_c));
  json_object_set_new(s, "power_w", state->power_w > 0 ? xb_json_number(state->power_w) : json_null());
  return s;
}

static json_t *throttle_reasons(uint32_t throttle)
{
  json_t *list = json_array();
  for (uint32_t bit = 1; bit && bit <= throttle; bit <<= 1) {
    char name[32];
    xb_throttle_names(throttle & bit, name, sizeof name);
    if (*name)
      json_array_append_new(list, json_string(name));
  }
  return list;
}

static void add_clocks(json_t *r, const xb_cell *cell)
{
  const bool told = cell->sample_count && (cell->before.throttle_known || cell->highest.throttle_known);
  json_object_set_new(r, "throttled_samples", told ? json_integer((json_int_t)cell->throttled_samples) : json_null());
  json_object_set_new(r, "throttle", told ? throttle_reasons(cell->throttle) : json_null());
  json_t *states = json_object();
  json_object_set_new(states, "before", gpu_state(&cell->before));
  json_object_set_new(states, "lowest", gpu_state(&cell->lowest));
  json_object_set_new(states, "highest", gpu_state(&cell->highest));
  json_object_set_new(states, "after", gpu_state(&cell->after));
  json_object_set_new(r, "gpu_state", states);
}

json_t *xb_json_result(const xb_group *group, const xb_cell *cell)
{
  json_t *r = json_object();
  add_question(r, cell);
  add_loop(r, cell);
  add_kernel(r, cell);
  add_measured(r, group, cell);
  add_clocks(r, cell);
  return r;
}
