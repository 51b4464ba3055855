/* A cell is one variant on one device for one element type, size and group size: what the caller asks for, then the
 * plan, the buffers, the samples and the verdict that come of it. */
#ifndef XB_CELL_H
#define XB_CELL_H

#include "measure/samples.h"
#include "measure/verdict.h"
#include "measure/workload.h"

typedef enum xb_cache { XB_CACHE_HOT, XB_CACHE_COLD } xb_cache;

/* How the work of one sample is repeated: by several dispatches, or by a loop inside the kernel. */
typedef enum xb_loop { XB_LOOP_LAUNCH, XB_LOOP_KERNEL } xb_loop;

/* The list may call it at each submission, so it must live as long as the list. */
typedef struct xb_recorded_call {
  xb_library_fn *fn;
  xb_library_call with;
} xb_recorded_call;

/* The kernels of the plan, its buffers in each placement, and the lists that run them. */
typedef struct xb_cell_buffers {
  xb_kernel **kernels;
  uint64_t code_hash;      /* FNV-1a of their code; 0 without a kernel */
  uint32_t placements;     /* sets of buffers, which samples use in turn */
  uint32_t placement;      /* the current one, to record, poison, run or check */
  bool crowded;            /* memory was too short for more than one placement */
  xb_place *places;        /* [slot][placement]; unused for inputs: the workload has them */
  xb_image **images;       /* [slot]; NULL: the slot has none */
  xb_recorded_call *calls; /* [step][placement]: calls of vendor libraries */
  xb_commands *timed[XB_MAX_PLACEMENTS];
  xb_commands *once;      /* a single run in the first placement, timed */
  struct xb_lists *lists; /* of a plan with lists (measure/lists.h) */
} xb_cell_buffers;

typedef struct xb_cell {
  xb_case c;
  const xb_workload *workload;
  xb_monitor *monitor; /* of the device; NULL if unavailable */
  bool yardstick;      /* measured only to compare others with it: a copy or a floor */
  bool base;           /* in a comparison: a baseline */
  bool preset;         /* its group size and places on axes were saved by a tuning run */
  /* An earlier cell that is identical. This cell uses its kernels, buffers and lists. */
  const struct xb_cell *shared;
  uint32_t wanted_placements; /* 0: depends on the device type; at most XB_MAX_PLACEMENTS */
  uint32_t most_placements;   /* as many as memory allows; 0: no limit */
  xb_cache cache;
  xb_loop loop;     /* KERNEL: a run has c.repeats repetitions, and all times are per repetition */
  double sample_ns; /* target time of a sample: two timestamps and their barriers take 6 us of it on an H200 */
  const volatile sig_atomic_t *stop; /* set by Ctrl-C: ends verification and calibration; may be NULL */

  xb_plan plan;
  xb_cell_buffers buffers;
  xb_cell_samples samples;
  xb_cell_verdict verdict;
} xb_cell;

/* Makes the plan again, and prepares a library. Returns false if the cell FAILED. */
bool xb_cell_plan(xb_cell *cell);
/* Sets the outcome of a cell that its API cannot express, or whose library is not here, and makes nothing. */
void xb_cell_refuse(xb_cell *cell);
/* Makes the plan, the kernels and the buffers. The caller has set c and workload. On failure the cell is FAILED. */
void xb_cell_create(xb_cell *cell);
void xb_cell_destroy(xb_cell *cell);
bool xb_cell_create_kernels(xb_cell *cell);
void xb_cell_destroy_kernels(xb_cell *cell);
/* How often one sample does the work: runs of the plan, times repetitions inside the kernel. */
double xb_cell_runs(const xb_cell *cell);
/* True if the cell measures the minimum cost of a dispatch. Other cells do not wait for it, as it only adds information
 * to their results. */
static inline bool xb_cell_is_floor(const xb_cell *cell)
{
  return cell->yardstick && cell->c.variant->floor;
}
/* Creates a command list for the queue of the variant. */
xb_code xb_cell_commands(xb_cell *cell, const char *label, uint32_t timestamps, xb_commands **commands);
/* The place of a slot in the current placement. */
xb_place xb_cell_place(const xb_cell *cell, uint32_t slot);
/* The case begins its inputs that slide with this window, 0 to XB_WINDOWS - 1; without such inputs nothing changes. */
void xb_cell_set_window(xb_cell *cell, uint32_t window);
/* Where the contents of an input begin in its places, for the case's window. */
uint64_t xb_cell_window_offset(const xb_cell *cell, const xb_slot *slot);
/* Records the plan once, for the current placement. `backwards`: the steps between two barriers in reverse order. */
void xb_cell_record(xb_cell *cell, bool backwards, xb_commands *commands);
/* Records the steps of one of the plan's lists. */
void xb_cell_record_list(xb_cell *cell, uint32_t list, xb_commands *commands);
/* The bindings of a step in the current placement; of a dispatch, with the guard behind them. */
void xb_cell_bind(const xb_cell *cell, const xb_step *step, xb_binding bindings[XB_MAX_BINDINGS]);
void xb_cell_record_step(xb_cell *cell, uint32_t step, xb_commands *commands);
/* Runs a step XB_STEP_CALL, and adds to `*untimed_ns`. Returns false if the cell FAILED. (calls.c) */
bool xb_cell_call(xb_cell *cell, const xb_step *step, double *untimed_ns);
/* Runs a plan of XB_CLOCK_CALLS once, in order. `*ns` is its time without what calls left untimed. Returns false if the
 * cell FAILED. (calls.c) */
bool xb_cell_run_calls(xb_cell *cell, double *ns);
/* Writes the inputs in host memory again, from c.seed. */
void xb_cell_fill_host_inputs(const xb_cell *cell);
/* Copies the inputs to the images, and what is in memory to others. Returns false if the cell FAILED. */
bool xb_cell_fill_images(xb_cell *cell);
/* The largest window: the device's largest binding, less the guard behind it. */
uint64_t xb_largest_window(const xb_device_info *info);
/* Calls `record` for each slot in each placement, or in the current one only, and runs the recorded list. Returns false
 * if the cell FAILED. */
bool xb_cell_for_slots(xb_cell *cell, bool all_placements, const char *label,
                       void (*record)(const xb_cell *, uint32_t, xb_commands *));
/* Marks the cell as failed with `error` and returns false, for `return xb_cell_fail(cell);`. */
bool xb_cell_fail(xb_cell *cell);
/* The same for XB_NOMEM: out of host memory. */
bool xb_cell_nomem(xb_cell *cell, const char *where);
/* Marks the cell as WRONG and returns false. */
bool xb_cell_wrong(xb_cell *cell, const char *why);

/* Returns true if the user stopped the run; the cell is then INTERRUPTED. */
bool xb_cell_stopped(xb_cell *cell);
/* Copies the state of the shared cell, after that was verified and calibrated. */
void xb_cell_share(xb_cell *cell);

#endif
