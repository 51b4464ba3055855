/* The tables of all fields, in the order in which they are written. */
#include "result/document.h"
#include "result/fields.h"

#define TABLE(name, fields, type) const xb_fields name = {fields, sizeof(fields) / sizeof(fields)[0], sizeof(type)}
#define FIELD(kind, name, need)                                                                                        \
  {                                                                                                                    \
#name, XB_FIELD_##kind, offsetof(TYPE, name), XB_##need, NULL                                                      \
  }
#define FIELDS_OF(kind, name, need, fields)                                                                            \
  {                                                                                                                    \
#name, XB_FIELD_##kind, offsetof(TYPE, name), XB_##need, &(fields)                                                 \
  }
/* A list whose member has another name. */
#define NAMED(kind, name, member, need, fields)                                                                        \
  {                                                                                                                    \
    name, XB_FIELD_##kind, offsetof(TYPE, member), XB_##need, &(fields)                                                \
  }

#define TYPE xb_result_host
static const xb_field host[] = {
    FIELD(TEXT, version, OPTIONAL),         FIELD(TEXT, os, OPTIONAL),
    FIELD(TEXT, kernel, OPTIONAL),          FIELD(TEXT, cpu, OPTIONAL),
    FIELD(TEXT, compiler, OPTIONAL),        FIELD(TEXT, compiler_flags, OPTIONAL),
    FIELD(TEXT, shader_compiler, OPTIONAL), FIELD(TEXT, shader_flags, OPTIONAL),
    FIELD(TEXT, cuda_compiler, OPTIONAL),   FIELD(TEXT, cuda_flags, OPTIONAL),
    FIELD(TEXT, commit, OPTIONAL),          FIELD(FLAG, modified, OPTIONAL),
};
TABLE(xb_host_fields, host, TYPE);
#undef TYPE

#define TYPE xb_result_device
static const xb_field device[] = {
    FIELD(TEXT, uuid, OPTIONAL),
    FIELD(TEXT, backend, NEEDED),
    FIELD(TEXT, name, NEEDED),
    FIELD(TEXT, type, OPTIONAL),
    FIELD(TEXT, driver, OPTIONAL),
    FIELD(TEXT, api_version, OPTIONAL),
    FIELD(TEXT, launch_mode, OPTIONAL),
    FIELD(TEXT, pci, OPTIONAL),
    FIELD(COUNT, queue_family, OPTIONAL),
    FIELD(FLAG, queue_family_graphics, OPTIONAL),
    FIELD(FLAG, queue_family_chosen, OPTIONAL),
    FIELD(KNOWN, memory_bytes, OPTIONAL),
    FIELD(KNOWN, max_binding_bytes, OPTIONAL),
    FIELD(KNOWN, max_group_threads, OPTIONAL),
    FIELD(KNOWN, shared_bytes, OPTIONAL),
    FIELD(KNOWN, subgroup_size, OPTIONAL),
    FIELD(REAL, timestamp_period_ns, OPTIONAL),
    FIELD(KNOWN, multiprocessors, OPTIONAL),
    FIELD(KNOWN, cache_bytes, OPTIONAL),
    FIELD(KNOWN, clock_khz, OPTIONAL),
    FIELD(KNOWN, memory_clock_khz, OPTIONAL),
    FIELD(KNOWN, memory_bus_bits, OPTIONAL),
    FIELD(FLAG, robust_buffer_access, OPTIONAL),
};
TABLE(xb_device_fields, device, TYPE);
#undef TYPE

#define TYPE xb_result_sampling
static const xb_field sampling[] = {
    FIELD(REAL, min_time_s, OPTIONAL),  FIELD(REAL, max_time_s, OPTIONAL), FIELD(REAL, width, OPTIONAL),
    FIELD(COUNT, min_rounds, OPTIONAL), FIELD(COUNT, seed, OPTIONAL),
};
TABLE(xb_sampling_fields, sampling, TYPE);
#undef TYPE

#define TYPE xb_result_axis
static const xb_field axis[] = {FIELD(TEXT, name, NEEDED), FIELD(TEXT, title, OPTIONAL), FIELD(COUNT, base, NEEDED)};
static TABLE(axis_fields, axis, TYPE);
#undef TYPE

#define TYPE xb_quoted
static const xb_field quoted[] = {
    FIELD(COUNT, variant, NEEDED), FIELD(TEXT, at, OPTIONAL),       FIELD(REAL, value, NEEDED),
    FIELD(TEXT, unit, NEEDED),     FIELD(TEXT, hardware, OPTIONAL), FIELD(TEXT, size, OPTIONAL),
    FIELD(TEXT, words, OPTIONAL),  FIELD(TEXT, source, OPTIONAL),
};
static TABLE(quoted_fields, quoted, TYPE);
#undef TYPE

#define TYPE xb_result_benchmark
static const xb_field benchmark[] = {
    FIELD(TEXT, name, NEEDED),
    FIELD(TEXT, title, OPTIONAL),
    FIELD(FLAG, ladder, OPTIONAL),
    FIELDS_OF(LIST, axes, OPTIONAL, axis_fields),
    FIELDS_OF(LIST, quoted, OPTIONAL, quoted_fields),
};
TABLE(xb_benchmark_fields, benchmark, TYPE);
#undef TYPE

#define TYPE xb_at
static const xb_field at[] = {FIELD(TEXT, axis, NEEDED), FIELD(COUNT, value, NEEDED)};
static TABLE(at_fields, at, TYPE);
#undef TYPE

#define TYPE xb_metric
static const xb_field metric[] = {
    FIELD(TEXT, name, NEEDED),
    FIELD(TEXT, unit, NEEDED),
    FIELD(REAL, value, NEEDED),
    FIELD(FLAG, more_is_better, OPTIONAL),
};
static TABLE(metric_fields, metric, TYPE);
#undef TYPE

#define TYPE xb_result_model
static const xb_field model[] = {
    FIELD(TEXT, name, OPTIONAL),      FIELD(TEXT, unit, OPTIONAL),     FIELD(REAL, value, OPTIONAL),
    FIELD(REAL, predicted, OPTIONAL), FIELD(REAL, measured, OPTIONAL),
};
static TABLE(model_fields, model, TYPE);
#undef TYPE

#define TYPE xb_result_state
static const xb_field state[] = {
    FIELD(KNOWN, clock_mhz, OPTIONAL),
    FIELD(KNOWN, memory_clock_mhz, OPTIONAL),
    FIELD(KNOWN, temperature_c, OPTIONAL),
    FIELD(REAL, power_w, OPTIONAL),
};
static TABLE(state_fields, state, TYPE);
#undef TYPE

#define TYPE xb_result_states
static const xb_field states[] = {
    FIELDS_OF(OBJECT, before, OPTIONAL, state_fields),
    FIELDS_OF(OBJECT, lowest, OPTIONAL, state_fields),
    FIELDS_OF(OBJECT, highest, OPTIONAL, state_fields),
    FIELDS_OF(OBJECT, after, OPTIONAL, state_fields),
};
static TABLE(states_fields, states, TYPE);
#undef TYPE

#define TYPE xb_result
static const xb_field result[] = {
    FIELD(TEXT, benchmark, NEEDED),
    FIELD(TEXT, variant, NEEDED),
    FIELD(TEXT, title, OPTIONAL),
    FIELD(TEXT, backend, NEEDED),
    FIELD(TEXT, device, OPTIONAL),
    FIELD(TEXT, dtype, NEEDED),
    FIELD(KNOWN, size, NEEDED),
    FIELD(KNOWN, rows, OPTIONAL),
    FIELD(KNOWN, columns, OPTIONAL),
    FIELDS_OF(LIST, at, OPTIONAL, at_fields),
    FIELD(KNOWN, block, OPTIONAL),
    FIELD(KNOWN, windows, OPTIONAL),
    FIELD(KNOWN, bytes, OPTIONAL),
    FIELD(COUNT, flops, OPTIONAL),
    FIELD(TEXT, cache, NEEDED),
    FIELD(TEXT, launch_mode, NEEDED),
    FIELD(TEXT, queue, OPTIONAL),
    FIELD(COUNT, queue_family, OPTIONAL),
    FIELD(COUNT, compute_queue_family, OPTIONAL),
    FIELD(TEXT, clock, OPTIONAL),
    FIELD(COUNT, seed, OPTIONAL),
    FIELD(FLAG, yardstick, OPTIONAL),
    FIELD(FLAG, floor, OPTIONAL),
    FIELD(TEXT, loop, OPTIONAL),
    FIELD(KNOWN, repeats, OPTIONAL),
    FIELD(NUMBERS, linear_ns, OPTIONAL),
    FIELD(KNOWN, subgroup_size, OPTIONAL),
    FIELD(KNOWN, registers, OPTIONAL),
    FIELD(KNOWN, shared_bytes, OPTIONAL),
    FIELD(COUNT, spill_bytes, OPTIONAL),
    FIELD(KNOWN, code_bytes, OPTIONAL),
    FIELD(KNOWN, max_group_threads, OPTIONAL),
    FIELD(KNOWN, groups_per_multiprocessor, OPTIONAL),
    FIELD(TEXT, code_hash, OPTIONAL),
    FIELD(TEXT, counterpart, OPTIONAL),
    FIELD(TEXT, reason, OPTIONAL),
    {"outcome", XB_FIELD_TEXT, offsetof(TYPE, outcome_name), XB_OPTIONAL, NULL},
    FIELD(KNOWN, placements, OPTIONAL),
    FIELD(FLAG, crowded, OPTIONAL),
    FIELD(NUMBERS, samples_ns, NEEDED),
    FIELD(NUMBERS, host_samples_ns, OPTIONAL),
    FIELD(KNOWN, batch, OPTIONAL),
    FIELD(REAL, median_ns, OPTIONAL),
    FIELD(INTERVAL, ci95_ns, OPTIONAL),
    FIELD(REAL, spread_ns, OPTIONAL),
    FIELD(COUNT, outliers, OPTIONAL),
    FIELD(COUNT, warm_up_rounds, OPTIONAL),
    FIELD(FLAG, warm, OPTIONAL),
    FIELD(TEXT, stopped_by, OPTIONAL),
    FIELD(REAL, floor_ns, OPTIONAL),
    FIELD(REAL, host_ns, OPTIONAL),
    FIELD(REAL, gbps, OLD),
    FIELDS_OF(LIST, metrics, OPTIONAL, metric_fields),
    FIELDS_OF(OBJECT, model, OPTIONAL, model_fields),
    FIELD(REAL, percent_of_peak, OPTIONAL),
    FIELD(REAL, percent_of_copy, OPTIONAL),
    FIELD(FLAG, verified, OPTIONAL),
    FIELD(TEXT, error, OPTIONAL),
    FIELD(COUNT, throttled_samples, OPTIONAL),
    FIELD(TEXTS, throttle, OPTIONAL),
    FIELDS_OF(OBJECT, gpu_state, OPTIONAL, states_fields),
};
TABLE(xb_result_fields, result, TYPE);
#undef TYPE

#define TYPE xb_side
static const xb_field pair_side[] = {
    FIELD(TEXT, variant, OPTIONAL),     FIELD(TEXT, backend, OPTIONAL),       FIELD(TEXT, device, OPTIONAL),
    FIELD(TEXT, launch_mode, OPTIONAL), FIELD(COUNT, queue_family, OPTIONAL), FIELD(COUNT, result, OPTIONAL),
};
static const xb_field mean_side[] = {
    FIELD(TEXT, variant, OPTIONAL),   FIELD(TEXT, backend, NEEDED),         FIELD(TEXT, device, OPTIONAL),
    FIELD(TEXT, launch_mode, NEEDED), FIELD(COUNT, queue_family, OPTIONAL),
};
static TABLE(pair_side_fields, pair_side, TYPE);
static TABLE(mean_side_fields, mean_side, TYPE);
#undef TYPE

#define TYPE xb_comparison
static const xb_field comparison[] = {
    FIELD(TEXT, benchmark, OPTIONAL),
    FIELD(TEXT, dtype, OPTIONAL),
    FIELD(KNOWN, size, OPTIONAL),
    NAMED(OBJECT, "subject", subject_side, NEEDED, pair_side_fields),
    NAMED(OBJECT, "base", base_side, OPTIONAL, pair_side_fields),
    FIELD(REAL, ratio, OPTIONAL),
    FIELD(INTERVAL, ci95_ratio, OPTIONAL),
    FIELD(REAL, ratio_less_floors, OPTIONAL),
    FIELD(INTERVAL, ci95_ratio_less_floors, OPTIONAL),
    FIELD(REAL, margin, OPTIONAL),
    FIELD(TEXT, verdict, OPTIONAL),
    FIELD(TEXT, reason, OPTIONAL),
    FIELD(KNOWN, rounds, OPTIONAL),
    FIELD(KNOWN, resamples, OPTIONAL),
};
TABLE(xb_comparison_fields, comparison, TYPE);
#undef TYPE

#define TYPE xb_mean
static const xb_field mean[] = {
    FIELD(TEXT, benchmark, NEEDED),
    FIELDS_OF(OBJECT, subject, NEEDED, mean_side_fields),
    FIELDS_OF(OBJECT, base, NEEDED, mean_side_fields),
    FIELD(REAL, ratio, OPTIONAL),
    FIELD(INTERVAL, ci95_ratio, OPTIONAL),
    FIELD(REAL, margin, OPTIONAL),
    FIELD(TEXT, verdict, OPTIONAL),
    FIELD(COUNT, compared, OPTIONAL),
    FIELD(COUNT, of, OPTIONAL),
};
TABLE(xb_mean_fields, mean, TYPE);
#undef TYPE

#define TYPE xb_document
static const xb_field document[] = {
    FIELD(TEXT, schema, NEEDED),
    FIELDS_OF(OBJECT, host, NEEDED, xb_host_fields),
    FIELDS_OF(LIST, devices, NEEDED, xb_device_fields),
    FIELDS_OF(OBJECT, sampling, NEEDED, xb_sampling_fields),
    FIELDS_OF(LIST, benchmarks, OPTIONAL, xb_benchmark_fields),
    FIELDS_OF(LIST, results, NEEDED, xb_result_fields),
    FIELDS_OF(LIST, comparisons, OPTIONAL, xb_comparison_fields),
    NAMED(LIST, "geometric_means", means, OPTIONAL, xb_mean_fields),
};
TABLE(xb_document_fields, document, TYPE);
#undef TYPE
