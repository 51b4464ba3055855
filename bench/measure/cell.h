/* A cell is one variant on one device for one element type, size and group size: what the caller asks for, then the
 * plan, the buffers, the samples and the verdict that come of it. */
#ifndef XB_CELL_H
#define XB_CELL_H

#include "judge/stats.h"
#include "machine/monitor.h"
#include "measure/workload.h"

typedef enum xb_cache { XB_CACHE_HOT, XB_CACHE_COLD } xb_cache;

/* How the work of one sample is repeated: by several dispatches, or by a loop inside the kernel. */
typedef enum xb_loop { XB_LOOP_LAUNCH, XB_LOOP_KERNEL } xb_loop;

/* The list may call it at each submission, so it must live as long as the list. */
typedef struct xb_recorded_call {
  xb_library_fn *fn;
  xb_library_call with;
} xb_recorded_call;

/* A plan with lists. */
typedef struct xb_lists {
  xb_commands **commands; /* NULL: work of the host */
  xb_point *points;       /* of the last submissions */
  xb_span last, shortest; /* the last run, the shortest sample; they share alone_ns */
} xb_lists;

/* The kernels of the plan, its buffers in each placement, and the lists that run them. */
typedef struct xb_cell_buffers {
  xb_kernel **kernels;
  uint64_t code_hash;      /* FNV-1a of their code; 0 without a kernel */
  uint32_t placements;     /* sets of buffers, which samples use in turn */
  uint32_t placement;      /* the current one, to record, poison, run or check */
  bool crowded;            /* memory was too short for more than one placement */
  xb_placement *placed;    /* [slot][placement]; unused for inputs: the workload has them */
  xb_image **images;       /* [slot]; NULL: the slot has none */
  xb_recorded_call *calls; /* [step][placement]: calls of vendor libraries */
  xb_commands *timed[XB_MAX_PLACEMENTS];
  xb_commands *once; /* a single run in the first placement, timed */
  xb_lists *lists;   /* of a plan with lists */
} xb_cell_buffers;

/* How a cell is sampled, the times, and the state of the GPU meanwhile. */
typedef struct xb_cell_samples {
  uint32_t batch;    /* runs of the plan in one sample */
  double once_ns;    /* approximate time of one run */
  double restore_ns; /* device time to restore the contents before a run, taken off; 0: they are not restored */
  double linear_ns[XB_LINEAR_POINTS]; /* XB_LOOP_KERNEL: times of runs of 1, 2, 4 and 8 repetitions, before sampling */
  bool sampling;                      /* a call of a plan is for its time alone */
  double untimed_ns;                  /* what the last calls left untimed */

  bool depends;            /* untrusted kernels: with new inputs a run took longer, each time that they were drawn, */
  double new_ns, again_ns; /* the last time so long, and so long with the same inputs again */
  size_t drawn_at;         /* samples before inputs were drawn last */
  double checked_ns;       /* host time for checks of samples, while sampling */

  double *ns;       /* time of one run, by the variant's clock; sample i: round i, placement i % placements */
  double *host_ns;  /* host time per run: submit to complete of the sample; meaningless with a flush before each run */
  double *issue_ns; /* streams: host time per run to issue the commands of the sample */
  size_t count, capacity;
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
  size_t throttled;             /* samples during which the GPU's clocks were throttled */
  uint32_t throttle;            /* the reasons: xb_throttle bits */
  xb_gpu_state before, after;   /* the samples */
  xb_gpu_state lowest, highest; /* during */
} xb_cell_samples;

/* A hash of all words of a cell's outputs, to tell if two APIs gave the same bits; not a protection. */
typedef struct xb_output_hash {
  uint64_t sum, words;
} xb_output_hash;

/* Adds the next words. A sum, so that no step waits for the multiplication of the step before: it must not slow down
 * the check that reads the same words. Each word is mixed with its position. */
static inline void xb_output_hash_add(xb_output_hash *hash, const uint32_t *words, uint64_t count)
{
  uint64_t sum = hash->sum, key = hash->words * UINT64_C(0x9E3779B97F4A7C15);
  for (uint64_t i = 0; i < count; i++) {
    key += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t mixed = (key ^ words[i]) * UINT64_C(0xD6E8FEB86659FD93);
    mixed = (mixed ^ mixed >> 32) * UINT64_C(0xD6E8FEB86659FD93);
    sum += mixed ^ mixed >> 32;
  }
  hash->sum = sum;
  hash->words += count;
}

enum { XB_RIGHT_PARTS = 32 }; /* a part is 16 MiB */

/* The hash of a part of an output that was right: the same bits are right again. */
typedef struct xb_right_part {
  uint64_t seed, first, sum;
  uint32_t slot;
} xb_right_part;

/* What came of a cell, and what its outputs were checked against. */
typedef struct xb_cell_verdict {
  xb_outcome outcome;
  xb_error error;
  bool verified;           /* true after the checks before and after the samples */
  uint32_t rechecked_runs; /* single runs that were right after the samples */
  xb_right_part right[XB_RIGHT_PARTS];
  uint32_t right_count;
  bool hashing;           /* the check that runs also hashes the outputs */
  bool other_poison;      /* poison and guards have their other values */
  bool alone;             /* the check compares no placement with the first one */
  xb_output_hash outputs; /* of the first run that was checked; no words: nothing is checked */
} xb_cell_verdict;

typedef struct xb_cell {
  xb_case c;
  const xb_workload *workload;
  xb_monitor *monitor; /* of the device; NULL if unavailable */
  bool is_control;     /* measured only to compare others with it: a copy or a floor */
  bool base;           /* in a comparison: a baseline */
  bool preset;         /* its group size and axis points were saved by a tuning run */
  /* An earlier cell that is identical. This cell uses its kernels, buffers and lists. */
  const struct xb_cell *shared;
  uint32_t wanted_placements; /* 0: depends on the device type; at most XB_MAX_PLACEMENTS */
  uint32_t most_placements;   /* as many as memory allows; 0: no limit */
  xb_cache cache;
  xb_loop loop;     /* KERNEL: a run has c.repeats repetitions, and all times are per repetition */
  double sample_ns; /* target time of a sample: two timestamps and their barriers take 6 us of it on an H200 */
  const volatile sig_atomic_t *stop; /* set by Ctrl-C: ends verification and calibration; may be NULL */

  xb_plan plan; /* without steps: none was made */
  xb_cell_buffers buffers;
  xb_cell_samples samples;
  xb_cell_verdict verdict;
} xb_cell;

/* Makes the plan, which then stays the cell's: inputs, memory and results are counted by it. Returns false if the API
 * cannot express the variant, or if the benchmark refuses the case; the cell has the outcome. The caller has set c. */
bool xb_cell_plan(xb_cell *cell);
/* The plan for another number of repetitions. Returns false if the cell FAILED. */
bool xb_cell_plan_again(xb_cell *cell, uint32_t repeats);
/* The last step of a cell that is not measured: its outcome tells if its library is here. */
void xb_cell_refuse(xb_cell *cell);
/* Makes the kernels and the buffers, and the plan if there is none. The caller has set c and workload. On failure the
 * cell is FAILED. */
void xb_cell_create(xb_cell *cell);
void xb_cell_destroy(xb_cell *cell);
bool xb_cell_create_kernels(xb_cell *cell);
void xb_cell_destroy_kernels(xb_cell *cell);
/* Kernel code that the driver has not seen before: drivers keep compiled code, in memory and on disk. Such a kernel has
 * this constant in a condition that never holds in practice. */
enum { XB_FRESH_WORD = 0x5EEDC0DE };

/* Points `desc` to a copy of its code in which a new number replaces that constant. The caller frees `*copy` after the
 * kernel was created. XB_UNSUPPORTED if the code has no such constant. */
xb_code xb_fresh_code(xb_kernel_desc *desc, uint32_t **copy, xb_error *err);
/* How often one sample does the work: runs of the plan, times repetitions inside the kernel. */
double xb_cell_runs(const xb_cell *cell);
/* True if the cell measures the minimum cost of a dispatch. Other cells do not wait for it, as it only adds information
 * to their results. */
static inline bool xb_cell_is_floor(const xb_cell *cell)
{
  return cell->is_control && cell->c.variant->floor;
}
/* Creates a command list for the queue of the variant. */
xb_code xb_cell_commands(xb_cell *cell, const char *label, uint32_t timestamps, xb_commands **commands);
/* Where a slot's buffer is in the current placement. */
xb_placement xb_cell_placement(const xb_cell *cell, uint32_t slot);
/* The address of its contents there, for the case's window. The slot is addressed. */
uint64_t xb_cell_address(const xb_cell *cell, uint32_t slot);
/* The case begins its inputs that slide with this window, 0 to XB_WINDOWS - 1; without such inputs nothing changes. */
void xb_cell_set_window(xb_cell *cell, uint32_t window);
/* Where the contents of an input begin in its placements, for the case's window. */
uint64_t xb_cell_window_offset(const xb_cell *cell, const xb_slot *slot);
/* Records the plan once, for the current placement. `backwards`: the steps between two barriers in reverse order. */
void xb_cell_record(xb_cell *cell, bool backwards, xb_commands *commands);
/* Records the steps of one of the plan's lists. */
void xb_cell_record_list(xb_cell *cell, uint32_t list, xb_commands *commands);
/* Runs a step XB_STEP_CALL, and adds to `*untimed_ns`. Returns false if the cell FAILED. (record.c) */
bool xb_cell_call(xb_cell *cell, const xb_step *step, double *untimed_ns);
/* Runs a plan of XB_CLOCK_CALLS once, in order. `*ns` is its time without what calls left untimed. Returns false if the
 * cell FAILED. (record.c) */
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

/* ---- Placements (placement.c) ------------------------------------------------------------------------------------ */

/* The number of placements of this cell, which was planned, at most `most`. It is 1 if the host times the cell or takes
 * part in its work. Yardsticks get several only if these are small. A cell whose placements take long to check gets
 * XB_FEWEST_PLACEMENTS, unless the user asked for a number. */
uint32_t xb_cell_placements(const xb_cell *cell, uint32_t most);
/* The number of placements of the inputs: the largest number that a cell of the workload reads. */
uint32_t xb_input_placements(const xb_cell *cells, size_t count, const xb_workload *workload, uint32_t most);
/* The number of placements for all cells and inputs of a group that fits into `free_bytes` of one GPU: at most
 * `wanted`, and 1 if fewer than XB_FEWEST_PLACEMENTS fit. The inputs of the workloads are recorded and the cells
 * planned, but no cell has been created. */
uint32_t xb_placements_with_room(const xb_cell *cells, size_t count, uint32_t wanted, uint64_t free_bytes);

/* ---- Plans with lists (lists.c) --------------------------------------------------------------------------------- */

/* Each list is submitted to its queue, after the lists that it waits for. Runs all lists once, and records them before
 * if this is the first run. Returns false if the cell FAILED. */
bool xb_lists_run(xb_cell *cell, double *ns);
/* The same, and keeps the times of the shortest sample. */
bool xb_lists_sample(xb_cell *cell, double *ns, double *issued_ns);
/* Runs each list alone, several times. */
bool xb_lists_run_alone(xb_cell *cell);
void xb_lists_destroy(xb_cell *cell);

/* ---- Samples, by the clock of the variant (sample.c) ------------------------------------------------------------ */

/* Chooses the number of runs per sample, after single runs that wake the device. Returns false if the cell failed or
 * was interrupted. */
bool xb_sample_calibrate(xb_cell *cell);
/* Takes one sample without keeping it. */
bool xb_sample_run(xb_cell *cell, double *ns, double *host_ns);
/* Takes the time of a single run in the first placement, whose input begins as that of a sample's last run. */
bool xb_sample_once(xb_cell *cell, double *ns);
/* Takes one sample and keeps it. Returns false if the cell failed. */
bool xb_sample_take(xb_cell *cell);

/* ---- Checks (verify.c): before the samples, after them, and in single runs with other inputs --------------------- */

/* In each placement: poisons outputs and scratch, fills in-out buffers, runs the plan once, checks outputs and guards.
 * Returns false if the cell is WRONG, FAILED or INTERRUPTED. */
bool xb_cell_verify(xb_cell *cell);
/* Only poisons and fills, before the timed submissions. */
bool xb_cell_poison(xb_cell *cell);
/* How many slots xb_cell_record_contents sets: outputs, in-out buffers and scratch of untrusted kernels, timed by the
 * device. 0: the timed runs follow each other on what they left. */
uint32_t xb_cell_restores(const xb_cell *cell);
/* Records the contents of these slots, as before a run that is checked. */
void xb_cell_record_contents(const xb_cell *cell, xb_commands *commands);
/* Checks what a sample left in the current placement. `alone`: the first one has something else. */
bool xb_cell_check_timed(xb_cell *cell, bool alone);
/* Checks the outputs after the timed submissions, even after an interrupt: samples only count if this succeeds. With
 * in-out buffers that are not restored, which hold the result of many runs, it checks the guards, then one more run
 * from the beginning. */
bool xb_cell_check(xb_cell *cell);
/* Checks single runs in the first placement after the samples, with the inputs of another seed (xb_workload_refill):
 * 16, or fewer, at least 2, if they take over 0.2 s. A kernel that does its work only once, or not in each run, fails
 * here. Returns false if the cell is WRONG or FAILED. */
bool xb_cell_recheck(xb_cell *cell, uint64_t seed);

/* ---- While they are timed: inputs that are drawn (draws.c) ------------------------------------------------------ */

/* The inputs of the cell are drawn anew. */
bool xb_is_drawn(const xb_cell *cell);
/* Checks the output of the cell's last sample, as far as the time for that goes. `must`: however long it takes. */
void xb_check_between(xb_cell *cell, bool must);
/* Gives the cells new inputs, after what they made of the last ones was checked. */
void xb_draw_inputs(xb_cell *cells, size_t count, uint32_t draw);
/* More inputs that are new to a cell all of whose drawn ones were slow; it is WRONG if these are, too. They are made
 * while the GPU rests, so it is woken before they come. */
void xb_confirm_dependence(xb_cell *cell, void (*wake)(void *user), void *user);

#endif
