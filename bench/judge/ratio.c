#include "judge/ratio.h"

#include "judge/stats.h"

#include <math.h>
#include <stdlib.h>

typedef struct ranked {
  double value;
  size_t round;
} ranked;

static int ascending(const void *a, const void *b)
{
  const double x = ((const ranked *)a)->value, y = ((const ranked *)b)->value;
  return (x > y) - (x < y);
}

/* The median of a resample, from the number of times that each round was drawn: no resample needs sorting. */
static double median_of_draws(const ranked *sorted, const uint32_t *drawn, size_t rounds)
{
  const size_t low = (rounds - 1) / 2, high = rounds / 2; /* equal if the count is odd */
  size_t i = 0, seen = drawn[sorted[0].round];
  while (seen <= low)
    seen += drawn[sorted[++i].round];
  const double first = sorted[i].value;
  while (seen <= high)
    seen += drawn[sorted[++i].round];
  return (first + sorted[i].value) / 2;
}

static bool draw_rounds(const double *samples, size_t rounds, uint64_t random, double medians[XB_RESAMPLES])
{
  ranked *sorted = calloc(rounds, sizeof *sorted);
  uint32_t *drawn = calloc(rounds, sizeof *drawn);
  const bool good = sorted && drawn;
  for (size_t i = 0; i < rounds && good; i++)
    sorted[i] = (ranked){samples[i], i};
  if (good)
    qsort(sorted, rounds, sizeof *sorted, ascending);
  for (size_t b = 0; b < XB_RESAMPLES && good; b++) {
    for (size_t i = 0; i < rounds; i++)
      drawn[i] = 0;
    for (size_t i = 0; i < rounds; i++)
      drawn[xb_random(&random) % rounds]++;
    medians[b] = median_of_draws(sorted, drawn, rounds);
  }
  free(sorted);
  free(drawn);
  return good;
}

/* Resampled means of few values vary too little, so their deviations are scaled to the width of Student's interval of
 * the mean. */
static double stretch(size_t n)
{
  return n > 1 ? xb_student(n - 1) / 1.96 * sqrt((double)n / (double)(n - 1)) : 1;
}

static bool draw_placements(const double *samples, size_t rounds, uint32_t placements, uint64_t random,
                            double means[XB_RESAMPLES])
{
  double medians[XB_MOST_PLACEMENTS], *scratch = malloc(rounds * sizeof *scratch);
  if (!scratch)
    return false;
  const size_t n = xb_placement_medians(samples, rounds, placements, medians, scratch);
  free(scratch);
  double mean = 0;
  for (size_t i = 0; i < n; i++)
    mean += medians[i] / (double)n;
  for (size_t b = 0; b < XB_RESAMPLES; b++) {
    double drawn = 0;
    for (size_t i = 0; i < n; i++)
      drawn += medians[xb_random(&random) % n] / (double)n;
    means[b] = mean + stretch(n) * (drawn - mean);
  }
  return true;
}

bool xb_bootstrap(const double *samples, size_t rounds, uint32_t placements, uint64_t seed,
                  double medians[XB_RESAMPLES])
{
  if (!rounds)
    return false;
  return placements > 1 ? draw_placements(samples, rounds, placements, seed, medians)
                        : draw_rounds(samples, rounds, seed, medians);
}

const char *xb_verdict_name(xb_verdict verdict)
{
  static const char *const names[] = {
      [XB_UNCLEAR] = "unclear", [XB_SAME] = "same", [XB_FASTER] = "faster", [XB_SLOWER] = "slower"};
  return names[verdict];
}

xb_verdict xb_judge(xb_interval ratio, double margin)
{
  const double above = 1 + margin, below = 1 / above;
  if (ratio.low >= below && ratio.high <= above)
    return XB_SAME;
  if (ratio.high < below)
    return XB_FASTER;
  return ratio.low > above ? XB_SLOWER : XB_UNCLEAR;
}
