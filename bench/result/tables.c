/* The tables of all fields, in the order in which they are written. */
#include "result/fields.h"

/* A table of fields of TYPE. Versions of clang-format disagree about these braces. */
/* clang-format off */
#define TABLE(...) XB_FIELDS(TYPE, __VA_ARGS__)
#define ENTRY(name, kind, member, needed, ...) {__VA_ARGS__, .key = name, XB_AT(TYPE, kind, member), .need = XB_##needed}
/* clang-format on */
#define NEEDED(kind, name) ENTRY(#name, kind, name, NEEDED, .of = NULL)
/* An optional field. */
#define FIELD(kind, name) ENTRY(#name, kind, name, OPTIONAL, .of = NULL)
#define TEXT(name) FIELD(TEXT, name)
#define KNOWN(name) FIELD(KNOWN, name)
#define COUNT(name) FIELD(COUNT, name)
#define REAL(name) FIELD(REAL, name)
#define FLAG(name) FIELD(FLAG, name)
#define INTERVAL(name) FIELD(INTERVAL, name)
/* An optional field of a part of the struct. */
#define IN(part, kind, name) ENTRY(#name, kind, part.name, OPTIONAL, .of = NULL)
/* The same; tables and other outputs than JSON show it, too: its title, width, format, and where (XB_IN_*). */
#define SHOWN(part, kind, name, ...) ENTRY(#name, kind, part.name, OPTIONAL, __VA_ARGS__)
#define OBJECT(name, fields) ENTRY(#name, OBJECT, name, OPTIONAL, .of = &(fields))
#define LIST(name, fields) ENTRY(#name, LIST, name, OPTIONAL, .of = &(fields))

#define TYPE xb_result_host
const xb_fields xb_host_fields =
    TABLE(TEXT(version), TEXT(os), TEXT(kernel), TEXT(cpu), TEXT(compiler), TEXT(compiler_flags), TEXT(shader_compiler),
          TEXT(shader_flags), TEXT(cuda_compiler), TEXT(cuda_flags), TEXT(dxil_compiler), TEXT(dxil_flags),
          TEXT(commit), FLAG(modified), TEXT(date));
#undef TYPE

#define TYPE xb_result_device
const xb_fields xb_device_fields = TABLE(
    TEXT(uuid), NEEDED(TEXT, backend), NEEDED(TEXT, name), TEXT(type), TEXT(driver), TEXT(api_version),
    TEXT(launch_mode), TEXT(pci), COUNT(queue_family), FLAG(queue_family_graphics), FLAG(queue_family_chosen),
    KNOWN(memory_bytes), KNOWN(max_binding_bytes), KNOWN(max_group_threads), KNOWN(shared_bytes), KNOWN(subgroup_size),
    REAL(timestamp_period_ns), KNOWN(multiprocessors), KNOWN(cache_bytes), KNOWN(clock_khz), KNOWN(memory_clock_khz),
    KNOWN(memory_bus_bits), FLAG(robust_buffer_access), TEXT(kernel_compiler), FLAG(emulated), TEXT(emulates));
#undef TYPE

#define TYPE xb_result_sampling
const xb_fields xb_sampling_fields =
    TABLE(REAL(min_time_s), REAL(max_time_s), REAL(width), COUNT(min_rounds), COUNT(seed));
#undef TYPE

#define TYPE xb_result_axis
static const xb_fields axis_fields = TABLE(NEEDED(TEXT, name), TEXT(title), NEEDED(COUNT, base));
#undef TYPE

#define TYPE xb_quoted
static const xb_fields quoted_fields = TABLE(NEEDED(COUNT, variant), TEXT(at), NEEDED(REAL, value), NEEDED(TEXT, unit),
                                             TEXT(hardware), TEXT(size), TEXT(words), TEXT(source));
#undef TYPE

#define TYPE xb_result_benchmark
const xb_fields xb_benchmark_fields =
    TABLE(NEEDED(TEXT, name), TEXT(title), FLAG(ladder), LIST(axes, axis_fields), LIST(quoted, quoted_fields));
#undef TYPE

#define TYPE xb_at
static const xb_fields at_fields = TABLE(NEEDED(TEXT, axis), NEEDED(COUNT, value));
#undef TYPE

#define TYPE xb_metric
static const xb_fields metric_fields =
    TABLE(NEEDED(TEXT, name), NEEDED(TEXT, unit), NEEDED(REAL, value), FLAG(more_is_better));
#undef TYPE

#define TYPE xb_bar
static const xb_fields bar_fields =
    TABLE(NEEDED(TEXT, lane), NEEDED(TEXT, stage), NEEDED(REAL, begin_ns), NEEDED(REAL, end_ns));
#undef TYPE

#define TYPE xb_result_model
const xb_fields xb_model_fields = TABLE(TEXT(name), TEXT(unit), REAL(value), REAL(predicted), REAL(measured));
#undef TYPE

#define TYPE xb_result_state
static const xb_fields state_fields =
    TABLE(KNOWN(clock_mhz), KNOWN(memory_clock_mhz), KNOWN(temperature_c), REAL(power_w));
#undef TYPE

#define TYPE xb_result_states
static const xb_fields states_fields = TABLE(OBJECT(before, state_fields), OBJECT(lowest, state_fields),
                                             OBJECT(highest, state_fields), OBJECT(after, state_fields));
#undef TYPE

#define TYPE xb_result
const xb_fields xb_result_fields =
    TABLE(NEEDED(TEXT, benchmark), NEEDED(TEXT, variant), TEXT(title), NEEDED(TEXT, backend), TEXT(device),
          NEEDED(TEXT, dtype), ENTRY("size", KNOWN, work.size, NEEDED, .of = NULL), IN(work, KNOWN, rows),
          IN(work, KNOWN, columns), IN(work, KNOWN, inner), LIST(at, at_fields), IN(work, KNOWN, block),
          IN(work, KNOWN, windows), IN(work, KNOWN, bytes), IN(work, COUNT, flops),
          ENTRY("cache", TEXT, conditions.cache, NEEDED, .of = NULL), IN(conditions, COUNT, flush_bytes),
          IN(conditions, TEXT, flush), IN(conditions, KNOWN, idle_shared_bytes), NEEDED(TEXT, launch_mode),
          IN(conditions, TEXT, queue), IN(conditions, COUNT, queue_family), IN(conditions, COUNT, compute_queue_family),
          IN(conditions, TEXT, clock), IN(conditions, COUNT, seed), IN(conditions, TEXT, preset), FLAG(yardstick),
          FLAG(floor), IN(conditions, TEXT, loop), IN(conditions, KNOWN, repeats), IN(time, NUMBERS, linear_ns),
          IN(code, KNOWN, subgroup_size), IN(code, KNOWN, registers), IN(code, KNOWN, shared_bytes),
          IN(code, COUNT, spill_bytes), IN(code, KNOWN, code_bytes), IN(code, KNOWN, max_group_threads),
          IN(code, KNOWN, groups_per_multiprocessor), IN(code, TEXT, code_hash), IN(code, TEXT, source_hash),
          IN(check, TEXT, counterpart), IN(check, TEXT, reason),
          ENTRY("outcome", TEXT, outcome_name, OPTIONAL, .of = NULL), IN(time, KNOWN, placements),
          IN(time, FLAG, crowded), ENTRY("samples_ns", NUMBERS, time.samples_ns, NEEDED, .of = NULL),
          IN(time, NUMBERS, host_samples_ns), IN(time, KNOWN, batch), IN(time, REAL, median_ns),
          IN(time, INTERVAL, ci95_ns), IN(time, TEXT, ci95_scope), IN(time, REAL, spread_ns),
          IN(time, REAL, autocorrelation), IN(time, COUNT, outliers), IN(time, COUNT, warm_up_rounds),
          IN(time, FLAG, warm), IN(time, TEXT, stopped_by), IN(time, REAL, floor_ns), IN(time, REAL, host_ns),
          IN(time, REAL, issue_ns), IN(time, REAL, restore_ns), ENTRY("gbps", REAL, rates.gbps, OLD, .of = NULL),
          ENTRY("metrics", LIST, rates.metrics, OPTIONAL, .of = &metric_fields),
          ENTRY("model", OBJECT, rates.model, OPTIONAL, .of = &xb_model_fields),
          ENTRY("timeline", LIST, rates.timeline, OPTIONAL, .of = &bar_fields),
          SHOWN(rates, REAL, percent_of_peak, "of peak", 7, "%.0f %%", .each = true, .drop = XB_DROP_OF_PEAK,
                .optional = true, .in = XB_IN_TEXT | XB_IN_HTML),
          SHOWN(rates, REAL, percent_of_copy, "of copy", 7, "%.0f %%", .each = true, .drop = XB_DROP_OF_COPY,
                .in = XB_IN_TEXT | XB_IN_MARKDOWN | XB_IN_HTML),
          IN(check, FLAG, verified), IN(check, COUNT, rechecked_runs), IN(check, TEXT, remark), IN(check, TEXT, inputs),
          IN(check, TEXT, output_hash), IN(check, TEXT, error), IN(throttling, COUNT, throttled_samples),
          IN(throttling, TEXTS, throttle), IN(throttling, FLAG, throttle_counters),
          ENTRY("gpu_state", OBJECT, throttling.gpu_state, OPTIONAL, .of = &states_fields));
#undef TYPE

#define TYPE xb_side
static const xb_fields pair_side_fields =
    TABLE(TEXT(variant), TEXT(backend), TEXT(device), TEXT(launch_mode), COUNT(queue_family), COUNT(result));
static const xb_fields mean_side_fields =
    TABLE(TEXT(variant), NEEDED(TEXT, backend), TEXT(device), NEEDED(TEXT, launch_mode), COUNT(queue_family));
#undef TYPE

#define TYPE xb_comparison
const xb_fields xb_comparison_fields = TABLE(
    TEXT(benchmark), TEXT(dtype), KNOWN(size), ENTRY("subject", OBJECT, subject_side, NEEDED, .of = &pair_side_fields),
    ENTRY("base", OBJECT, base_side, OPTIONAL, .of = &pair_side_fields), REAL(ratio), INTERVAL(ci95_ratio),
    REAL(ratio_less_floors), INTERVAL(ci95_ratio_less_floors), REAL(margin), TEXT(verdict), TEXT(reason), KNOWN(rounds),
    KNOWN(resamples), FLAG(same_bits));
#undef TYPE

#define TYPE xb_mean
const xb_fields xb_mean_fields =
    TABLE(NEEDED(TEXT, benchmark), ENTRY("subject", OBJECT, subject, NEEDED, .of = &mean_side_fields),
          ENTRY("base", OBJECT, base, NEEDED, .of = &mean_side_fields), REAL(ratio), INTERVAL(ci95_ratio), REAL(margin),
          TEXT(verdict), COUNT(compared), COUNT(of));
#undef TYPE

#define TYPE xb_document
const xb_fields xb_document_fields =
    TABLE(NEEDED(TEXT, schema), ENTRY("host", OBJECT, host, NEEDED, .of = &xb_host_fields),
          ENTRY("devices", LIST, devices, NEEDED, .of = &xb_device_fields),
          ENTRY("sampling", OBJECT, sampling, NEEDED, .of = &xb_sampling_fields), LIST(benchmarks, xb_benchmark_fields),
          ENTRY("results", LIST, results, NEEDED, .of = &xb_result_fields), LIST(comparisons, xb_comparison_fields),
          ENTRY("geometric_means", LIST, means, OPTIONAL, .of = &xb_mean_fields));
#undef TYPE
