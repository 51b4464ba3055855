#include "judge/judge.h"

#include <math.h>
#include <stdlib.h>

bool xb_mean_add(xb_mean_sum *sum, const xb_judgement *judgement, const xb_judge_scratch *scratch)
{
  if (!sum->log_sums && !(sum->log_sums = calloc(XB_RESAMPLES, sizeof *sum->log_sums)))
    return false;
  sum->compared++;
  sum->log_sum += log(judgement->ratio);
  for (size_t i = 0; i < XB_RESAMPLES; i++)
    sum->log_sums[i] += scratch->log_ratios[i];
  return true;
}

double xb_mean_ratio(xb_mean_sum *sum, xb_interval *interval)
{
  const double n = (double)sum->compared;
  *interval = (xb_interval){NAN, NAN};
  if (!sum->compared)
    return NAN;
  for (size_t i = 0; i < XB_RESAMPLES; i++)
    sum->log_sums[i] = exp(sum->log_sums[i] / n);
  *interval = xb_interval95(sum->log_sums);
  return exp(sum->log_sum / n);
}

void xb_mean_free(xb_mean_sum *sum)
{
  free(sum->log_sums);
  *sum = (xb_mean_sum){0};
}
