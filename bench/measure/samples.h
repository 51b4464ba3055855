/* The samples of a cell: how they are taken, their times, and the state of the GPU meanwhile. */
#ifndef XB_SAMPLES_H
#define XB_SAMPLES_H

#include "judge/linear.h"
#include "judge/stats.h"
#include "machine/monitor.h"

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

#endif
