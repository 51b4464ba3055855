/* What a benchmark is: a folder beside this file with a table of rows (variants.def), the arguments of its kernels and
 * one .c with its plan, its check and, where it has them, its own inputs, metrics and model. Nothing outside the folder
 * names it. One that is made at run time is the same struct, and is added to the table with xb_benchmark_add. */
#ifndef XB_BENCHMARK_H
#define XB_BENCHMARK_H

#include "result/metric.h"
#include "xb/gpu.h"

typedef enum xb_dtype { XB_FLOAT32, XB_INT32, XB_DTYPES } xb_dtype;
const char *xb_dtype_name(xb_dtype dtype);
uint32_t xb_dtype_bytes(xb_dtype dtype);

typedef struct xb_benchmark xb_benchmark;

/* ---- Variants --------------------------------------------------------------------------------------------------- */

/* Where a variant's work comes from. */
typedef enum xb_source {
  NO_KERNEL,   /* the API's own commands */
  KERNEL,      /* shaders/<benchmark>/<number>_<name>.hlsl and its twin in kernels/ */
  SAME_KERNEL, /* the kernel of the nearest row above that has one */
  LIBRARY,     /* a vendor's library: <name>.cu in the benchmark's folder */
} xb_source;

/* What a sample is. */
typedef enum xb_clock {
  XB_CLOCK_DEVICE, /* device time of one run, by timestamps around a batch of them */
  XB_CLOCK_SUBMIT, /* host time: submit to complete of one run */
  XB_CLOCK_FIRST,  /* the same, of the first run after the kernel was created */
  XB_CLOCK_CREATE, /* host time: the API's own calls that create the kernel */
} xb_clock;

/* How an API says what the others say. */
typedef enum xb_likeness {
  XB_ALIKE,
  XB_NEAREST, /* in another way: shown, and never part of a ratio */
  XB_NONE,    /* not at all: the cell's outcome is 'no counterpart' */
} xb_likeness;

typedef struct xb_counterpart {
  const char *api; /* a backend's name; "*": every other one */
  xb_likeness likeness;
  const char *why; /* one sentence */
} xb_counterpart;

/* From n elements on, groups of so many threads, where the device takes that many; ends with 0. */
typedef struct xb_block_from {
  uint64_t n;
  uint32_t block;
} xb_block_from;

enum { XB_BLOCK_STEPS = 4, XB_MAX_COUNTERPARTS = 4, XB_MAX_AXES = 4, XB_MAX_METRICS = 8, XB_WHY_BYTES = 256 };

typedef struct xb_variant {
  const xb_benchmark *benchmark;
  uint32_t number;
  const char *name;
  xb_source source;
  const char *title;
  const void *parameters;                           /* of a type that the benchmark alone knows; may be NULL */
  xb_counterpart counterparts[XB_MAX_COUNTERPARTS]; /* the first that fits; none: alike */
  xb_block_from blocks[XB_BLOCK_STEPS]; /* its own default group sizes by elements; none = the benchmark's */
  bool overlap;                         /* no barrier between the runs of a batch */
  bool ceiling;                         /* other benchmarks are held against it */
  bool floor;                           /* what a dispatch costs at least */
  bool repeats;                         /* the kernel does its work args.repeats times */
  bool fresh; /* each kernel that is created has code that no driver has seen (measure/fresh.h) */
  xb_clock clock;
  xb_queue queue;
} xb_variant;

static inline bool xb_has_kernel(const xb_variant *v)
{
  return v->source == KERNEL || v->source == SAME_KERNEL;
}

/* What a benchmark is swept over besides sizes: part of what a cell is. */
typedef struct xb_axis {
  const char *name;   /* "offset" */
  const char *values; /* by default, as --at takes them: "0..32" */
  uint32_t base;      /* where the model predicts 1 */
  const char *title;  /* "elements that reads and writes are moved by" */
} xb_axis;

/* One cell's question: this variant, on so many elements, in groups of this size. */
typedef struct xb_case {
  const xb_variant *variant;
  xb_dtype dtype;
  uint64_t n;
  uint64_t rows, columns; /* of a matrix of n elements; 1 and n where the benchmark takes none */
  uint32_t block;
  uint32_t at[XB_MAX_AXES]; /* by axis of the benchmark */
  uint64_t seed;
  uint32_t repeats;             /* of the work inside the kernel; 0 counts as 1 */
  uint64_t window_bytes;        /* largest range that one binding may see */
  const xb_device_info *device; /* sizes the grid */
} xb_case;

/* ---- The plan --------------------------------------------------------------------------------------------------- */

typedef enum xb_role {
  XB_ROLE_INPUT,       /* shared by the cells of a workload */
  XB_ROLE_OUTPUT,      /* poisoned before, checked after */
  XB_ROLE_SCRATCH,     /* poisoned before */
  XB_ROLE_COUNTER,     /* zeroed once, when it is made; the kernels leave it at zero */
  XB_ROLE_HOST_INPUT,  /* pinned host memory with the input */
  XB_ROLE_HOST_OUTPUT, /* pinned host memory; poisoned before, checked after */
} xb_role;

/* What an output holds before a run, and must still hold where nothing was to be written: a NaN as a float. */
enum { XB_POISON = 0x7FC0BEEF };

/* Elements [first, first + count) of an input: of the seed and the index alone, so that any part of it can be made, or
 * made again, anywhere. */
typedef void xb_generate_fn(xb_dtype dtype, uint64_t seed, uint64_t first, uint64_t count, void *out);

typedef struct xb_slot {
  const char *name;
  xb_role role;
  uint64_t bytes;
  uint64_t zero_bytes;      /* COUNTER: how many at its start are zeroed; the rest is poisoned */
  uint32_t element_bytes;   /* 0: those of the case's type */
  xb_generate_fn *generate; /* inputs; NULL: xb_input */
} xb_slot;

static inline uint32_t xb_slot_element_bytes(const xb_slot *slot, xb_dtype dtype)
{
  return slot->element_bytes ? slot->element_bytes : xb_dtype_bytes(dtype);
}

typedef struct xb_plan_binding {
  uint32_t slot;
  uint64_t offset, size; /* bytes */
  xb_access access;
} xb_plan_binding;

typedef enum xb_step_kind {
  XB_STEP_DISPATCH,
  XB_STEP_COPY, /* bindings: destination, source */
  XB_STEP_FILL, /* bindings: destination; args[0]: the word */
  XB_STEP_BARRIER,
  XB_STEP_LIBRARY,
} xb_step_kind;

/* What a vendor's library is given: device addresses and sizes by binding. */
typedef struct xb_library_call {
  uint64_t address[XB_MAX_BINDINGS], size[XB_MAX_BINDINGS];
  uint64_t n, rows, columns;
  xb_dtype dtype;
} xb_library_call;
typedef xb_code xb_library_fn(const xb_native *native, const xb_library_call *call, xb_error *err);

typedef struct xb_step {
  xb_step_kind kind;
  uint32_t kernel; /* of a dispatch: as xb_plan_kernel counted */
  xb_library_fn *library;
  xb_plan_binding bindings[XB_MAX_BINDINGS];
  uint32_t binding_count;
  bool overfull; /* it was given more bindings or arguments than it holds; xb_plan_make then fails */
  uint32_t args[XB_MAX_ARG_BYTES / 4];
  uint32_t groups[3];
} xb_step;

typedef struct xb_plan_kernel {
  const char *name; /* of the source, without folder: "9_single_pass"; NULL: the variant's own */
  uint32_t binding_count, arg_bytes;
} xb_plan_kernel;

/* More steps than this are refused: a list of commands has its limits, too. */
enum { XB_MOST_STEPS = 65536 };
/* Loop turns of a thread: lavapipe ends them there, in silence. */
enum { XB_MOST_ITERATIONS = 65535 };
static inline uint64_t xb_ceil_div(uint64_t a, uint64_t b)
{
  return (a + b - 1) / b;
}

/* Starts zeroed; whoever had it made frees it with xb_plan_free. */
typedef struct xb_plan {
  xb_slot *slots;
  uint32_t slot_count;
  xb_step *steps;
  uint32_t step_count;
  xb_plan_kernel *kernels;
  uint32_t kernel_count;
  size_t slot_capacity, step_capacity, kernel_capacity;
  uint32_t windows; /* that the input was cut into */
  uint64_t bytes;   /* that the algorithm needs to move: read plus written */
  uint64_t flops;
  uint64_t depth;      /* additions between an element and the result, at most */
  uint64_t iterations; /* loop turns of one thread, at most */
  xb_code code;        /* XB_OK while there was room for all of it; loops over steps end where it is not */
  xb_step spare;       /* what a step is that there was no room for */
} xb_plan;

/* The slot numbers, and those of kernels, count up from 0. */
uint32_t xb_plan_slot(xb_plan *plan, xb_slot slot);
uint32_t xb_plan_kernel_of(xb_plan *plan, xb_plan_kernel kernel);
/* Never NULL. Valid until the next step. */
xb_step *xb_plan_step(xb_plan *plan, xb_step_kind kind);
void xb_step_bind(xb_step *step, uint32_t slot, uint64_t offset, uint64_t size, xb_access access);
/* `bytes` at most XB_MAX_ARG_BYTES, and XB_MAX_BINDINGS bindings a step: else xb_plan_make gives XB_INVALID. */
void xb_step_args(xb_step *step, const void *args, size_t bytes);
/* The same bytes twice, as vectors of 16 bytes and as words: first the whole vectors; of a range shorter than one all
 * of it, as a binding has to see something. */
void xb_step_bind_vectors(xb_step *step, uint32_t slot, uint64_t offset, uint64_t size, xb_access access);
/* Folds `groups` into x and y where the device takes fewer in x. */
void xb_fold_groups(const xb_device_info *device, uint64_t groups, uint32_t folded[3]);
/* Makes the plan of a case. It is pure: made from the case alone, as often as one likes. On failure it is empty. */
xb_code xb_plan_make(const xb_case *c, xb_plan *plan, xb_error *err);
void xb_plan_free(xb_plan *plan);

/* ---- What is known of a cell besides its time ------------------------------------------------------------------- */

/* What theory says of a case. */
typedef struct xb_model {
  const char *name, *unit; /* "segments", "32-byte segments a wave" */
  double value;
  double relative; /* the first metric, over what it is where all axes are at their base */
} xb_model;

/* Part of an output. */
typedef struct xb_chunk {
  uint32_t slot;
  uint64_t first, count; /* elements */
  const void *data;
} xb_chunk;

/* ---- The benchmark ---------------------------------------------------------------------------------------------- */

typedef struct xb_methods {
  xb_code (*plan)(const xb_case *c, xb_plan *plan, xb_error *err);
  /* Of a LIBRARY: finds it, makes its handles ready, and sets in the plan what the library alone knows, such as the
   * size of its scratch memory. The cell's device is current: native->device, no list. */
  xb_code (*prepare)(const xb_case *c, const xb_native *native, xb_plan *plan, xb_error *err);
  /* State of `state_bytes` bytes, zeroed at first, that takes the first input in order, in chunks, for the check. NULL
   * where the check needs none. */
  size_t state_bytes;
  void (*reference)(void *state, xb_dtype dtype, const void *chunk, uint64_t count);
  /* Looks at a part of an output; false with one line in `why`. NULL: there is nothing to check. */
  bool (*check)(const xb_case *c, const xb_plan *plan, const void *state, const xb_chunk *chunk,
                char why[XB_WHY_BYTES]);
  /* Of a run that took `ns`; the first one is the one that counts. Returns how many. NULL: bandwidth, where the plan
   * has bytes. */
  size_t (*metrics)(const xb_case *c, const xb_plan *plan, double ns, xb_metric metrics[XB_MAX_METRICS]);
  /* NULL: there is no model. Not called for a case that the plan refuses. */
  xb_model (*predict)(const xb_case *c);
  /* Elements below which the last-level cache of so many bytes would take part where it is not to; NULL: default_n. */
  uint64_t (*least_n)(uint64_t cache_bytes);
  /* Code of a kernel of the plan; NULL: what the build embedded under the variant's name. */
  xb_code (*find_code)(const xb_case *c, const xb_plan_kernel *kernel, xb_kernel_desc *desc, xb_error *err);
} xb_methods;

/* One row XB_BENCHMARK of a table. */
struct xb_benchmark {
  const char *name, *title;
  const char *dtypes; /* words apart: "float32 int32" */
  const char *blocks; /* group sizes that there is code for: "64 128" */
  uint32_t default_block;
  uint64_t default_n; /* of a matrix: its rows, and its columns */
  bool matrix;        /* takes rows x columns */
  bool bandwidth;     /* held against the ceilings */
  bool ladder;        /* each variant is a step up from the one before */
  const xb_variant *variants;
  size_t variant_count;
  const xb_axis *axes;
  size_t axis_count;
  const xb_quoted *quoted;
  size_t quoted_count;
  const xb_methods *methods;
};

#endif
