#include "judge/stopping.h"

#include "judge/stats.h"

#include <stdlib.h>

enum { FEWEST = 24 };

const char *xb_settled_by(const double *samples, size_t count, uint32_t placements, double width, double *scratch)
{
  if (count < FEWEST)
    return NULL;
  const xb_stats first = xb_statistics(samples, count * 2 / 3, placements, scratch);
  if (first.ci95_high - first.ci95_low <= width * first.median)
    return "interval";
  return placements > 1 && first.noise <= width * first.median / 4 ? "placements" : NULL;
}

static const char *settled(const xb_stopping *rule, const xb_sampled *s)
{
  const size_t step = s->count / 8;
  if (rule->rarely && step && s->count % step)
    return NULL;
  double *scratch = malloc((s->count + 1) * sizeof *scratch);
  const char *why = scratch ? xb_settled_by(s->samples, s->count, s->placements, rule->width, scratch) : NULL;
  free(scratch);
  return why;
}

const char *xb_stopped_by(const xb_stopping *rule, const xb_sampled *s)
{
  const char *why = s->sampled_ns >= rule->min_ns ? settled(rule, s) : NULL;
  return why ? why : s->spent_ns >= rule->max_ns ? "time limit" : s->count >= XB_MOST_SAMPLES ? "most samples" : NULL;
}
