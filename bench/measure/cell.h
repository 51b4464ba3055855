/* Cells are verified and timed. A cell is one variant on one device for one element type, size and group size. */
#ifndef XB_CELL_H
#define XB_CELL_H

#include <signal.h>

#include "benchmarks/registry.h"
#include "judge/judge.h"
#include "judge/linear.h"
#include "judge/stats.h"
#include "machine/monitor.h"
#include "measure/output_hash.h"
#include "measure/place.h"

/* The guard words of an input: 3.4e38 as a float, so that a read beyond the input changes any sum. */
enum { XB_INPUT_GUARD = 0x7F7F7F7F };

enum { XB_MAX_INPUTS = 32 };

/* One input, in each of its places. */
typedef struct xb_input_buffer {
  xb_generate_fn *generate;
  const xb_generator *generator;
  uint64_t bytes, first; /* first: the element that it begins with */
  uint32_t element_bytes;
  xb_place places[XB_MAX_PLACEMENTS]; /* equal contents; placement p of a cell reads place p modulo their number */
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
  uint32_t input_count; /* places of each input */
  xb_buffer *upload, *readback;
  xb_buffer *flush;         /* written before each run with --cache cold; else NULL */
  void *reference;          /* its state; NULL if the benchmark has none */
  uint32_t reference_input; /* the input that goes into the reference, */
  uint64_t reference_bytes; /* and how much of it */
} xb_workload;

/* Records the inputs that a case reads, before they are created. Of inputs of the same kind, the longest counts. A case
 * that cannot be planned reads none. */
xb_code xb_workload_need(xb_workload *w, const xb_case *c, xb_error *err);
/* Creates the recorded inputs, uploads them, and computes the reference from the same data. */
xb_code xb_workload_create(xb_workload *w, xb_error *err);
/* Makes the first place of each input, and the reference, again from another seed. */
xb_code xb_workload_refill(const xb_workload *w, uint64_t seed, xb_error *err);
/* Copies the inputs to further places, so that each has `count` places; 1 as before if memory is short. May be called
 * once. */
void xb_workload_place_inputs(xb_workload *w, uint32_t count);
/* The recorded input of an INPUT or INOUT slot. */
const xb_input_buffer *xb_workload_input(const xb_workload *w, const xb_slot *slot);
xb_code xb_workload_create_flush(xb_workload *w, uint64_t bytes, xb_error *err);
void xb_workload_destroy(xb_workload *w);
/* Submits the list, waits within the limit, and destroys the list. */
xb_code xb_workload_run(const xb_workload *w, xb_commands *commands, xb_error *err);
/* Reads into the readback buffer, from its byte `to` on: both multiples of 4. */
xb_code xb_workload_read(const xb_workload *w, uint64_t to, xb_buffer *buffer, uint64_t offset, uint64_t bytes,
                         xb_error *err);

typedef enum xb_cache { XB_CACHE_HOT, XB_CACHE_COLD } xb_cache;

/* How the work of one sample is repeated: by several dispatches, or by a loop inside the kernel. */
typedef enum xb_loop { XB_LOOP_LAUNCH, XB_LOOP_KERNEL } xb_loop;

/* The list may call it at each submission, so it must live as long as the list. */
typedef struct xb_recorded_call {
  xb_library_fn *fn;
  xb_library_call with;
} xb_recorded_call;

enum { XB_RIGHT_PARTS = 32 }; /* a part is 16 MiB */

typedef struct xb_cell {
  xb_case c;
  const xb_workload *workload;
  xb_monitor *monitor; /* of the device; NULL if unavailable */
  bool yardstick;      /* measured only to compare others with it: a copy or a floor */
  bool base;           /* in a comparison: a baseline */
  bool preset;         /* its group size and places on axes were saved by a tuning run */
  /* An earlier cell that is identical. This cell uses its kernels, buffers and lists. */
  const struct xb_cell *shared;

  xb_plan plan;
  xb_kernel **kernels;        /* of the plan */
  uint64_t code_hash;         /* FNV-1a of their code; 0 without a kernel */
  uint32_t wanted_placements; /* 0: depends on the device type; at most XB_MAX_PLACEMENTS */
  uint32_t most_placements;   /* as many as memory allows; 0: no limit */
  uint32_t placements;        /* sets of buffers, which samples use in turn */
  bool crowded;               /* memory was too short for more than one placement */
  uint32_t placement;         /* the current one, to record, poison, run or check */
  xb_place *places;           /* [slot][placement]; unused for inputs: the workload has them */
  xb_image **images;          /* [slot]; NULL: the slot has none */
  xb_recorded_call *calls;    /* [step][placement]: calls of vendor libraries */
  xb_commands *timed[XB_MAX_PLACEMENTS];
  double sample_ns;  /* target time of a sample: two timestamps and their barriers take 6 us of it on an H200 */
  uint32_t batch;    /* runs of the plan in one sample */
  double once_ns;    /* approximate time of one run */
  double restore_ns; /* device time to restore the contents before a run, taken off; 0: they are not restored */

  xb_cache cache;
  xb_loop loop;                       /* KERNEL: a run has c.repeats repetitions, and all times are per repetition */
  double linear_ns[XB_LINEAR_POINTS]; /* KERNEL: times of runs of 1, 2, 4 and 8 repetitions, before sampling */
  bool sampling;                      /* a call of a plan is for its time alone */
  double untimed_ns;                  /* what the last calls left untimed */
  double *samples_ns; /* time of one run, by the variant's clock; sample i: round i, placement i % placements */
  double *host_ns;  /* host time per run: submit to complete of the sample; meaningless with a flush before each run */
  double *issue_ns; /* streams: host time per run to issue the commands of the sample */
  size_t sample_count, sample_capacity;
  double sampled_ns;      /* device time of all samples together */
  double spent_ns;        /* host time for them */
  const char *stopped_by; /* static text: why sampling ended; NULL: it goes on */
  xb_stats device, host, issue;
  uint32_t warm_up_rounds;      /* before the first sample */
  bool warm;                    /* warm-up ended because times had settled */
  bool read_state;              /* the next sample also reads the state of the GPU, not only throttling */
  double submit_ns;             /* host time of the last xb_submit */
  uint32_t seen_throttle;       /* while the last sample ran: xb_throttle bits, */
  xb_gpu_state seen;            /* and the state, if it was asked for */
  size_t throttled_samples;     /* samples during which the GPU's clocks were throttled */
  uint32_t throttle;            /* the reasons: xb_throttle bits */
  xb_gpu_state before, after;   /* the samples */
  xb_gpu_state lowest, highest; /* during */

  struct xb_lists *lists; /* of a plan with lists (measure/lists.h) */

  const volatile sig_atomic_t *stop; /* set by Ctrl-C: ends verification and calibration; may be NULL */
  xb_outcome outcome;
  uint32_t rechecked_runs; /* single runs that were right after the samples */
  bool verified;           /* true after the checks before and after the samples */
  struct xb_right_part {
    uint64_t seed, first, sum;
    uint32_t slot;
  } right[XB_RIGHT_PARTS]; /* hashes of parts of outputs that were checked: the same bits are right again */
  uint32_t right_count;
  bool hashing;           /* the check that runs also hashes the outputs */
  bool other_poison;      /* poison and guards have their other values */
  xb_output_hash outputs; /* of the first run that was checked; no words: nothing is checked */
  xb_error error;
} xb_cell;

/* Makes the plan again, and prepares a library. Returns false if the cell FAILED. */
bool xb_cell_plan(xb_cell *cell);
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
/* Copies the inputs to the images. Returns false if the cell FAILED. */
bool xb_cell_fill_images(xb_cell *cell);
/* The largest window: the device's largest binding, less the guard behind it. */
uint64_t xb_largest_window(const xb_device_info *info);
/* Calls `record` for each slot in each placement, and runs the recorded list. Returns false if the cell FAILED. */
bool xb_cell_for_slots(xb_cell *cell, const char *label, void (*record)(const xb_cell *, uint32_t, xb_commands *));
/* Marks the cell as failed with `error` and returns false, for `return xb_cell_fail(cell);`. */
bool xb_cell_fail(xb_cell *cell);
/* The same for XB_NOMEM: out of host memory. */
bool xb_cell_nomem(xb_cell *cell, const char *where);
/* Marks the cell as WRONG and returns false. */
bool xb_cell_wrong(xb_cell *cell, const char *why);

/* Returns true if the user stopped the run; the cell is then INTERRUPTED. */
bool xb_cell_stopped(xb_cell *cell);

/* In each placement: poisons outputs and scratch, fills in-out buffers, runs the plan once, checks outputs and guards.
 * Returns false if the cell is WRONG, FAILED or INTERRUPTED. */
bool xb_cell_verify(xb_cell *cell);
/* Only poisons and fills, before the timed submissions. */
bool xb_cell_poison(xb_cell *cell);
/* How many slots xb_cell_record_contents sets: in-out buffers and scratch of untrusted kernels, timed by the device. 0:
 * the timed runs follow each other on what they left. */
uint32_t xb_cell_restores(const xb_cell *cell);
/* Records the contents of these slots, as before a run that is checked. */
void xb_cell_record_contents(const xb_cell *cell, xb_commands *commands);
/* Checks the outputs after the timed submissions, even after an interrupt: samples only count if this succeeds. With
 * in-out buffers that are not restored, which hold the result of many runs, it checks the guards, then one more run
 * from the beginning. */
bool xb_cell_check(xb_cell *cell);
/* Checks single runs in the first placement after the samples, with the inputs of another seed (xb_workload_refill):
 * 16, or fewer, at least 2, if they take over 0.2 s. A kernel that does its work only once, or not in each run, fails
 * here. Returns false if the cell is WRONG or FAILED. */
bool xb_cell_recheck(xb_cell *cell, uint64_t seed);
/* Copies the state of the shared cell, after that was verified and calibrated. */
void xb_cell_share(xb_cell *cell);

#endif
