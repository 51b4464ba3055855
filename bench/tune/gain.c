#include "judge/stats.h"
#include "tune/tune.h"

#include <math.h>
#include <stdio.h>

xb_gain xb_gain_of(const xb_judgement *runs, size_t count, double margin)
{
  double logs[XB_TUNE_MOST_RUNS], scratch[XB_TUNE_MOST_RUNS];
  xb_gain gain = {.verdict = XB_UNCLEAR};
  for (size_t i = 0; i < count && gain.runs < XB_TUNE_MOST_RUNS; i++)
    if (runs[i].compared)
      logs[gain.runs++] = log(runs[i].ratio);
  if (gain.runs < count || count < XB_TUNE_FEWEST_RUNS) {
    snprintf(gain.reason, sizeof gain.reason, "%zu of %zu runs have a ratio; %d are needed", gain.runs, count,
             XB_TUNE_FEWEST_RUNS);
    return gain;
  }
  const xb_stats s = xb_statistics(logs, gain.runs, (uint32_t)gain.runs, scratch);
  gain.ratio = exp(s.median); /* each run counts as a placement: this is the mean */
  gain.interval = (xb_interval){exp(s.ci95_low), exp(s.ci95_high)};
  gain.verdict = xb_judge(gain.interval, margin);
  for (size_t i = 0; i < count && gain.verdict == XB_FASTER; i++)
    if (runs[i].verdict != XB_FASTER) {
      gain.verdict = XB_UNCLEAR;
      snprintf(gain.reason, sizeof gain.reason, "run %zu alone is %s%s%.60s", i + 1, xb_verdict_name(runs[i].verdict),
               *runs[i].reason ? ": " : "", runs[i].reason);
    }
  return gain;
}
