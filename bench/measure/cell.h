/* Cells: what is verified and timed. A cell is one variant on one device for one element type, size and group size. */
#ifndef XB_CELL_H
#define XB_CELL_H

#include <signal.h>

#include "benchmarks/registry.h"
#include "judge/judge.h"
#include "judge/linear.h"
#include "judge/stats.h"
#include "measure/monitor.h"
#include "measure/place.h"

/* In the guards of an input: 3.4e38 as a float, so that an element read from beyond the input shows in any sum. */
enum { XB_INPUT_GUARD = 0x7F7F7F7F };

enum { XB_MAX_INPUTS = 8 };

/* One input, as often as there are places for it. */
typedef struct xb_input_buffer {
  xb_generate_fn *generate;
  uint64_t bytes;
  uint32_t element_bytes;
  xb_place places[XB_MAX_PLACEMENTS]; /* the same in each; placement p of a cell reads p modulo their number */
} xb_input_buffer;

/* Inputs on one device, shared by the cells that read them, with staging memory in both directions. */
typedef struct xb_workload {
  /* What it begins with. */
  xb_device *device;
  const xb_benchmark *of; /* the benchmark whose reference it takes; NULL: of none */
  xb_dtype dtype;
  uint64_t n, seed;
  uint64_t wait_limit_ns;

  xb_input_buffer inputs[XB_MAX_INPUTS];
  uint32_t input_kinds;
  uint32_t input_count; /* places of each */
  xb_buffer *upload, *readback;
  xb_buffer *flush;         /* written before each run where the cache is to be cold; NULL where it is to be hot */
  void *reference;          /* state; NULL where the benchmark keeps none */
  uint64_t reference_bytes; /* of its first input, that go into it */
} xb_workload;

/* Notes the inputs that a case reads, as long as the longest of its kind: before they are made. A case that cannot be
 * planned reads none. */
xb_code xb_workload_need(xb_workload *w, const xb_case *c, xb_error *err);
/* Makes what was noted, uploads it, and takes the reference on the way. */
xb_code xb_workload_create(xb_workload *w, xb_error *err);
/* Once: copies the inputs to further places, so that there are `count` of each; 1 as before where memory is short. */
void xb_workload_place_inputs(xb_workload *w, uint32_t count);
/* The input of an INPUT slot that was noted. */
const xb_input_buffer *xb_workload_input(const xb_workload *w, const xb_slot *slot);
xb_code xb_workload_create_flush(xb_workload *w, uint64_t bytes, xb_error *err);
void xb_workload_destroy(xb_workload *w);
/* Submits the list, waits within the limit, and destroys the list. */
xb_code xb_workload_run(const xb_workload *w, xb_commands *commands, xb_error *err);
/* At most xb_buffer_bytes(w->readback) bytes; what is read lies in xb_buffer_host(w->readback). */
xb_code xb_workload_read(const xb_workload *w, xb_buffer *buffer, uint64_t offset, uint64_t bytes, xb_error *err);

typedef enum xb_cache { XB_CACHE_HOT, XB_CACHE_COLD } xb_cache;

/* What repeats the work that one sample times: dispatch after dispatch, or a loop inside the kernel. */
typedef enum xb_loop { XB_LOOP_LAUNCH, XB_LOOP_KERNEL } xb_loop;

/* May be called at each submission of a list, so it lives as long. */
typedef struct xb_recorded_call {
  xb_library_fn *fn;
  xb_library_call with;
} xb_recorded_call;

typedef struct xb_cell {
  xb_case c;
  const xb_workload *workload;
  xb_monitor *monitor; /* of the device; NULL where nothing tells */
  bool yardstick;      /* measured only because others are held against it: a copy, a floor */
  bool base;           /* of a comparison: others are divided by it */
  /* Another cell, before this one, whose kernel, buffers and lists this one uses: they differ in nothing. */
  const struct xb_cell *shared;

  xb_plan plan;
  xb_kernel **kernels;        /* of the plan */
  uint64_t code_hash;         /* FNV-1a of their code; 0 without a kernel */
  uint32_t wanted_placements; /* 0: by the kind of device; at most XB_MAX_PLACEMENTS */
  uint32_t most_placements;   /* that there is room for; 0: no limit */
  uint32_t placements;        /* as many as were wanted and fit: sets of buffers that samples are taken from in turn */
  bool crowded;               /* there is one placement only because memory was short */
  uint32_t placement;         /* the one that is recorded, poisoned, run or checked now */
  xb_place *places;           /* [slot][placement]; none for inputs, which are the workload's */
  xb_recorded_call *calls;    /* [step][placement]: of vendors' libraries */
  xb_commands *timed[XB_MAX_PLACEMENTS];
  double sample_ns; /* that a sample should take: two stamps and their barriers take 6 us of it on an H200 */
  uint32_t batch;   /* runs of the plan in one sample */
  double once_ns;   /* one run, roughly */

  xb_cache cache;
  xb_loop loop;                       /* KERNEL: c.repeats repetitions a run, and all times are of one of them */
  double linear_ns[XB_LINEAR_POINTS]; /* KERNEL: runs of 1, 2, 4 and 8 repetitions, before the samples */
  double *samples_ns;                 /* of one run, by the variant's clock; sample i: round i, placement i %
                                       * placements */
  double *host_ns; /* host time: submit to complete of the sample, over its runs; with a flush before each, of no use */
  size_t sample_count, sample_capacity;
  double sampled_ns;      /* device time of all samples together */
  const char *stopped_by; /* why sampling ended: static text */
  xb_stats device, host;
  uint32_t warm_up_rounds;      /* before the first sample */
  bool warm;                    /* they ended because times had settled */
  size_t throttled_samples;     /* the GPU's clocks were held back during so many of them */
  uint32_t throttle;            /* for these reasons: xb_throttle bits */
  xb_gpu_state before, after;   /* the samples */
  xb_gpu_state lowest, highest; /* during */

  const volatile sig_atomic_t *stop; /* NULL, or set by Ctrl-C: verifying and calibrating end, and the cell with them */
  xb_outcome outcome;
  bool verified; /* before the samples and after them */
  xb_error error;
} xb_cell;

/* Plans anew, and prepares what a library needs. False: the cell is FAILED. */
bool xb_cell_plan(xb_cell *cell);
/* Plans, and makes kernels and buffers. `cell` has c and workload set. On failure the cell is FAILED. */
void xb_cell_create(xb_cell *cell);
void xb_cell_destroy(xb_cell *cell);
bool xb_cell_create_kernels(xb_cell *cell);
void xb_cell_destroy_kernels(xb_cell *cell);
/* How often the work is done in one sample: runs of the plan, times repetitions inside the kernel. */
double xb_cell_runs(const xb_cell *cell);
/* What a dispatch costs at least: it stands beside the numbers of others, which need not wait for it. */
static inline bool xb_cell_is_floor(const xb_cell *cell)
{
  return cell->yardstick && cell->c.variant->floor;
}
/* A list on the queue that the plan is for. */
xb_code xb_cell_commands(xb_cell *cell, const char *label, uint32_t timestamps, xb_commands **commands);
/* Where the slot's contents lie in this placement. */
xb_place xb_cell_place(const xb_cell *cell, uint32_t slot);
/* Records the plan once, for this placement. */
void xb_cell_record(xb_cell *cell, xb_commands *commands);
/* Has something recorded for each slot in each placement, and runs it. False: the cell is FAILED. */
bool xb_cell_for_slots(xb_cell *cell, const char *label, void (*record)(const xb_cell *, uint32_t, xb_commands *));
/* Marks the cell as failed with `error` and returns false, for `return xb_cell_fail(cell);`. */
bool xb_cell_fail(xb_cell *cell);
/* The same, for want of host memory. */
bool xb_cell_nomem(xb_cell *cell, const char *where);

/* Whether it is to end; it then is INTERRUPTED. */
bool xb_cell_stopped(xb_cell *cell);

/* In each placement: poisons outputs and scratch, runs once, checks outputs and guards. False: the cell is wrong, has
 * failed, or was interrupted. */
bool xb_cell_verify(xb_cell *cell);
/* Poisons alone, before the timed submissions ... */
bool xb_cell_poison(xb_cell *cell);
/* ... and checks what they left behind, to the end: samples count only then. */
bool xb_cell_check(xb_cell *cell);
/* Takes over what the other cell has, once it was verified and calibrated. */
void xb_cell_share(xb_cell *cell);

#endif
