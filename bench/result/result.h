/* What came of a run: results, and what they were held against, as plain structs. A run makes them
 * (measure/cell_results.h), a file that `xbench --json FILE` wrote is read back into them (result/document.h), and
 * everything that is shown is made from them alone. docs/results.schema.json says what each field means;
 * result/tables.c says once how each is written and read; here are the shapes.
 *
 * Unknown, which is null or absent in a file: NULL, a count of 0 for lists, NAN for a double, 0 for a uint64_t (of
 * which 0 would say nothing), XB_UNKNOWN for an int64_t and a flag (of which 0 says something).
 *
 * Text of a file is as the file has it, valid UTF-8 without NUL, and may hold control characters: it goes to a terminal
 * through xb_print_safe or xb_safe_text (safe_text.h).
 */
#ifndef XB_RESULT_H
#define XB_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "result/metric.h"

enum { XB_MOST_PLACEMENTS = 64 };

typedef struct xb_interval {
  double low, high;
} xb_interval;

/* How a cell ended. */
typedef enum xb_outcome {
  XB_CELL_PENDING, /* not finished yet, or never begun */
  XB_CELL_OK,
  XB_CELL_WRONG,          /* ran, with a wrong result */
  XB_CELL_FAILED,         /* did not run; `error` says why */
  XB_CELL_UNSUPPORTED,    /* this device lacks it; `error` says what */
  XB_CELL_NO_COUNTERPART, /* this API has no such thing; `error` says why */
  XB_CELL_INTERRUPTED,
} xb_outcome;

/* "ok", "wrong", "failed", "unsupported", "no_counterpart", "interrupted", which what is pending is in the end. */
const char *xb_outcome_name(xb_outcome outcome);

#define XB_LIST(type)                                                                                                  \
  struct {                                                                                                             \
    const type *values;                                                                                                \
    size_t count;                                                                                                      \
  }
typedef XB_LIST(double) xb_numbers;
typedef XB_LIST(char *const) xb_texts;

typedef struct xb_result_host {
  const char *version, *os, *kernel, *cpu, *compiler, *compiler_flags, *shader_compiler, *shader_flags, *cuda_compiler,
      *cuda_flags, *commit; /* of the source that the program was built from */
  xb_flag modified;         /* and whether it had uncommitted changes */
} xb_result_host;

/* A device as one API shows it, in one launch mode. */
typedef struct xb_result_device {
  const char *uuid, *backend, *name, *type, *driver, *api_version, *launch_mode, *pci; /* backend, name: never NULL */
  int64_t queue_family;
  bool one_of_families; /* the document has it through another queue family, too */
  xb_flag queue_family_graphics, queue_family_chosen, robust_buffer_access;
  uint64_t memory_bytes, max_binding_bytes, max_group_threads, shared_bytes, subgroup_size, multiprocessors,
      cache_bytes, clock_khz, memory_clock_khz, memory_bus_bits;
  double timestamp_period_ns;
} xb_result_device;

typedef struct xb_result_sampling {
  double min_time_s, max_time_s, width;
  int64_t min_rounds, seed;
} xb_result_sampling;

typedef struct xb_result_state {
  uint64_t clock_mhz, memory_clock_mhz, temperature_c;
  double power_w;
} xb_result_state;

typedef struct xb_result_states {
  xb_result_state before, lowest, highest, after; /* the samples; during them, field by field */
} xb_result_states;

/* A benchmark as its results are shown. */
typedef struct xb_result_axis {
  const char *name, *title;
  int64_t base;
} xb_result_axis;
typedef struct xb_result_benchmark {
  const char *name, *title;
  xb_flag ladder;
  XB_LIST(xb_result_axis) axes;
  XB_LIST(xb_quoted) quoted;
} xb_result_benchmark;

/* Where a result stands on an axis of its benchmark. */
typedef struct xb_at {
  const char *axis;
  int64_t value;
} xb_at;

/* What a model says of the first metric: relative to where all axes are at their base. `measured` is the same of what
 * was measured; NAN where the base was not. */
typedef struct xb_result_model {
  const char *name, *unit;
  double value, predicted, measured;
} xb_result_model;

/* One cell. Never NULL: benchmark, variant, variant_name, backend, dtype, cache, launch_mode, on. */
typedef struct xb_result {
  /* What was asked. */
  const char *benchmark;
  const char *variant;      /* "9_single_pass" ... */
  uint64_t variant_number;  /* ... which is 9 ... */
  const char *variant_name; /* ... and "single_pass" */
  const char *title;
  const char *backend, *device, *launch_mode; /* device: the UUID */
  const xb_result_device *on;                 /* that device, of the document's */
  const char *dtype;
  uint64_t size, rows, columns; /* size: at least 1 */
  XB_LIST(xb_at) at;
  uint64_t block, windows, bytes;
  int64_t flops;
  const char *cache, *queue, *clock, *loop;
  int64_t queue_family, compute_queue_family, seed;
  xb_flag yardstick, floor; /* floor: what a dispatch costs at least */
  bool is_base;             /* of a comparison that is being made; not in files */
  uint64_t repeats;
  xb_numbers linear_ns;

  /* What the device made of it. */
  uint64_t subgroup_size, registers, shared_bytes, code_bytes, max_group_threads, groups_per_multiprocessor;
  int64_t spill_bytes;
  const char *code_hash;

  /* What was measured. Times are nanoseconds of one run; sample i is of placement i % placements. */
  xb_outcome outcome; /* OK where there is a median, and only there; never PENDING. Files from before there was such a
                       * field do not tell FAILED, WRONG and UNSUPPORTED apart, and have FAILED */
  const char *outcome_name; /* NULL in the oldest files */
  uint64_t placements, batch;
  xb_flag crowded;
  xb_numbers samples_ns, host_samples_ns; /* host_samples_ns: as many, or none */
  double median_ns, spread_ns, floor_ns, host_ns;
  xb_interval ci95_ns; /* low and high are NAN where it is unknown */
  int64_t outliers, warm_up_rounds;
  xb_flag warm;
  const char *stopped_by;
  XB_LIST(xb_metric) metrics; /* the first one is the one that counts */
  xb_result_model model;
  double gbps; /* of files of xbench/1 alone: taken into the metrics */
  double percent_of_peak, percent_of_copy;
  xb_flag verified;
  const char *error;
  const char *counterpart; /* "nearest" or "none" where its API does not say it alike ... */
  const char *reason;      /* ... and why */

  /* What held the clocks. */
  int64_t throttled_samples;
  xb_texts throttle;
  xb_result_states gpu_state;
} xb_result;

/* A side of a comparison, or of a geometric mean. */
typedef struct xb_side {
  const char *variant; /* NULL, of a mean: each variant for itself */
  const char *backend, *device, *launch_mode;
  int64_t queue_family; /* of the compute queue */
  int64_t result;       /* of a comparison: index into the results */
} xb_side;

typedef struct xb_comparison {
  const char *benchmark, *dtype;
  uint64_t size;
  xb_side subject_side, base_side;
  const xb_result *subject; /* never NULL */
  const xb_result *base;    /* NULL: there was nothing to hold against */
  double ratio;             /* median time of the subject over that of the base */
  double ratio_less_floors; /* with the difference of the two floors taken off the subject's time */
  double margin;
  xb_interval ci95_ratio, ci95_ratio_less_floors;
  const char *verdict, *reason; /* verdict: NULL where they were not compared */
  uint64_t rounds, resamples;
} xb_comparison;

typedef struct xb_mean {
  const char *benchmark;
  xb_side subject, base;
  const xb_result_device *subject_on, *base_on; /* of a comparison that is being made; not in files */
  double ratio, margin;
  xb_interval ci95_ratio;
  const char *verdict;
  int64_t compared, of;
} xb_mean;

/* Each list is followed by its count. */
typedef struct xb_document {
  const char *path; /* as it was given */
  const char *schema;
  xb_result_host host;
  xb_result_sampling sampling;
  const xb_result_device *devices;
  size_t device_count; /* at least 1 */
  const xb_result_benchmark *benchmarks;
  size_t benchmark_count; /* 0 in files of xbench/1 */
  const xb_result *results;
  size_t result_count;
  const xb_comparison *comparisons;
  size_t comparison_count;
  const xb_mean *means;
  size_t mean_count;
} xb_document;

/* The first metric; NAN where there is none. */
double xb_result_value(const xb_result *result);
/* Its unit; "" where there is none. */
const char *xb_result_unit(const xb_result *result);
/* Why there is no time: the error, the reason, or "not measured". */
const char *xb_result_why(const xb_result *result);
/* "offset 3, tile 8"; "" without axes. */
enum { XB_AT_TEXT = 96 };
const char *xb_result_at(const xb_result *result, char out[XB_AT_TEXT]);
/* As strcmp orders: by each axis in turn. */
int xb_compare_at(const xb_result *a, const xb_result *b);

#endif
