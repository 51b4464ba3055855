/* A benchmark is a folder beside this file. It has a table of rows (variants.def), the arguments of its kernels, and
 * one .c file with its plan and its check; inputs, metrics and a model of its own are optional. No file outside the
 * folder names it. A benchmark made at run time uses the same struct; xb_benchmark_add adds it to the table. */
#ifndef XB_BENCHMARK_H
#define XB_BENCHMARK_H

#include "result/result.h"
#include "xb/gpu.h"

/* The kernels of the build exist for the first XB_DTYPES types; a benchmark made at run time may have any. */
typedef enum xb_dtype {
  XB_FLOAT32,
  XB_INT32,
  XB_DTYPES,
  XB_FLOAT16 = XB_DTYPES,
  XB_FLOAT64,
  XB_INT8,
  XB_INT16,
  XB_INT64,
  XB_UINT8,
  XB_UINT16,
  XB_UINT32,
  XB_UINT64,
  XB_ALL_DTYPES
} xb_dtype;
const char *xb_dtype_name(xb_dtype dtype);
uint32_t xb_dtype_bytes(xb_dtype dtype);

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
  XB_NEAREST, /* differently: results are shown, but are never part of a ratio */
  XB_NONE,    /* not at all: the cell's outcome is 'no_counterpart' */
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
  XB_MAX_SEEN = 4,
  XB_WHY_BYTES = 384
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
  uint32_t full_waves; /* its kernels need waves whose lanes all exist, of at most so many; 0: any waves */
  bool overlap;        /* no barrier between the runs of a batch */
  bool ceiling;        /* an upper limit that other benchmarks are compared with */
  bool floor;          /* the minimum cost of a dispatch */
  bool may_refuse;     /* the plan refuses some devices or sizes; without this, tests need all of them */
  bool repeats;        /* the kernel does its work args.repeats times */
  bool fresh;          /* each created kernel has code that the driver has not seen before (measure/fresh.h) */
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
  const char *title;  /* for example "elements that reads and writes are moved by" */
  const char *few;    /* those of a run without --at, the base among them: its cells take some 10 s; NULL: `values` */
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
  uint32_t idle_shared;         /* bytes of shared memory that each group takes and does not use */
  uint64_t window_bytes;        /* largest range of one binding */
  const xb_device_info *device; /* for the size of the grid */
  const struct xb_case
      *form; /* a part of a device works: the case of all of it, whose form the kernel takes; or NULL */
} xb_case;

/* ---- The plan --------------------------------------------------------------------------------------------------- */

typedef enum xb_role {
  XB_ROLE_INPUT,       /* shared by all cells of a workload */
  XB_ROLE_OUTPUT,      /* poisoned before a run, checked after */
  XB_ROLE_INOUT,       /* gets an input's contents before a run that is checked; timed runs follow each other on it */
  XB_ROLE_SCRATCH,     /* poisoned before a run */
  XB_ROLE_COUNTER,     /* zeroed once, when it is created; the kernels must reset it to zero */
  XB_ROLE_HOST_INPUT,  /* pinned host memory with the input */
  XB_ROLE_HOST_OUTPUT, /* pinned host memory; poisoned before a run, checked after */
} xb_role;

/* The content of an output before a run. Words that a run must not write keep it. As a float it is a NaN; the other
 * one, of some checks of untrusted kernels, is none. No byte of them is equal. */
enum { XB_POISON = 0x7FC0BEEF, XB_OTHER_POISON = 0x3DA5C3E1 };

/* Writes elements [first, first + count) of an input. They depend on the seed and the index only, so any part can be
 * generated, again and anywhere. */
typedef void xb_generate_fn(xb_dtype dtype, uint64_t seed, uint64_t first, uint64_t count, void *out);

/* A generator with data of its own. Two that are equal make the same input. */
typedef struct xb_generator {
  void (*generate)(const void *user, uint64_t seed, uint64_t first, uint64_t count, void *out);
  const void *user; /* NULL: `generate` gets the address of `number` */
  uint64_t number;
} xb_generator;

typedef struct xb_slot {
  const char *name;
  xb_role role;
  uint64_t bytes;
  uint64_t zero_bytes;      /* COUNTER: bytes at its start that are zeroed; the rest is poisoned */
  uint32_t element_bytes;   /* 0: the size of the case's type */
  xb_generate_fn *generate; /* inputs; NULL: xb_input */
  xb_generator generator;   /* used instead, if it has a function */
  xb_mem memory;            /* another kind than the role's; XB_MEM_DEVICE: the role's */
  xb_image_desc image;      /* if it has a format: kernels use an image, which has the slot's contents */
  bool split;               /* an input that several devices share out: its elements begin with element xb_case.first */
  bool
      slides; /* of an untrusted kernel: any part of the endless input will do, and runs read several (xb_case.first) */
  bool fixed; /* an input that is the same for each seed */
  bool sparse;   /* an output of which runs leave elements out: it is poisoned before each run that is checked */
  bool scratch;  /* INOUT: scratch that begins with contents; what a run leaves in it is not checked */
  bool kept;     /* INOUT: an input that a run must leave as it was; it is checked, and no output */
  uint32_t node; /* of the host's memory: 1 is NUMA node 0; 0: where the system puts it */
  bool unused;   /* SCRATCH: no kernel of this API has it, so nothing restores it */
  bool summed;   /* an output of one element, which for several devices is the sum of theirs */
} xb_slot;

static inline uint32_t xb_slot_element_bytes(const xb_slot *slot, xb_dtype dtype)
{
  return slot->element_bytes ? slot->element_bytes : xb_dtype_bytes(dtype);
}

typedef struct xb_plan_binding {
  uint32_t slot;
  uint64_t offset, size; /* bytes */
  xb_access access;
  bool uniform;    /* a uniform buffer */
  bool exact;      /* the kernel asks for its length, so it must not see the guard behind it */
  xb_texel texels; /* a texel buffer of this format, with so many numbers a texel (0: one) */
  uint32_t channels;
  bool image;   /* the slot's image, through the sampler, */
  bool storage; /* or as a storage image */
  bool alone;   /* nothing but the sampler */
  xb_sample_mode sampler;
} xb_plan_binding;

typedef enum xb_step_kind {
  XB_STEP_DISPATCH,
  XB_STEP_COPY, /* bindings: destination, source */
  XB_STEP_FILL, /* bindings: destination; args[0]: the word */
  XB_STEP_BARRIER,
  XB_STEP_LIBRARY,
  XB_STEP_CALL, /* of a function of the benchmark on the host, when all steps before it have completed; in a plan with
                 * lists, when the lists before it were submitted */
} xb_step_kind;

/* The arguments of a vendor library: device addresses and sizes, by binding. */
typedef struct xb_library_call {
  const xb_case *c;
  uint64_t address[XB_MAX_BINDINGS], size[XB_MAX_BINDINGS];
} xb_library_call;
typedef xb_code xb_library_fn(const xb_native *native, const xb_library_call *call, xb_error *err);

/* What a call is given: the bindings of its step. */
typedef struct xb_call {
  const xb_case *c;
  xb_device *device;
  struct {
    xb_buffer *buffer;
    uint64_t offset, size;
    void *host; /* of the first byte; NULL if the host does not see it */
  } bindings[XB_MAX_BINDINGS];
  double untimed_ns; /* it adds what it spent on preparing and cleaning up */
  bool checks;       /* its results are to be checked: those of runs before and after the samples */
} xb_call;
typedef xb_code xb_call_fn(xb_call *call, xb_error *err);
/* The same of a call that says how much of its time counts, instead of what does not. */
typedef xb_code xb_timed_fn(const xb_call *call, double *ns, xb_error *err);

typedef struct xb_step {
  xb_step_kind kind;
  uint32_t kernel; /* DISPATCH: the number that xb_plan_kernel_of returned */
  xb_library_fn *library;
  xb_call_fn *call;
  xb_timed_fn *timed; /* CALL: instead of `call` */
  xb_plan_binding bindings[XB_MAX_BINDINGS];
  uint32_t binding_count;
  bool overfull; /* it got too many bindings or arguments; xb_plan_make then fails */
  uint32_t args[XB_MAX_ARG_BYTES / 4], arg_bytes;
  uint32_t groups[3];
  uint32_t list; /* set by xb_plan_step: the last list that was added */
} xb_step;

/* Steps that are submitted together, to one queue. A plan without lists is one list, on the queue of the variant. */
typedef struct xb_plan_list {
  const char *name; /* of the stage: "upload" */
  xb_queue queue;
  bool on_host;                 /* its only step is XB_STEP_CALL */
  uint32_t after[XB_MAX_AFTER]; /* earlier lists that complete before this one begins; they are not on the host */
  uint32_t after_count;
} xb_plan_list;

/* A plan that runs only the variant's own kernel need not name it. */
typedef struct xb_plan_kernel {
  const char *name; /* name of the source without its folder: "9_single_pass"; NULL: the variant's own */
  uint32_t binding_count, arg_bytes; /* both 0: as in its first dispatch */
} xb_plan_kernel;

/* A plan with more steps is refused: command lists have limits, too. */
enum { XB_MOST_STEPS = 65536 };
/* Loop iterations of one thread. At this limit lavapipe ends a loop without an error. */
enum { XB_MOST_ITERATIONS = 65535 };
static inline uint64_t xb_ceil_div(uint64_t a, uint64_t b)
{
  return (a + b - 1) / b;
}

/* Zeroed at first. The caller of xb_plan_make frees it with xb_plan_free. */
typedef struct xb_plan {
  xb_slot *slots;
  uint32_t slot_count;
  xb_step *steps;
  uint32_t step_count;
  xb_plan_kernel *kernels;
  uint32_t kernel_count;
  size_t slot_capacity, step_capacity, kernel_capacity;
  uint32_t windows; /* windows that the input was split into; 0: one for each dispatch of the first kernel */
  uint64_t bytes;   /* bytes that the algorithm has to move: read plus written */
  uint64_t flops;
  uint64_t depth;      /* most additions between an element and the result */
  uint64_t iterations; /* most loop iterations of one thread */
  xb_code code;        /* XB_OK, or why a step could not be added; loops that add steps then end */
  xb_step spare;       /* stands in for a step that could not be added */
  xb_plan_list *lists; /* in the order of their submission */
  uint32_t list_count;
  size_t list_capacity;
  bool polls;               /* with lists: the host polls for their end, instead of waiting */
  double seen[XB_MAX_SEEN]; /* what the benchmark observed in the first outputs, for its metrics */
} xb_plan;

/* Both return the number of what they added, counted from 0. */
uint32_t xb_plan_slot(xb_plan *plan, xb_slot slot);
/* Slots with elements of the case's type. */
uint32_t xb_plan_input(xb_plan *plan, const char *name, uint64_t bytes, xb_generate_fn *generate);
uint32_t xb_plan_output(xb_plan *plan, const char *name, uint64_t bytes);
uint32_t xb_plan_kernel_of(xb_plan *plan, xb_plan_kernel kernel);
/* Steps that are added from now on belong to this list. `after` is copied. */
uint32_t xb_plan_list_of(xb_plan *plan, xb_plan_list list);
/* Never NULL. Valid until the next step. */
xb_step *xb_plan_step(xb_plan *plan, xb_step_kind kind);
/* A dispatch of the first kernel, in x and y if the device allows fewer groups in x. */
xb_step *xb_plan_dispatch(const xb_case *c, xb_plan *plan, uint64_t groups);
/* Sets the words of the slot to `word`, before what follows a barrier. */
void xb_plan_fill(xb_plan *plan, uint32_t slot, uint64_t bytes, uint32_t word);
void xb_step_bind(xb_step *step, uint32_t slot, uint64_t offset, uint64_t size, xb_access access);
/* `bytes` is at most XB_MAX_ARG_BYTES, and a step has at most XB_MAX_BINDINGS bindings; otherwise xb_plan_make returns
 * XB_INVALID. */
void xb_step_args(xb_step *step, const void *args, size_t bytes);
/* Binds the same bytes twice: as 16-byte vectors (whole vectors only), then as words. A range shorter than a vector is
 * bound as a whole both times, because a binding must not be empty. */
void xb_step_bind_vectors(xb_step *step, uint32_t slot, uint64_t offset, uint64_t size, xb_access access);
/* Splits `groups` into x and y if the device allows fewer in x. */
void xb_fold_groups(const xb_device_info *device, uint64_t groups, uint32_t folded[3]);
/* Makes the plan of a case. It depends on the case only, so it can be made any number of times. On failure the plan is
 * empty. */
xb_code xb_plan_make(const xb_case *c, xb_plan *plan, xb_error *err);
/* Adds a step for each window of `length` elements; refuses the case if the length is 0, because a binding is too
 * small.
 */
typedef void xb_window_fn(const xb_case *c, xb_plan *plan, uint64_t first, uint64_t count, uint32_t input,
                          uint32_t output);
xb_code xb_plan_windows(const xb_case *c, xb_plan *plan, uint64_t elements, uint64_t length, xb_window_fn *window,
                        uint32_t input, uint32_t output, xb_error *err);
/* XB_UNSUPPORTED, with a message that begins with the benchmark's name. */
#define xb_refuse_case(c, err, ...) xb_fail(err, XB_UNSUPPORTED, (c)->variant->benchmark->name, __VA_ARGS__)
/* Refuses a plan with more iterations than work on every device. */
xb_code xb_check_iterations(const xb_case *c, const xb_plan *plan, xb_error *err);
/* The bytes of a run that need the memory if no cache holds any of them before: at most `bytes`, and of each slot what
 * is bound, once for reading and once for writing. What is read again comes from a cache. */
uint64_t xb_plan_memory_bytes(const xb_plan *plan);
void xb_plan_free(xb_plan *plan);

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

/* Defines of(): the parameters of a case's variant, of the benchmark's own type. */
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

/* For xb_methods.checks_itself of a benchmark all of whose cases do. (plan.c) */
bool xb_always(const xb_case *c);

/* ---- The benchmark ---------------------------------------------------------------------------------------------- */

typedef struct xb_methods {
  /* Before the plan: returns XB_UNSUPPORTED for what the benchmark or the device does not take. NULL: it takes all. */
  xb_code (*refuse)(const xb_case *c, xb_error *err);
  xb_code (*plan)(const xb_case *c, xb_plan *plan, xb_error *err);
  /* LIBRARY only: finds the library, prepares its handles, and adds to the plan what only the library knows, such as
   * the size of its scratch memory. The device of the cell is current; native->commands is NULL. */
  xb_code (*prepare)(const xb_case *c, const xb_native *native, xb_plan *plan, xb_error *err);
  struct xb_cub *cub; /* of xb_cub_prepare and xb_cub_run (library.h) */
  /* Adds to the first mistake in an output how much of all of it is wrong. NULL: the check ends with the first part
   * that is wrong. */
  void (*tell)(const xb_case *c, uint32_t slot, char why[XB_WHY_BYTES]);
  /* For the check: reads the first input in order, in chunks, into a state of `state_bytes` bytes, zeroed at first.
   * NULL if the check needs no state. */
  size_t state_bytes;
  void (*reference)(void *state, xb_dtype dtype, const void *chunk, uint64_t count);
  /* Checks a part of an output. Returns false, with one line in `why`, if it is wrong. NULL: nothing to check. */
  bool (*check)(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES]);
  /* Or the words that all outputs must have; `user` is the case. `word` names one in messages: "element". */
  xb_expect_fn *expect;
  const char *word;
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
  bool same_inputs;    /* inputs of another seed cannot be checked */
  bool proves_nothing; /* the check does not know what is right: results are not called verified */
  /* Kernels that may tell runs apart, or read what nobody wrote: each timed run begins with the contents of a checked
   * one (xb_cell.samples.restore_ns), and rechecks begin with other poison, between other guards. */
  bool untrusted;
  /* Metrics of a run that took `ns`, the main metric first; returns their number. NULL: the bandwidth, if the plan has
   * bytes. */
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
