/* The inputs of a device, in the placements that cells read them from, and the memory through which they come and go.
 */
#ifndef XB_WORKLOAD_H
#define XB_WORKLOAD_H

#include <signal.h>

#include "benchmarks/registry.h"
#include "benchmarks/sum.h"
#include "result/result.h"
#include "xb/gpu.h"

/* ---- Placements -------------------------------------------------------------------------------------------------- */

/* Placements hold the same bytes several times, each elsewhere in device memory. The position of its buffers changes
 * the time of a kernel: on an H200 by up to 17 % if it is short (docs/internals/method.md, Placements). */

/* A placement has a guard of this many bytes before and after its contents; a multiple of any binding_align and
 * texel_align.
 */
enum { XB_GUARD_BYTES = 512 };

enum {
  XB_MAX_PLACEMENTS = XB_MOST_PLACEMENTS,
  XB_FEWEST_PLACEMENTS = 4 /* with fewer, differences say nothing */,
  XB_GPU_PLACEMENTS = 8,
  XB_CPU_PLACEMENTS = 1
};

typedef struct xb_placement {
  xb_buffer *buffer; /* its own */
  uint64_t begin;    /* offset of the contents in the buffer, just after the first guard */
  void *pages;       /* that the buffer imports; NULL: it has memory of its own */
} xb_placement;

/* The number of placements: `asked` or, if that is 0, the default of the device type. */
uint32_t xb_placements_wanted(const xb_device_info *info, uint32_t asked);
/* The most memory that one placement of this size needs. */
uint64_t xb_placement_bytes(uint64_t bytes);
/* A state of xb_random for the placements of `what` on this device, in its launch mode. */
uint64_t xb_placement_stream(uint64_t seed, const xb_device_info *info, const char *what);
/* Creates `count` placements, 1 or more, for desc->bytes each. Several are in different pages, with memory of random
 * size between them, and begin at a random offset; the first one at the start of its buffer. `random` may be NULL for
 * one placement. On failure no placement exists. */
xb_code xb_placements_create(xb_device *device, const xb_buffer_desc *desc, uint32_t count, uint64_t *random,
                             xb_placement *placements, xb_error *err);
/* Also accepts zeroed placements. */
void xb_placements_destroy(xb_placement *placements, uint32_t count);

/* ---- Inputs ------------------------------------------------------------------------------------------------------ */

/* The guard words of an input: 3.4e38 as a float, so that a read beyond the input changes any sum. */
enum { XB_INPUT_GUARD = 0x7F7F7F7F };

enum { XB_MAX_INPUTS = 32 };
/* Inputs of untrusted kernels are drawn anew so often while they are timed. */
enum { XB_MAX_DRAWS = 3 };
/* Where they may begin: window w begins w steps before the first element. A step of any elements is a multiple of 512
 * bytes, which every device takes as the offset of a binding. */
enum { XB_WINDOWS = 32, XB_WINDOW_STEP = 512 };
/* The window of a timed run by the runs that follow it in the same sample: each run finds other elements everywhere. */
static inline uint32_t xb_window_of_run(uint32_t runs_after)
{
  return (5 + 7 * runs_after) % XB_WINDOWS;
}

/* One input, in each of its placements. */
typedef struct xb_input_buffer {
  const char *name; /* of the first slot that reads it */
  xb_generate_fn *generate;
  xb_generator generator;
  uint64_t bytes, first; /* first: the element that it begins with */
  uint32_t element_bytes;
  uint64_t lead;                  /* bytes before the elements that a case with `first` 0 reads: the other windows */
  bool drawn;                     /* it has draws */
  bool addressed;                 /* kernels get its address */
  xb_buffer *draws[XB_MAX_DRAWS]; /* its contents for the next seeds, which no kernel is given */
  xb_placement
      placed[XB_MAX_PLACEMENTS]; /* equal contents; placement p of a cell reads placement p modulo their number */
} xb_input_buffer;

/* The inputs of one device, shared by the cells that read them, with staging memory in both directions. */
typedef struct xb_workload {
  /* Set by the caller. */
  xb_device *device;
  const xb_benchmark *of; /* the benchmark whose reference it computes; NULL: none */
  xb_dtype dtype;
  uint64_t n, seed;
  uint64_t wait_limit_ns;
  const volatile sig_atomic_t *stop; /* set by Ctrl-C: leaves inputs incomplete, nothing reads them then; may be NULL */

  xb_input_buffer inputs[XB_MAX_INPUTS];
  uint32_t input_kinds;
  uint32_t input_count; /* placements of each input */
  uint32_t draw_count;
  xb_buffer *upload, *readback;
  xb_buffer *flush;         /* read before each run with --cache cold; else NULL */
  xb_sum flushing;          /* its sum */
  void *reference;          /* its state; NULL if the benchmark has none */
  uint32_t reference_input; /* the input that goes into the reference, */
  uint64_t reference_bytes; /* and how much of it */
} xb_workload;

/* Records the inputs that a case with this plan reads, before they are created. Of inputs of the same kind, the longest
 * counts. */
xb_code xb_workload_need_inputs(xb_workload *w, const xb_case *c, const xb_plan *plan, xb_error *err);
/* The same for a case without a plan. One that cannot be planned reads no inputs. */
xb_code xb_workload_need(xb_workload *w, const xb_case *c, xb_error *err);
/* Creates the recorded inputs, uploads them, and computes the reference from the same data. */
xb_code xb_workload_create(xb_workload *w, xb_error *err);
/* Makes the first placement of each input, and the reference, again from another seed. */
xb_code xb_workload_refill(const xb_workload *w, uint64_t seed, xb_error *err);
/* Makes the contents that are drawn while cells are timed, as far as memory and a little time go: those of the seeds
 * after the workload's. */
void xb_workload_create_draws(xb_workload *w);
xb_code xb_workload_make_draw(const xb_workload *w, uint32_t draw, uint64_t seed, xb_error *err);
/* Makes these the contents of all placements, on the device. The seed is w->seed + 1 + draw. */
xb_code xb_workload_draw(const xb_workload *w, uint32_t draw, xb_error *err);
/* Copies the inputs to further placements, so that each has `count` placements; 1 as before if memory is short. May be
 * called once. */
void xb_workload_place_inputs(xb_workload *w, uint32_t count);
/* The recorded input of an INPUT or INOUT slot. */
const xb_input_buffer *xb_workload_input(const xb_workload *w, const xb_slot *slot);
/* Makes a buffer that flushes the caches when it is read, at most `window_bytes` of it by one dispatch. */
xb_code xb_workload_create_flush(xb_workload *w, uint64_t bytes, uint64_t window_bytes, xb_error *err);
/* Records a flush. The buffer is read, not written: a cache full of written lines has to write them back while the run
 * that follows reads, and that is not the time of this run. */
void xb_workload_flush(const xb_workload *w, xb_commands *list);
void xb_workload_destroy(xb_workload *w);
/* Submits the list, waits within the limit, and destroys the list. */
xb_code xb_workload_run(const xb_workload *w, xb_commands *commands, xb_error *err);
/* Reads into the readback buffer, from its byte `to` on: both multiples of 4. */
xb_code xb_workload_read(const xb_workload *w, uint64_t to, xb_buffer *buffer, uint64_t offset, uint64_t bytes,
                         xb_error *err);

#endif
