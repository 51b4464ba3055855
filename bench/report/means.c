#include "report/results.h"

#include <math.h>
#include <stdlib.h>

static xb_mean *find(xb_means *means, const xb_pair *pair)
{
  const xb_device_info *subject = pair->subject->c.device, *base = pair->base->c.device;
  for (size_t i = 0; i < means->count; i++) {
    xb_mean *m = &means->means[i];
    if (m->benchmark == pair->subject->c.variant->benchmark && m->subject == subject && m->base == base)
      return m;
  }
  if (means->count == XB_MAX_MEANS)
    return NULL;
  xb_mean *m = &means->means[means->count];
  *m = (xb_mean){.benchmark = pair->subject->c.variant->benchmark,
                 .subject = subject,
                 .base = base,
                 .base_variant = pair->base->c.variant != pair->subject->c.variant ? pair->base->c.variant : NULL,
                 .margin = pair->margin,
                 .log_sums = calloc(XB_RESAMPLES, sizeof *m->log_sums)};
  means->count += m->log_sums != NULL;
  return m->log_sums ? m : NULL;
}

bool xb_means_add(xb_means *means, const xb_comparison *comparison)
{
  for (size_t i = 0; i < comparison->count; i++) {
    const xb_pair *pair = &comparison->pairs[i];
    if (!pair->base || pair->subject->outcome == XB_CELL_NO_COUNTERPART ||
        pair->base->outcome == XB_CELL_NO_COUNTERPART)
      continue;
    xb_mean *m = find(means, pair);
    if (!m)
      return false;
    m->of++;
    if (!pair->compared)
      continue;
    m->compared++;
    m->log_sum += log(pair->ratio);
    for (size_t b = 0; b < XB_RESAMPLES; b++)
      m->log_sums[b] += comparison->log_ratios[i * XB_RESAMPLES + b];
  }
  return true;
}

double xb_mean_ratio(const xb_mean *mean)
{
  return mean->compared ? exp(mean->log_sum / (double)mean->compared) : 0;
}

xb_interval xb_mean_interval(const xb_mean *mean)
{
  double *ratios = mean->compared ? malloc(XB_RESAMPLES * sizeof *ratios) : NULL;
  if (!ratios)
    return (xb_interval){0};
  for (size_t b = 0; b < XB_RESAMPLES; b++)
    ratios[b] = exp(mean->log_sums[b] / (double)mean->compared);
  const xb_interval interval = xb_interval95(ratios);
  free(ratios);
  return interval;
}

void xb_means_free(xb_means *means)
{
  for (size_t i = 0; i < means->count; i++)
    free(means->means[i].log_sums);
  means->count = 0;
}
