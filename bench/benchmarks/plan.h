/* A plan: the buffers of a case (slots), what runs on them (steps), and the kernels. It follows from the case alone,
 * and is the same for every backend. */
#ifndef XB_PLAN_H
#define XB_PLAN_H

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

typedef struct xb_case xb_case; /* benchmark.h */

/* ---- What it consists of --------------------------------------------------------------------------------------- */

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

/* The address of a slot's contents, as 64 bits among the arguments of a dispatch or in another slot. */
typedef struct xb_plan_address {
  uint32_t at, slot; /* at: bytes */
} xb_plan_address;
enum { XB_MAX_ADDRESSES = 32 };

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
  bool sparse;    /* an output of which runs leave elements out: it is poisoned before each run that is checked */
  bool scratch;   /* INOUT: scratch that begins with contents; what a run leaves in it is not checked */
  bool kept;      /* INOUT: an input that a run must leave as it was; it is checked, and no output */
  uint32_t node;  /* of the host's memory: 1 is NUMA node 0; 0: where the system puts it */
  bool unused;    /* SCRATCH: no kernel of this API has it, so nothing restores it */
  bool addressed; /* kernels get its address */
  /* SCRATCH: its contents before each run, instead of poison, and the addresses among them. */
  const uint32_t *words;
  const xb_plan_address *addresses;
  uint32_t address_count;
  bool summed; /* an output of one element, which for several devices is the sum of theirs */
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
  xb_tiles tiles; /* 0 dimensions: none */
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
typedef void xb_any_function(void);
typedef struct xb_library_call {
  const xb_case *c;
  xb_any_function *function; /* of the library; see xb_library_prepare */
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
  xb_any_function *function; /* LIBRARY: found by xb_methods.prepare */
  xb_call_fn *call;
  xb_timed_fn *timed; /* CALL: instead of `call` */
  xb_plan_binding bindings[XB_MAX_BINDINGS];
  uint32_t binding_count;
  bool overfull; /* it got too many bindings or arguments; xb_plan_make then fails */
  uint32_t args[XB_MAX_ARG_BYTES / 4], arg_bytes;
  xb_plan_address addresses[XB_MAX_ADDRESSES]; /* among the arguments */
  uint32_t address_count;
  uint32_t groups[3];
  bool early;    /* DISPATCH: xb_dispatch.early */
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

/* A plan that runs only the variant's own kernel need not name it, unless it asks for something. */
typedef struct xb_plan_kernel {
  const char *name; /* name of the source without its folder: "9_single_pass"; NULL: the variant's own */
  uint32_t binding_count, arg_bytes; /* both 0: as in its first dispatch */
  uint32_t dynamic_shared;           /* bytes of shared memory that are sized at launch, where the API has such */
  uint32_t cache_percent, features, unused_bindings; /* as in xb_kernel_desc */
  /* `numbered`: the code has a kernel for each number. BENCHMARK_NUMBER begins the name of its entry point or, where
   * the code has only one, it is the value of specialization constant 0 (number_optional: if the API has such). */
  bool numbered, number_optional;
  xb_specialization number;
} xb_plan_kernel;

/* A plan with more steps is refused: command lists have limits, too. */
enum { XB_MOST_STEPS = 65536 };
/* Loop iterations of one thread. At this limit lavapipe ends a loop without an error. */
enum { XB_MOST_ITERATIONS = 65535 };
static inline uint64_t xb_ceil_div(uint64_t a, uint64_t b)
{
  return (a + b - 1) / b;
}

/* A part of something long. `for (xb_slice s = {0}; xb_next_slice(&s, all, most);)` visits all of it in parts of
 * `most`, of which the last one may be shorter. */
typedef struct xb_slice {
  uint64_t first, count;
} xb_slice;
static inline bool xb_next_slice(xb_slice *slice, uint64_t all, uint64_t most)
{
  slice->first += slice->count;
  slice->count = all - slice->first < most ? all - slice->first : most;
  return slice->count;
}

enum { XB_MAX_SEEN = 4 };
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
  double work;         /* what the benchmark counts, such as operations: of a run without repeats */
  double chain;        /* of it, what one thread does, one after the other */
  xb_code code;        /* XB_OK, or why a step could not be added; loops that add steps then end */
  xb_step spare;       /* stands in for a step that could not be added */
  xb_plan_list *lists; /* in the order of their submission */
  uint32_t list_count;
  size_t list_capacity;
  bool polls;               /* with lists: the host polls for their end, instead of waiting */
  double seen[XB_MAX_SEEN]; /* what the benchmark observed in the first outputs, for its metrics */
} xb_plan;

/* ---- How it is made -------------------------------------------------------------------------------------------- */

/* Both return the number of what they added, counted from 0. */
uint32_t xb_plan_slot(xb_plan *plan, xb_slot slot);
#define xb_plan_slot_with(plan, ...) xb_plan_slot(plan, (xb_slot){__VA_ARGS__})
/* Slots with elements of the case's type. */
uint32_t xb_plan_input(xb_plan *plan, const char *name, uint64_t bytes, xb_generate_fn *generate);
uint32_t xb_plan_output(xb_plan *plan, const char *name, uint64_t bytes);
uint32_t xb_plan_kernel_of(xb_plan *plan, xb_plan_kernel kernel);
/* Steps that are added from now on belong to this list. `after` is copied. */
uint32_t xb_plan_list_of(xb_plan *plan, xb_plan_list list);
/* The windows of a large input, as xb_next_slice has them: a dispatch each. They end when a step could not be added.
 * The case is refused if `most` is 0, because a binding is too small. */
bool xb_plan_next(xb_plan *plan, xb_slice *window, uint64_t all, uint64_t most);
/* Elements of such a window: all of them if a binding has room for so many of `bytes` bytes, else as many as it has, in
 * multiples of `step`. */
uint64_t xb_window_length(const xb_case *c, uint64_t elements, uint64_t bytes, uint64_t step);
/* A slot that windows read or write from end to end: of each unit, `each` bytes. 0: each window binds the first `bytes`
 * bytes; 0, too: all of it. */
typedef struct xb_stream {
  uint32_t slot;
  uint64_t each;
  xb_access access;
  uint64_t bytes;
} xb_stream;
enum { XB_MAX_STREAMS = 5 };
/* Units of work that are cut into windows, a dispatch each; their slots are bound in the order of the streams. */
typedef struct xb_windows {
  uint64_t all;     /* units */
  uint64_t step;    /* a window begins at a multiple of it, so that its bytes do at one of 256; 0: of 1 */
  uint64_t most;    /* units of a window; 0: as many as a binding of each stream has room for */
  uint64_t a_group; /* units of a group; 0: one for each thread */
  uint64_t (*groups)(const xb_case *c, uint64_t units); /* or the groups of a window */
  uint64_t before, behind; /* the first stream's binding has so many units more on each side, as far as there are any */
  bool vectors;            /* units are words: a thread takes four of them, and bindings are xb_step_bind_vectors */
  xb_stream streams[XB_MAX_STREAMS];
  uint32_t stream_count;
  uint64_t first, count; /* of the window, once xb_next_window has returned its dispatch */
  uint64_t lead, seen;   /* of the first stream: units before the window that are bound, and all that are */
} xb_windows;
/* Adds a slot, an input or an output, with `each` bytes of each unit, and its stream; returns the slot's number. */
uint32_t xb_stream_slot(xb_plan *plan, xb_windows *w, uint64_t each, xb_slot slot);
uint32_t xb_stream_in(xb_plan *plan, xb_windows *w, const char *name, uint64_t each, xb_generate_fn *generate);
uint32_t xb_stream_out(xb_plan *plan, xb_windows *w, const char *name, uint64_t each);
void xb_stream_of(xb_windows *w, uint32_t slot, uint64_t each, xb_access access);
/* The dispatch of the first window, then of the next one: the caller sets its arguments. NULL: there is none. */
xb_step *xb_next_window(const xb_case *c, xb_plan *plan, xb_windows *w);
/* Never NULL. Valid until the next step. */
xb_step *xb_plan_step(xb_plan *plan, xb_step_kind kind);
/* A dispatch of the first kernel, in x and y if the device allows fewer groups in x. */
xb_step *xb_plan_dispatch(const xb_case *c, xb_plan *plan, uint64_t groups);
/* Sets the words of the slot to `word`, before what follows a barrier. */
void xb_plan_fill(xb_plan *plan, uint32_t slot, uint64_t bytes, uint32_t word);
void xb_step_bind(xb_step *step, uint32_t slot, uint64_t offset, uint64_t size, xb_access access);
/* All of a slot. */
void xb_step_bind_all(const xb_plan *plan, xb_step *step, uint32_t slot, xb_access access);
/* `bytes` is at most XB_MAX_ARG_BYTES, and a step has at most XB_MAX_BINDINGS bindings; otherwise xb_plan_make returns
 * XB_INVALID. */
void xb_step_args(xb_step *step, const void *args, size_t bytes);
/* The arguments have the address of the slot's contents at byte `at`. The step binds the slot, so that it is tracked.
 */
void xb_step_address(xb_step *step, uint32_t at, uint32_t slot);
/* The same for a dispatch whose arguments are a struct, from the values of its fields: `.n = count, ...`. Its `grid_x`
 * is the number of groups in x: kernels compute their group's number with it. */
#define xb_step_fields(step, type, ...)                                                                                \
  xb_step_args(step, &(const type){__VA_ARGS__, .grid_x = (step)->groups[0]}, sizeof(type))
/* Binds the same bytes twice: as 16-byte vectors (whole vectors only), then as words. A range shorter than a vector is
 * bound as a whole both times, because a binding must not be empty. */
void xb_step_bind_vectors(xb_step *step, uint32_t slot, uint64_t offset, uint64_t size, xb_access access);
/* Splits `groups` into x and y if the device allows fewer in x. */
void xb_fold_groups(const xb_device_info *device, uint64_t groups, uint32_t folded[3]);
/* Makes the plan of a case. It depends on the case only, so it can be made any number of times. On failure the plan is
 * empty. */
xb_code xb_plan_make(const xb_case *c, xb_plan *plan, xb_error *err);
/* XB_UNSUPPORTED, with a message that begins with the benchmark's name. */
#define xb_refuse_case(c, err, ...) xb_fail(err, XB_UNSUPPORTED, (c)->variant->benchmark->name, __VA_ARGS__)
/* Refuses a plan with more iterations than work on every device. */
xb_code xb_check_iterations(const xb_case *c, const xb_plan *plan, xb_error *err);
/* The bytes of a run that need the memory if no cache holds any of them before: at most `bytes`, and of each slot what
 * is bound, once for reading and once for writing. What is read again comes from a cache. */
uint64_t xb_plan_memory_bytes(const xb_plan *plan);
void xb_plan_free(xb_plan *plan);

#endif
