/* What a benchmark is: input, reference, tolerance, and the plan, which is the list of dispatches and barriers that
 * every backend runs alike. A variant is one row of variants.def; a benchmark is one .c file beside it. */
#ifndef XB_BENCHMARK_H
#define XB_BENCHMARK_H

#include "xb/gpu.h"

typedef enum xb_dtype { XB_FLOAT32, XB_INT32, XB_DTYPES } xb_dtype;
const char *xb_dtype_name(xb_dtype dtype);
enum { XB_ELEMENT_BYTES = 4 }; /* of every dtype so far */

/* Where a variant's work comes from. */
typedef enum xb_source {
  NO_KERNEL,   /* the API's own commands */
  KERNEL,      /* shaders/<benchmark>/<number>_<name>.hlsl and its twin in kernels/ */
  SAME_KERNEL, /* the kernel of the nearest row above that has one */
  CUDA_PEER,   /* a vendor's library, on CUDA only (bench/peers) */
} xb_source;

/* What a sample is. */
typedef enum xb_clock {
  XB_CLOCK_DEVICE, /* device time of one run, by timestamps around a batch of them */
  XB_CLOCK_SUBMIT, /* host time: submit to complete of one run */
  XB_CLOCK_FIRST,  /* the same, of the first run after the kernel was created */
  XB_CLOCK_CREATE, /* host time: creating the kernel */
} xb_clock;

/* From n elements on, groups of so many threads, where the device takes that many; ends with 0. */
typedef struct xb_block_from {
  uint64_t n;
  uint32_t block;
} xb_block_from;

enum { XB_BLOCK_STEPS = 4 };

typedef struct xb_variant {
  const char *benchmark;
  uint32_t number;
  const char *name;
  xb_source source;
  const char *title;
  const char *one_api; /* why it exists on one API only; NULL where it does on all */
  /* Parameters, as far as the benchmark asks for them. */
  xb_block_from blocks[XB_BLOCK_STEPS]; /* its own default group sizes by elements; none = the benchmark's */
  uint32_t elements;                    /* a thread reads at a time */
  bool loops;                           /* a thread comes back for more: the grid is sized to the device */
  bool waves;                           /* a group's sum is one sum a wave, then the waves one after the other */
  bool single_pass;                     /* finished by the last group, no further dispatch */
  bool overlap;                         /* no barrier between the runs of a batch */
  bool ceiling;                         /* other benchmarks are held against it */
  bool floor;                           /* what a dispatch costs at least */
  bool repeats;                         /* the kernel does its work args.repeats times */
  xb_clock clock;
  xb_queue queue;
  enum { XB_DEVICE_TO_DEVICE, XB_HOST_TO_DEVICE, XB_DEVICE_TO_HOST, XB_BOTH_WAYS } way; /* of a copy */
} xb_variant;

static inline bool xb_has_kernel(const xb_variant *v)
{
  return v->source == KERNEL || v->source == SAME_KERNEL;
}

/* One cell's question: this variant, on so many elements, in groups of this size. */
typedef struct xb_case {
  const xb_variant *variant;
  xb_dtype dtype;
  uint64_t n;
  uint64_t rows, columns; /* of a matrix of n elements; 1 and n where the benchmark takes none */
  uint32_t block;
  uint64_t seed;
  uint32_t repeats;             /* of the work inside the kernel; 0 counts as 1 */
  uint64_t window_bytes;        /* largest range that one binding may see */
  const xb_device_info *device; /* sizes the grid */
} xb_case;

/* ---- The plan --------------------------------------------------------------------------------------------------- */

typedef enum xb_role {
  XB_ROLE_INPUT,       /* n elements of the generator, shared by the cells of a workload */
  XB_ROLE_OUTPUT,      /* poisoned before, checked after */
  XB_ROLE_SCRATCH,     /* poisoned before */
  XB_ROLE_COUNTER,     /* zeroed once, when it is made; the kernels leave it at zero */
  XB_ROLE_HOST_INPUT,  /* pinned host memory with the input */
  XB_ROLE_HOST_OUTPUT, /* pinned host memory; poisoned before, checked after */
} xb_role;

typedef struct xb_slot {
  const char *name;
  xb_role role;
  uint64_t bytes;
  uint64_t zero_bytes; /* COUNTER: how many at its start are zeroed; the rest is poisoned */
} xb_slot;

typedef struct xb_plan_binding {
  uint32_t slot;
  uint64_t offset, size; /* bytes */
  xb_access access;
} xb_plan_binding;

typedef enum xb_step_kind { XB_STEP_DISPATCH, XB_STEP_COPY, XB_STEP_BARRIER, XB_STEP_PEER } xb_step_kind;

/* What a vendor's library is given: device addresses and sizes by binding. */
typedef struct xb_peer_call {
  uint64_t address[XB_MAX_BINDINGS], size[XB_MAX_BINDINGS];
  uint64_t n, rows, columns;
  xb_dtype dtype;
} xb_peer_call;
typedef xb_code xb_peer_fn(const xb_native *native, const xb_peer_call *call, xb_error *err);

typedef struct xb_step {
  xb_step_kind kind;
  xb_peer_fn *peer;
  xb_plan_binding bindings[XB_MAX_BINDINGS]; /* COPY: destination, source */
  uint32_t binding_count;
  uint32_t args[XB_MAX_ARG_BYTES / 4];
  uint32_t groups[3];
} xb_step;

enum { XB_MAX_SLOTS = 4, XB_MAX_STEPS = 256 };

typedef struct xb_plan {
  xb_slot slots[XB_MAX_SLOTS];
  uint32_t slot_count;
  xb_step steps[XB_MAX_STEPS];
  uint32_t step_count;
  uint32_t binding_count, arg_bytes; /* of the kernel */
  uint32_t windows;                  /* that the input was cut into */
  uint64_t bytes;                    /* that the algorithm needs to move: read plus written */
  uint64_t flops;
  uint64_t depth;      /* additions between an element and the result, at most */
  uint64_t iterations; /* loop turns of one thread, at most */
} xb_plan;

/* The slot numbers count up from 0. */
uint32_t xb_plan_slot(xb_plan *plan, xb_slot slot);
/* NULL when XB_MAX_STEPS is not enough. */
xb_step *xb_plan_step(xb_plan *plan, xb_step_kind kind);
/* Folds `groups` into x and y where the device takes fewer in x. */
void xb_fold_groups(const xb_device_info *device, uint64_t groups, uint32_t folded[3]);

/* ---- The benchmark ---------------------------------------------------------------------------------------------- */

/* What one pass over the input leaves behind for the check. The sums are kept in lanes, which the compiler can put side
 * by side; lane l takes the elements l, l + XB_LANES, ... of each chunk. */
enum { XB_LANES = 8 };
typedef struct xb_reference {
  uint32_t wrapped;                             /* sum modulo 2^32 */
  double sum[XB_LANES], compensation[XB_LANES]; /* the exact sum is near sum + compensation */
  double sum_squares[XB_LANES];
} xb_reference;

typedef struct xb_benchmark {
  const char *name;
  uint64_t default_n; /* of a matrix: its rows, and its columns */
  bool matrix;        /* takes rows x columns */
  bool bandwidth;     /* held against the ceilings */
  bool ladder;        /* each variant is a step up from the one before */
  xb_code (*plan)(const xb_case *c, xb_plan *plan, xb_error *err);
  /* Takes the input in order, in chunks. NULL where the check needs none. */
  void (*reference)(xb_reference *reference, xb_dtype dtype, const void *chunk, uint64_t count);
  /* Looks at `count` elements of the output from element `first` on; false with one line in `why`. */
  bool (*check)(const xb_case *c, const xb_plan *plan, const xb_reference *reference, uint64_t first, uint64_t count,
                const void *chunk, char *why, size_t why_bytes);
} xb_benchmark;

extern const xb_benchmark xb_reduce, xb_transpose, xb_copy, xb_launch;

#endif
