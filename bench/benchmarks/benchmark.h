/* A benchmark is a folder beside this file. It has a table of rows (variants.def), the arguments of its kernels, and
 * one .c file with its plan and its check; inputs, metrics and a model of its own are optional. No file outside the
 * folder names it. A benchmark made at run time uses the same struct; xb_benchmark_add adds it to the table. */
#ifndef XB_BENCHMARK_H
#define XB_BENCHMARK_H

#include "benchmarks/plan.h"
#include "result/result.h"

typedef struct xb_benchmark xb_benchmark;

/* ---- Variants --------------------------------------------------------------------------------------------------- */

/* The source of a variant's work. */
typedef enum xb_source {
  NO_KERNEL,   /* the API's own commands */
  KERNEL,      /* shaders/<benchmark>/<number>_<name>.hlsl and its twin in kernels/ */
  SAME_KERNEL, /* the kernel of the nearest row above that has a kernel */
  LIBRARY,     /* a vendor library: <name>.cu in the benchmark's folder */
} xb_source;

/* What a sample measures. */
typedef enum xb_clock {
  XB_CLOCK_DEVICE, /* device time of one run, from timestamps around a batch of runs */
  XB_CLOCK_SUBMIT, /* host time: submit to complete of one run */
  XB_CLOCK_FIRST,  /* the same, for the first run after the kernel was created */
  XB_CLOCK_CREATE, /* host time: the API's own calls that create the kernel */
  XB_CLOCK_SPAN,   /* host time: first submit to last completion of a plan's lists (xb_plan_list_of) */
  XB_CLOCK_CALLS,  /* host time of one run, from the first step to the end of the last; only here, and in lists, plans
                      have calls */
} xb_clock;

/* How well an API can express what the other APIs do. */
typedef enum xb_likeness {
  XB_ALIKE,
  XB_APPROXIMATE, /* differently: results are shown, but are never part of a ratio */
  XB_NONE,        /* not at all: the cell's outcome is 'no_counterpart' */
} xb_likeness;

typedef struct xb_counterpart {
  const char *api; /* a backend's name; "*": all others */
  xb_likeness likeness;
  const char *why; /* one sentence */
} xb_counterpart;

/* From n elements on, use groups of `block` threads if the device supports that; a list ends with block 0. */
typedef struct xb_block_from {
  uint64_t n;
  uint32_t block;
} xb_block_from;

enum {
  XB_BLOCK_STEPS = 4,
  XB_MAX_COUNTERPARTS = 4,
  XB_MAX_AXES = 4,
  XB_MAX_METRICS = 8,
  XB_WHY_BYTES = 384,
  XB_NAME_BYTES = 64
};

typedef struct xb_variant {
  const xb_benchmark *benchmark;
  uint32_t number;
  const char *name;
  xb_source source;
  const char *title;
  const char *entry; /* begins the name of its entry point where a source has several; NULL: the benchmark's name */
  const void *parameters;                           /* its type is private to the benchmark; may be NULL */
  xb_counterpart counterparts[XB_MAX_COUNTERPARTS]; /* the first match counts; no match: XB_ALIKE */
  xb_block_from blocks[XB_BLOCK_STEPS]; /* default group sizes by element count; none: those of the benchmark */
  uint32_t most_block;                  /* threads of its largest groups; 0: any size that is compiled */
  uint32_t shared_bytes; /* its groups of the default size need so much; a device with less has smaller groups */
  uint32_t full_waves;   /* its kernels need waves whose lanes all exist, of at most so many; 0: any waves */
  bool overlap;          /* no barrier between the runs of a batch */
  bool ceiling;          /* an upper limit that other benchmarks are compared with */
  bool floor;            /* the minimum cost of a dispatch */
  bool may_refuse;       /* the plan refuses some devices or sizes; without this, tests need all of them */
  bool repeats;          /* the kernel does its work args.repeats times */
  bool fresh;            /* each created kernel has code that the driver has not seen before (xb_fresh_code) */
  const char *wrong;     /* wrong on purpose: why, and what finds it. It runs only if it is named. NULL: it is right */
  xb_clock clock;
  xb_queue queue;
} xb_variant;

static inline bool xb_has_kernel(const xb_variant *v)
{
  return v->source == KERNEL || v->source == SAME_KERNEL;
}

/* A parameter that a benchmark is swept over, besides the size. Its value is part of a cell. */
typedef struct xb_axis {
  const char *name;   /* "offset" */
  const char *values; /* all that it is swept over, in the syntax of --at: "0..32" */
  uint32_t base;      /* the value where the model predicts 1 */
  const char *title;  /* for example "elements by which reads and writes are shifted" */
  const char *few;    /* those of a run without --at, the base among them: its cells take some 10 s; NULL: `values` */
  bool closed;        /* no other value than those in `values` means anything */
} xb_axis;

/* What one cell measures: this variant, this many elements, groups of this size. */
typedef struct xb_case {
  const xb_variant *variant;
  xb_dtype dtype;
  uint64_t n;
  uint64_t rows, columns; /* of a matrix of n elements; 1 and n if the benchmark uses no matrix */
  uint64_t inner;         /* of a product: rows x inner times inner x columns; 0 if it is none */
  uint64_t first; /* a part of something larger: elements before it, in the inputs that are split or that slide */
  uint32_t block;
  uint32_t at[XB_MAX_AXES]; /* one value for each axis of the benchmark */
  uint64_t seed;
  uint32_t repeats;             /* of the work inside the kernel; 0 counts as 1 */
  uint32_t idle_shared;         /* bytes of unused shared memory that each group reserves */
  uint64_t window_bytes;        /* largest range of one binding */
  const xb_device_info *device; /* for the size of the grid */
  const struct xb_case
      *form; /* a part of a device works: the case of all of it, whose form the kernel takes; or NULL */
} xb_case;

/* ---- Facts about a cell besides its time ------------------------------------------------------------------------ */

/* The prediction of a model for a case. */
typedef struct xb_model {
  const char *name, *unit; /* "segments", "32-byte segments a wave" */
  double value;
  double relative; /* the first metric, divided by its value where all axes are at their base */
} xb_model;

/* What the host and the device tell of a run of lists, on one clock. All times are of the shortest sample, but `ns` and
 * `alone_ns`. */
typedef struct xb_span {
  double ns;                 /* first submit to last completion: the median of all samples */
  double shortest_ns;        /* the same of the shortest sample */
  double issued_ns;          /* until the last submit returned */
  double *begin_ns, *end_ns; /* of each list, since the first submit */
  double *alone_ns;          /* of each list when it runs alone: the shortest of several runs */
  double deviation_ns;       /* of the device's times from the host's clock */
  double read_ns;            /* host time to read the timestamps of a list */
  double calibrate_ns;       /* host time of xb_device_calibrate */
} xb_span;

/* The default size on a device that tells its last-level cache, which is to have no effect on the time: `n` elements
 * (of a matrix: rows and columns), doubled until `bytes` for each element are more than twice the cache, or as much. */
typedef struct xb_growth {
  uint64_t n;
  uint32_t bytes;
  bool twice_is_enough;
} xb_growth;

/* An amount of a run in units; over the time in ns it is a metric in 10^9 units a second. (plan.c) */
typedef double xb_amount_fn(const xb_case *c, const xb_plan *plan);
xb_amount_fn xb_elements_of_run, xb_bytes_of_run, xb_flops_of_run, xb_work_of_run, xb_chain_of_run; /* case; plan */
enum { XB_MAX_RATES = 2 };
typedef struct xb_rate {
  const char *name, *unit;
  xb_amount_fn *amount;
} xb_rate;
/* The metrics of a run, by the benchmark's methods; returns their number. */
size_t xb_metrics_of_run(const xb_case *c, const xb_plan *plan, double ns, xb_metric metrics[XB_MAX_METRICS]);

/* Defines of(): the parameters of a case's variant, of the benchmark's own type. In place of family.h's. */
#define XB_DEFINE_OF                                                                                                   \
  static const parameters *of(const xb_case *c)                                                                        \
  {                                                                                                                    \
    return c->variant->parameters;                                                                                     \
  }

/* Part of an output. */
typedef struct xb_chunk {
  uint32_t slot;
  uint64_t first, count; /* elements */
  const void *data;
  uint32_t poison; /* what a word has that was never written: XB_POISON or XB_OTHER_POISON */
  const xb_plan *plan;
  const void *state; /* xb_methods.reference; NULL: none */
} xb_chunk;

/* Writes why an output is wrong, as printf does, and returns false: `return xb_wrong(why, ...);` (input.c) */
bool xb_wrong(char why[XB_WHY_BYTES], const char *format, ...) __attribute__((format(printf, 2, 3)));

enum { XB_MOST_EXPECTED = 4096 };
/* Writes the words [first, first + count) that an output must have: XB_MOST_EXPECTED at most. */
typedef void xb_expect_fn(const void *user, uint64_t first, uint64_t count, uint32_t *expected);

/* Sets code, code_bytes and entry of `desc` to the embedded code for the device of the case. `entry` stays valid until
 * the next call on this thread. XB_UNSUPPORTED if the code was not compiled; the message names it. (code.c) */
xb_code xb_find_embedded(const xb_case *c, const xb_plan_kernel *kernel, xb_kernel_desc *desc, xb_error *err);
/* Creates the kernel, for calls of the host. */
xb_code xb_create_embedded(const xb_case *c, const xb_plan_kernel *kernel, xb_device *device, xb_kernel **created,
                           xb_error *err);
/* If the code that was found has several entry points, the one for this element type and group size that begins with
 * `prefix` instead of the benchmark's name. False if it has only one. */
bool xb_choose_entry(const xb_case *c, const char *prefix, xb_kernel_desc *desc);

/* The same case with all axes at their base. (plan.c) */
xb_case xb_at_base(const xb_case *c);
/* For xb_methods.checks_itself of a benchmark all of whose cases do. (plan.c) */
bool xb_always(const xb_case *c);

/* What checks compute once and use again: `bytes` bytes, made for a case by `make` from zeros. The last `most` values
 * of a maker are kept; equal keys are the same value. NULL: `make` returned false, or out of host memory. For one
 * thread at a time; xb_benchmarks_close frees them. (input.c) */
typedef bool xb_make_fn(const xb_case *c, void *value);
typedef struct xb_key {
  uint64_t words[6];
} xb_key;
#define XB_KEY(...) ((xb_key){{__VA_ARGS__}})
void *xb_cached(const xb_case *c, xb_make_fn *make, size_t bytes, uint32_t most, xb_key key);
void xb_cached_free(void);

/* ---- The benchmark ---------------------------------------------------------------------------------------------- */

typedef struct xb_methods {
  /* Before the plan: returns XB_UNSUPPORTED for what the benchmark or the device does not take. NULL: it takes all. */
  xb_code (*refuse)(const xb_case *c, xb_error *err);
  xb_code (*plan)(const xb_case *c, xb_plan *plan, xb_error *err);
  /* LIBRARY only: finds the library, prepares its handles, and adds to the plan what only the library knows, such as
   * the size of its scratch memory. The device of the cell is current; native->commands is NULL. */
  xb_code (*prepare)(const xb_case *c, const xb_native *native, xb_plan *plan, xb_error *err);
  const struct xb_cub *cub; /* of xb_cub_prepare (library.h) */
  const char *cublas;       /* of xb_cublas_prepare: the function in libxb_peers.so that calls it */
  /* Adds to the first mistake in an output how much of all of it is wrong. NULL: the check ends with the first part
   * that is wrong. */
  void (*explain)(const xb_case *c, uint32_t slot, char why[XB_WHY_BYTES]);
  /* For the check: reads the first input in order, in chunks, into a state of `state_bytes` bytes, zeroed at first.
   * NULL if the check needs no state. */
  size_t state_bytes;
  void (*reference)(void *state, xb_dtype dtype, const void *chunk, uint64_t count);
  /* Checks a part of an output. Returns false, with one line in `why`, if it is wrong. NULL: nothing to check. */
  bool (*check)(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES]);
  /* Or writes the words [first, first + count) that an output must have: XB_MOST_EXPECTED at most. A message names one
   * by `word`, "element", and its number; or by what `name` writes. */
  void (*expect)(const xb_case *c, uint64_t first, uint64_t count, uint32_t *expected);
  const char *word;
  void (*name)(const xb_case *c, const xb_chunk *chunk, uint64_t element, char name[XB_NAME_BYTES]);
  /* Adds to `seen`, which begins with zeros, what the metrics tell of outputs besides that they are right: an error, a
   * count. Called for each part of the first outputs that were checked; NULL: nothing. */
  void (*observe)(const xb_case *c, const xb_chunk *chunk, double seen[XB_MAX_SEEN]);
  /* Asked at the end, when all cells of a group were checked, if each check of this one passed. XB_INTERNAL: its
   * results are wrong all the same; another code: they do not count. NULL: they count. */
  xb_code (*confirm)(const xb_case *c, xb_error *err);
  /* What a reader of the results must know of how they were checked, after the checks; valid until the next call.
   * NULL: nothing. */
  const char *(*remark)(const xb_case *c);
  const char *inputs; /* what the user's inputs contain; NULL: the benchmark's own */
  /* True if the calls of a case check what they made, which has no slot, and fail if it is wrong. NULL: they do not. */
  bool (*checks_itself)(const xb_case *c);
  bool same_inputs; /* inputs of another seed cannot be checked */
  bool unverified;  /* the check does not know what is right: results are not called verified */
  /* Kernels that may tell runs apart, or read what nobody wrote: each timed run begins with the contents of a checked
   * one (xb_cell.samples.restore_ns), and rechecks begin with other poison, between other guards. */
  bool untrusted;
  /* Metrics that are an amount over the time, the main one first; the list ends with one without a name. None, and none
   * of the next two: the bandwidth, if the plan has bytes. */
  xb_rate rates[XB_MAX_RATES + 1];
  /* Behind them, those that are the time in ns over an amount. */
  xb_rate times[XB_MAX_RATES + 1];
  /* Metrics behind those of a run that took `ns`, or all of them; returns their number. */
  size_t (*metrics)(const xb_case *c, const xb_plan *plan, double ns, xb_metric metrics[XB_MAX_METRICS]);
  /* The same of a plan with lists. */
  size_t (*span_metrics)(const xb_case *c, const xb_plan *plan, const xb_span *span, xb_metric metrics[XB_MAX_METRICS]);
  /* NULL, or a model without a name: no model. Not called for a case that the plan refuses. */
  xb_model (*predict)(const xb_case *c);
  xb_growth grows; /* zeros: it does not */
  /* Threads of a group, which the code of the device's API sets. NULL: --group-size, or the default of the table. */
  uint32_t (*block)(const xb_variant *v, const xb_device_info *device);
  /* Finds the code of one of the plan's kernels; NULL: xb_find_embedded. */
  xb_code (*find_code)(const xb_case *c, const xb_plan_kernel *kernel, xb_kernel_desc *desc, xb_error *err);
  /* Of the source of the case's kernels; NULL: the variant has a source of the build. */
  uint64_t (*source_hash)(const xb_case *c);
  /* Closes what the benchmark keeps from cell to cell, such as another device; NULL: nothing. */
  void (*close)(void);
} xb_methods;

/* Defines them in the .c file of a benchmark: XB_METHODS(.plan = copy_plan, .expect = expect). */
#define XB_METHODS(...) static const xb_methods methods = {__VA_ARGS__};

/* Checks a part of an output by either of the two. True if there is none. (input.c) */
bool xb_has_check(const xb_methods *methods);
bool xb_check(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES]);

/* One row XB_BENCHMARK of a table. */
struct xb_benchmark {
  const char *name, *title;
  const char *dtypes; /* separated by spaces: "float32 int32" */
  const char *blocks; /* group sizes that are compiled: "64 128" */
  uint32_t default_block;
  uint64_t default_n; /* for a matrix: the number of its rows, and of its columns */
  bool matrix;        /* works on a matrix of rows x columns */
  bool product;       /* multiplies matrices, rows x inner by inner x columns; a matrix, too */
  uint64_t inner;     /* of a product, if it is fixed; 0: sizes name it */
  bool bandwidth;     /* compared with the upper limits */
  bool multiply_adds; /* its speed is compared with the peak of float32 */
  bool per_clock;     /* its speed is also shown for each clock and multiprocessor */
  bool ladder;        /* each variant improves on the one before */
  bool all_queues;    /* the device is opened with all of its queues */
  const xb_variant *variants;
  size_t variant_count;
  const char *const *parts; /* kernels that are no variants, by their source's name; ends with NULL; may be NULL */
  const xb_axis *axes;
  size_t axis_count;
  const xb_quoted *quoted;
  size_t quoted_count;
  const xb_methods *methods;
};

#endif
