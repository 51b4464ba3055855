/* Cells. Beyond the types: what others rely on, such as that what has a median has samples. */
#include "load/results.h"

#include "measure/stats.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FIELD(kind, name, needed)                                                                                      \
  {                                                                                                                    \
#name, XB_FIELD_##kind, offsetof(xb_saved_result, name), needed                                                    \
  }
static const xb_field result_fields[] = {
    FIELD(TEXT, benchmark, true),
    FIELD(TEXT, variant, true),
    FIELD(TEXT, title, false),
    FIELD(TEXT, backend, true),
    FIELD(TEXT, device, false),
    FIELD(TEXT, launch_mode, true),
    FIELD(TEXT, dtype, true),
    FIELD(KNOWN, size, true),
    FIELD(KNOWN, rows, false),
    FIELD(KNOWN, columns, false),
    FIELD(KNOWN, block, false),
    FIELD(KNOWN, windows, false),
    FIELD(KNOWN, bytes, false),
    FIELD(COUNT, flops, false),
    FIELD(TEXT, cache, true),
    FIELD(TEXT, queue, false),
    FIELD(TEXT, clock, false),
    FIELD(TEXT, loop, false),
    FIELD(COUNT, queue_family, false),
    FIELD(COUNT, compute_queue_family, false),
    FIELD(COUNT, seed, false),
    FIELD(FLAG, yardstick, false),
    FIELD(KNOWN, repeats, false),
    FIELD(NUMBERS, linear_ns, false),
    FIELD(KNOWN, subgroup_size, false),
    FIELD(KNOWN, registers, false),
    FIELD(KNOWN, shared_bytes, false),
    FIELD(KNOWN, code_bytes, false),
    FIELD(KNOWN, max_group_threads, false),
    FIELD(KNOWN, groups_per_multiprocessor, false),
    FIELD(COUNT, spill_bytes, false),
    FIELD(TEXT, code_hash, false),
    FIELD(KNOWN, placements, false),
    FIELD(FLAG, crowded, false),
    FIELD(KNOWN, batch, false),
    FIELD(NUMBERS, samples_ns, true),
    FIELD(NUMBERS, host_samples_ns, false),
    FIELD(REAL, median_ns, false),
    FIELD(REAL, spread_ns, false),
    FIELD(REAL, floor_ns, false),
    FIELD(REAL, host_ns, false),
    FIELD(INTERVAL, ci95_ns, false),
    FIELD(COUNT, outliers, false),
    FIELD(COUNT, warm_up_rounds, false),
    FIELD(FLAG, warm, false),
    FIELD(TEXT, stopped_by, false),
    FIELD(REAL, gbps, false),
    FIELD(REAL, percent_of_peak, false),
    FIELD(REAL, percent_of_copy, false),
    FIELD(FLAG, verified, false),
    FIELD(TEXT, error, false),
    FIELD(COUNT, throttled_samples, false),
    FIELD(TEXTS, throttle, false),
};
#undef FIELD

#define FIELD(kind, name)                                                                                              \
  {                                                                                                                    \
#name, XB_FIELD_##kind, offsetof(xb_saved_state, name), false                                                      \
  }
static const xb_field state_fields[] = {
    FIELD(KNOWN, clock_mhz),
    FIELD(KNOWN, memory_clock_mhz),
    FIELD(KNOWN, temperature_c),
    FIELD(REAL, power_w),
};
#undef FIELD

static bool same_text(const char *a, const char *b)
{
  return a && b ? !strcmp(a, b) : a == b;
}

/* "9_single_pass" is number 9 and "single_pass". */
static xb_code split_variant(xb_reader *r, xb_saved_result *result)
{
  const char *expected = "a number and a name, such as 9_single_pass";
  const size_t digits = strspn(result->variant, "0123456789");
  if (!digits || digits > 9 || result->variant[digits] != '_' || !result->variant[digits + 1])
    return xb_refuse(r, "variant", expected);
  for (size_t i = 0; i < digits; i++)
    result->variant_number = 10 * result->variant_number + (uint64_t)(result->variant[i] - '0');
  result->variant_name = result->variant + digits + 1;
  return XB_OK;
}

/* Of several queue families of one device, the cell's: files before compute_queue_family tell that of its queue. */
static bool of_family(const xb_saved_result *result, const xb_saved_device *d)
{
  const bool copy = result->queue && !strcmp(result->queue, "copy");
  const int64_t family =
      result->compute_queue_family >= 0 || copy ? result->compute_queue_family : result->queue_family;
  return !d->one_of_families || family < 0 || family == d->queue_family;
}

static xb_code find_device(xb_reader *r, const xb_document *document, xb_saved_result *result)
{
  for (size_t i = 0; i < document->device_count; i++) {
    const xb_saved_device *d = &document->devices[i];
    if (same_text(d->uuid, result->device) && same_text(d->backend, result->backend) &&
        (!d->launch_mode || same_text(d->launch_mode, result->launch_mode)) && of_family(result, d)) {
      result->on = d;
      return XB_OK;
    }
  }
  return xb_refuse(r, "device", "one of the document's devices, with this backend, launch mode and queue family");
}

static xb_code read_outcome(xb_reader *r, const json_t *object, xb_saved_result *result)
{
  static const xb_outcome outcomes[] = {XB_CELL_OK,          XB_CELL_WRONG,          XB_CELL_FAILED,
                                        XB_CELL_UNSUPPORTED, XB_CELL_NO_COUNTERPART, XB_CELL_INTERRUPTED};
  const bool timed = !isnan(result->median_ns);
  const char *name = json_string_value(json_object_get(object, "outcome"));
  result->outcome = timed ? XB_CELL_OK : result->error ? XB_CELL_FAILED : XB_CELL_INTERRUPTED;
  if (!json_object_get(object, "outcome"))
    return XB_OK;
  for (size_t i = 0; i < sizeof outcomes / sizeof outcomes[0]; i++)
    if (name && !strcmp(name, xb_outcome_name(outcomes[i])) && (outcomes[i] == XB_CELL_OK) == timed) {
      result->outcome = outcomes[i];
      return XB_OK;
    }
  return xb_refuse(r, "outcome",
                   timed ? "'ok', as there is a median" : "wrong, failed, unsupported, no_counterpart or interrupted");
}

static xb_code check_samples(xb_reader *r, const xb_saved_result *result)
{
  if (!isnan(result->median_ns) && !result->samples_ns.count)
    return xb_refuse(r, "samples_ns", "samples, as there is a median");
  if (!isnan(result->median_ns) && result->verified == 0)
    return xb_refuse(r, "verified", "true or null, as there is a median");
  if (result->host_samples_ns.count && result->host_samples_ns.count != result->samples_ns.count)
    return xb_refuse(r, "host_samples_ns", "as many as samples_ns");
  if (result->placements > XB_MOST_PLACEMENTS)
    return xb_refuse(r, "placements", "at most 64");
  return XB_OK;
}

static xb_code read_states(xb_reader *r, const json_t *object, xb_saved_result *result)
{
  static const char *const names[] = {"before", "lowest", "highest", "after"};
  xb_saved_state *const states[] = {&result->before, &result->lowest, &result->highest, &result->after};
  const json_t *all, *state;
  xb_code code = xb_read_object(r, object, "gpu_state", false, &all);
  for (size_t i = 0; i < 4 && !code; i++) {
    code = xb_read_object(r, all, names[i], false, &state);
    if (!code)
      code = xb_read_fields(r, state, state_fields, sizeof state_fields / sizeof state_fields[0], states[i]);
  }
  return code;
}

xb_code xb_read_results(xb_reader *r, const json_t *array, xb_document *document)
{
  const size_t count = json_array_size(array);
  xb_saved_result *results = xb_arena_take(r->arena, count, sizeof *results);
  xb_code code = results ? XB_OK : xb_reader_nomem(r);
  for (size_t i = 0; i < count && !code; i++) {
    const json_t *object;
    xb_saved_result *result = &results[i];
    code = xb_read_element(r, array, "results", i, &object);
    if (!code)
      code = xb_read_fields(r, object, result_fields, sizeof result_fields / sizeof result_fields[0], result);
    if (!code)
      code = split_variant(r, result);
    if (!code)
      code = find_device(r, document, result);
    if (!code)
      code = read_outcome(r, object, result);
    if (!code)
      code = check_samples(r, result);
    if (!code)
      code = read_states(r, object, result);
  }
  document->results = results;
  document->result_count = count;
  return code;
}
