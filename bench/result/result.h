/* The results and comparisons of a run, as plain structs. A run makes them (measure/cell_groups.h), or they are read
 * from a file that `xbench --json FILE` wrote (result/document.h). All output is made from them.
 * docs/results.schema.json defines each field; result/tables.c defines how each is written and read.
 *
 * Unknown values are null or absent in a file. In the structs they are NULL; a count of 0 for lists; NAN for a double;
 * 0 for a uint64_t that is never 0; XB_UNKNOWN for an int64_t and for a flag.
 *
 * Text from a file is unchanged, valid UTF-8 without NUL. It may have control characters, so print it with
 * xb_print_safe or xb_safe_text (safe_text.h). */
#ifndef XB_RESULT_H
#define XB_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define XB_UNKNOWN (-1)
typedef int xb_flag; /* 0, 1, XB_UNKNOWN */

/* Text is static, or lives as long as the result. */
typedef struct xb_metric {
  const char *name; /* "bandwidth" */
  const char *unit; /* "GB/s" */
  double value;
  xb_flag more_is_better;
} xb_metric;

/* A published figure for a variant. It is shown beside measured values, but never mixed with them. */
typedef struct xb_quoted {
  int64_t variant; /* its number */
  const char *at;  /* values of its axis: "0,8,16,24,32" */
  double value;
  const char *unit, *hardware, *size;
  const char *words; /* the quotation that contains the number */
  const char *source;
} xb_quoted;

enum { XB_MOST_PLACEMENTS = 64 };

typedef struct xb_interval {
  double low, high;
} xb_interval;

/* How a cell ended. */
typedef enum xb_outcome {
  XB_CELL_PENDING, /* not finished, or not started */
  XB_CELL_OK,
  XB_CELL_WRONG,          /* ran, with a wrong result */
  XB_CELL_FAILED,         /* did not run; `error` says why */
  XB_CELL_UNSUPPORTED,    /* this device lacks it; `error` says what */
  XB_CELL_NO_COUNTERPART, /* the API cannot express it; `error` says why */
  XB_CELL_INTERRUPTED,
} xb_outcome;

/* "ok", "wrong", "failed", "unsupported", "no_counterpart", "interrupted". PENDING is "interrupted", too. */
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
      *cuda_flags, *dxil_compiler, *dxil_flags, *commit, /* of the source that the program was built from */
      *date;        /* of the run, such as 2026-11-22T08:25:39Z: UTC, so it sorts as text */
  xb_flag modified; /* true if that had uncommitted changes */
} xb_result_host;

/* A device as one API reports it, in one launch mode. */
typedef struct xb_result_device {
  const char *uuid, *backend, *name, *type, *driver, *api_version, *launch_mode, *pci; /* backend, name: never NULL */
  int64_t queue_family;
  xb_flag emulated;            /* true if it runs the kernels of an API without its hardware ... */
  const char *emulates;        /* ... "cuda"; NULL: the API itself */
  const char *kernel_compiler; /* of the kernels that run on it; NULL: unknown, or in an older document */
  bool one_of_families;        /* the document also has this device with another queue family */
  xb_flag queue_family_graphics, queue_family_chosen, robust_buffer_access;
  uint64_t memory_bytes, max_binding_bytes, max_group_threads, shared_bytes, subgroup_size, multiprocessors,
      cache_bytes, clock_khz, memory_clock_khz, memory_bus_bits;
  double timestamp_period_ns;
} xb_result_device;

/* An emulation of shaders: its queue family is the size of its waves. That of CUDA has none. */
static inline bool xb_emulates_shaders(const xb_result_device *on)
{
  return on->emulates && on->queue_family_chosen == 1;
}

typedef struct xb_result_sampling {
  double min_time_s, max_time_s, width;
  int64_t min_rounds, seed;
} xb_result_sampling;

typedef struct xb_result_state {
  uint64_t clock_mhz, memory_clock_mhz, temperature_c;
  double power_w;
} xb_result_state;

typedef struct xb_result_states {
  xb_result_state before, lowest, highest, after; /* lowest and highest: during the samples, for each field */
} xb_result_states;

/* The properties of a benchmark that its results are shown with. */
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

/* The position of a result on an axis of its benchmark. */
typedef struct xb_at {
  const char *axis;
  int64_t value;
} xb_at;

/* What a queue, or the host, did: from begin to end, in nanoseconds since the first submit. */
typedef struct xb_bar {
  const char *lane, *stage; /* "copy 1", "upload" */
  double begin_ns, end_ns;
} xb_bar;

/* A model's prediction of the first metric, relative to its value where all axes are at their base. `measured` is the
 * measured value of this ratio; NAN if the base was not measured. */
typedef struct xb_result_model {
  const char *name, *unit;
  double value, predicted, measured;
} xb_result_model;

/* What a cell computes. */
typedef struct xb_result_work {
  uint64_t size, rows, columns; /* size: at least 1 */
  uint64_t inner;               /* of a product of matrices */
  uint64_t block, windows, bytes;
  int64_t flops;
} xb_result_work;

/* How it was run. */
typedef struct xb_result_conditions {
  const char *cache, *queue, *clock, *loop;
  const char
      *flush; /* how a cold cache was made so: "read", by reading a buffer; NULL: hot, or by writing one, as once */
  const char *preset; /* "tuned": block and at were saved by a tuning run */
  int64_t queue_family, compute_queue_family, seed;
  uint64_t idle_shared_bytes; /* of a group, not used */
  int64_t flush_bytes;        /* read before each run, or once written; 0 with a hot cache */
  uint64_t repeats;
} xb_result_conditions;

/* The compiled kernel on the device. */
typedef struct xb_result_code {
  uint64_t subgroup_size, registers, shared_bytes, code_bytes, max_group_threads, groups_per_multiprocessor;
  int64_t spill_bytes;
  const char *code_hash, *source_hash; /* of what the driver got; of its source, see source/fingerprint.h */
} xb_result_code;

/* Times are nanoseconds of one run; sample i is of placement i % placements. */
typedef struct xb_result_time {
  uint64_t placements, batch;
  xb_flag crowded;
  xb_numbers samples_ns, host_samples_ns; /* host_samples_ns: the same number, or none */
  xb_numbers linear_ns;
  double median_ns, spread_ns, floor_ns, host_ns;
  double issue_ns;        /* streams: host time to issue the commands of a run */
  double restore_ns;      /* to set the contents of a user's buffers again before a run; not in median_ns */
  xb_interval ci95_ns;    /* low and high are NAN if unknown */
  const char *ci95_scope; /* what it holds: "placements", or "samples" of one placement */
  double autocorrelation; /* rank correlation of successive samples, 0 if negative; the interval is widened for it */
  int64_t outliers, warm_up_rounds;
  xb_flag warm;
  const char *stopped_by;
} xb_result_time;

/* What follows from the time. */
typedef struct xb_result_rates {
  XB_LIST(xb_metric) metrics; /* the first is the main metric */
  xb_result_model model;
  XB_LIST(xb_bar) timeline; /* of the shortest sample of a run on several queues */
  double gbps;              /* in xbench/1 files only: added to the metrics */
  double percent_of_peak, percent_of_copy;
} xb_result_rates;

/* Whether the outputs were right, and why there is no time. */
typedef struct xb_result_check {
  xb_flag verified;
  int64_t rechecked_runs;  /* single runs after the samples, with other inputs, that were right */
  const char *remark;      /* what a reader must know of how it was checked, or of its groups */
  const char *inputs;      /* contents of the user's buffers: "x, y: mixed; w: uniform(0, 2)" */
  const char *output_hash; /* of all words of the outputs of the first run */
  const char *error;
  const char *counterpart; /* "nearest" or "none" if the API cannot express the variant the same way */
  const char *reason;      /* why not */
} xb_result_check;

typedef struct xb_result_throttling {
  int64_t throttled_samples;
  xb_texts throttle;
  xb_flag throttle_counters; /* the driver's time counters answered, so throttling between the samples is known, too */
  xb_result_states gpu_state;
} xb_result_throttling;

/* One cell. Never NULL: benchmark, variant, variant_name, backend, dtype, launch_mode, on, conditions.cache. */
typedef struct xb_result {
  const char *benchmark;
  const char *variant;      /* "9_single_pass" ... */
  uint64_t variant_number;  /* ... which is 9 ... */
  const char *variant_name; /* ... and "single_pass" */
  const char *title;
  const char *backend, *device, *launch_mode; /* device: the UUID */
  const xb_result_device *on;                 /* that device, in the document */
  const char *compiler; /* of the kernel, with its version: from the document's host; not set while a run measures */
  const char *dtype;
  XB_LIST(xb_at) at;
  xb_flag yardstick, floor; /* floor: the minimum cost of a dispatch */
  bool is_base;             /* set while a run makes comparisons; not in files */
  xb_outcome outcome; /* OK if and only if there is a median; never PENDING. Files without this field do not distinguish
                         FAILED, WRONG and UNSUPPORTED: they give FAILED */
  const char *outcome_name; /* NULL in the oldest files */
  xb_result_work work;
  xb_result_conditions conditions;
  xb_result_code code;
  xb_result_time time;
  xb_result_rates rates;
  xb_result_check check;
  xb_result_throttling throttling;
} xb_result;

/* A side of a comparison, or of a geometric mean. */
typedef struct xb_side {
  const char *variant; /* NULL in a mean: each variant is compared with itself */
  const char *backend, *device, *launch_mode;
  int64_t queue_family; /* of the compute queue */
  int64_t result;       /* in a comparison: index into the results */
} xb_side;

typedef struct xb_comparison {
  const char *benchmark, *dtype;
  uint64_t size;
  xb_side subject_side, base_side;
  const xb_result *subject; /* never NULL */
  const xb_result *base;    /* NULL: there was no baseline */
  double ratio;             /* median time of the subject divided by that of the base */
  double ratio_less_floors; /* after subtracting the difference of the two floors from the subject's time */
  double margin;
  xb_interval ci95_ratio, ci95_ratio_less_floors;
  const char *verdict, *reason; /* verdict: NULL if they were not compared */
  uint64_t rounds, resamples;
  xb_flag same_bits; /* their outputs have the same hash */
} xb_comparison;

typedef struct xb_mean {
  const char *benchmark;
  xb_side subject, base;
  const xb_result_device *subject_on, *base_on; /* set while a run makes comparisons; not in files */
  double ratio, margin;
  xb_interval ci95_ratio;
  const char *verdict;
  int64_t compared, of;
} xb_mean;

/* The count of each list follows it. */
typedef struct xb_document {
  const char *path; /* as the user gave it */
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

/* The first metric; NAN if there is none. */
double xb_result_value(const xb_result *result);
/* Its unit; "" if there is none. */
const char *xb_result_unit(const xb_result *result);
/* The metric of this name and unit, either of which may be NULL: any. NULL: there is none. */
const xb_metric *xb_result_metric(const xb_result *result, const char *name, const char *unit);
/* By size, rows, columns and inner dimension. */
int xb_compare_sizes(const xb_result *a, const xb_result *b);
/* True if the result has a time; NULL has none. */
bool xb_is_timed(const xb_result *result);
/* Why there is no time: the error, the reason, or "not measured". */
const char *xb_result_why(const xb_result *result);
/* Either may be NULL, which is equal to NULL only. */
bool xb_same_text(const char *a, const char *b);
/* A remark if the cell was sampled with one placement: its interval then holds noise only, and not what other places in
 * memory would take. NULL: several, or unknown. */
const char *xb_result_placed_once(const xb_result *result);
/* "offset 3, tile 8"; "" without axes. */
enum { XB_AT_TEXT = 96 };
const char *xb_result_at(const xb_result *result, char out[XB_AT_TEXT]);
/* Orders results like strcmp, by each axis in turn. */
int xb_compare_at(const xb_result *a, const xb_result *b);

/* Facts about the program and the machine that runs it. */
/* Static memory; for one thread only. */
const xb_result_host *xb_this_host(void);

/* ---- Selections of results --------------------------------------------------------------------------------------- */

/* The results of a benchmark of pairs of devices, as a matrix: a row for each device that is read from, a column for
 * each that reads. Rows and columns are in the order of their first results. */
enum { XB_MATRIX_MOST = 64 }; /* rows, and columns; the rest is left out */

typedef struct xb_matrix {
  const xb_result *of; /* its first result: variant, device, size and element type of all */
  const char *unit;    /* NULL: no cell has a value */
  int64_t from[XB_MATRIX_MOST], to[XB_MATRIX_MOST];
  size_t rows, columns;
  double values[XB_MATRIX_MOST][XB_MATRIX_MOST]; /* NAN: none */
  char heads[XB_MATRIX_MOST][24];                /* of its table's columns */
} xb_matrix;

/* True if the benchmark has exactly the axes `from` and `to`. */
bool xb_is_of_pairs(const xb_result_benchmark *benchmark);
/* True if the results belong to one matrix. */
bool xb_same_matrix(const xb_result *a, const xb_result *b);
/* Begins the matrix with its first result, which is also added. */
void xb_matrix_begin(xb_matrix *matrix, const xb_result *first);
/* Does nothing if the result belongs to another matrix. */
void xb_matrix_add(xb_matrix *matrix, const xb_result *result);

/* The cells that show a device's ceilings: what `xbench peaks` runs, and the page's section of that name shows. */
typedef struct xb_peak {
  const char *title;
  const char *benchmark;
  uint64_t variant;
  const char *at;   /* values of the axes, as xb_result_at writes them; NULL: any */
  const char *unit; /* of the metric; NULL: the first one */
} xb_peak;

/* Ends with a peak without a title. */
extern const xb_peak xb_peaks[];
/* True if the result is a cell of the peak. */
bool xb_is_peak(const xb_peak *peak, const xb_result *result);

#endif
