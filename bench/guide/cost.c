/* Measures the time of a case's kernels, with --cost. Times are reported, never asserted. */
#include "guide/guide.h"
#include "judge/stats.h"

#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 15, DISPATCHES = 100 };

void xb_guide_cost(xb_guide *g, const char *what, const xb_guide_job *job)
{
  double ns[SAMPLES] = {0};
  xb_error error;
  xb_guide_job timed = *job;
  if (!g->cost || !(timed.out = malloc(job->out_bytes)))
    return;
  xb_code code = XB_OK;
  timed.times = DISPATCHES;
  for (int i = 0; i < SAMPLES && !code; i++) {
    memset(timed.out, 0, job->out_bytes);
    timed.device_ns = &ns[i];
    code = xb_guide_try(g, &timed, &error);
  }
  free(timed.out);
  if (code) {
    xb_guide_seen(g, "cost of %s: %s", what, error.message);
    return;
  }
  double scratch[SAMPLES];
  const xb_stats s = xb_statistics(ns, SAMPLES, 1, scratch);
  xb_guide_seen(g, "cost of %s: %.2f us a dispatch (%.2f to %.2f; median of %d times %d, barriers between)", what,
                s.median / DISPATCHES / 1e3, s.minimum / DISPATCHES / 1e3, s.maximum / DISPATCHES / 1e3, SAMPLES,
                DISPATCHES);
}
