#include "diff/diff.h"
#include "exit_codes.h"
#include "measure/cell.h"
#include "measure/stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for one pair, and the mean that it goes into. */
typedef struct resampled {
  double base[XB_RESAMPLES], now[XB_RESAMPLES], values[XB_RESAMPLES], log_sums[XB_RESAMPLES];
  double log_sum;
  size_t compared;
} resampled;

/* ---- One cell --------------------------------------------------------------------------------------------------- */

static uint32_t placements(const xb_saved_result *r)
{
  return r->placements ? (uint32_t)r->placements : 1;
}

/* Of the raw samples, as the run itself takes it. */
static bool take_median(const xb_saved_result *r, double *median)
{
  double *scratch = malloc(r->samples_ns.count * sizeof *scratch);
  if (!scratch)
    return false;
  *median = xb_statistics(r->samples_ns.values, r->samples_ns.count, placements(r), scratch).median;
  free(scratch);
  return true;
}

/* What the timer cannot tell, as a part of the median: a step of it in each sample. At most all of it. */
static double timer_part(const xb_saved_result *r, double median)
{
  const bool device_clock = r->clock && !strcmp(r->clock, "device");
  const double runs = (double)(r->batch ? r->batch : 1) * (double)(r->repeats ? r->repeats : 1);
  return device_clock && !isnan(r->on->timestamp_period_ns) ? fmin(r->on->timestamp_period_ns / runs / median, 1) : 0;
}

static xb_change change_of(xb_verdict verdict)
{
  switch (verdict) {
  case XB_SLOWER: return XB_CHANGE_REGRESSION;
  case XB_FASTER: return XB_CHANGE_IMPROVEMENT;
  case XB_SAME: return XB_CHANGE_UNCHANGED;
  case XB_UNCLEAR: break;
  }
  return XB_CHANGE_UNCLEAR;
}

static bool on_cpu(const xb_saved_result *r)
{
  return r->on->type && !strcmp(r->on->type, "cpu");
}

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* What nine of ten samples are at least, and at most. */
static bool middle(const xb_numbers *samples, xb_interval *tenths)
{
  double *sorted = malloc(samples->count * sizeof *sorted);
  if (!sorted)
    return false;
  memcpy(sorted, samples->values, samples->count * sizeof *sorted);
  qsort(sorted, samples->count, sizeof *sorted, ascending);
  *tenths = (xb_interval){sorted[samples->count / 10], sorted[samples->count - 1 - samples->count / 10]};
  free(sorted);
  return true;
}

/* A CPU shares its time with whatever else runs, and does so in another way in each run: the samples of one run do not
 * tell how the next one will be. There a change has to show in the samples themselves, not only in their median. False:
 * out of memory. */
static bool check_overlap(xb_diff_cell *cell, double threshold)
{
  xb_interval base, now;
  if (!on_cpu(cell->base) && !on_cpu(cell->now))
    return true;
  if (!middle(&cell->base->samples_ns, &base) || !middle(&cell->now->samples_ns, &now))
    return false;
  const bool slower = now.low > base.high * (1 + threshold), faster = now.high * (1 + threshold) < base.low;
  if ((cell->change == XB_CHANGE_REGRESSION && !slower) || (cell->change == XB_CHANGE_IMPROVEMENT && !faster)) {
    cell->change = XB_CHANGE_UNCLEAR;
    snprintf(cell->reason, sizeof cell->reason, "on a CPU, and the samples of the two runs overlap");
  }
  return true;
}

static void judge_interval(xb_diff_cell *cell, double threshold)
{
  const bool base = cell->base->throttle.count, now = cell->now->throttle.count;
  const size_t a = cell->base->samples_ns.count, b = cell->now->samples_ns.count;
  cell->change = change_of(xb_judge(cell->interval, threshold));
  if (base != now) {
    cell->change = XB_CHANGE_UNCLEAR;
    snprintf(cell->reason, sizeof cell->reason, "%s was throttled", base ? "base" : "new");
  } else if (xb_placed_unlike(cell->base->crowded == 1, cell->base->placements, cell->now->crowded == 1,
                              cell->now->placements)) {
    cell->change = XB_CHANGE_UNCLEAR;
    snprintf(cell->reason, sizeof cell->reason, "%s had memory for one placement only",
             cell->base->crowded == 1 ? "base" : "new");
  } else if (a < XB_MIN_SAMPLES || b < XB_MIN_SAMPLES) {
    cell->change = XB_CHANGE_UNCLEAR;
    snprintf(cell->reason, sizeof cell->reason, "fewer than %d samples", XB_MIN_SAMPLES);
  } else if (cell->change == XB_CHANGE_UNCLEAR) {
    const bool differs = cell->interval.low > 1 || cell->interval.high < 1;
    snprintf(cell->reason, sizeof cell->reason, "%s",
             differs ? "differs, but maybe by less than the threshold" : "the interval is wider than the threshold");
  }
}

/* A ratio that two runs of one thing can have; NAN is none. */
static bool sane(double ratio)
{
  return ratio > 1e-9 && ratio < 1e9;
}

/* The runs were apart, so each is resampled by itself. False: out of memory. */
static bool compare(xb_diff_cell *cell, double threshold, uint64_t *seed, resampled *r)
{
  const uint64_t base_seed = xb_random(seed), now_seed = xb_random(seed);
  const xb_numbers *base = &cell->base->samples_ns, *now = &cell->now->samples_ns;
  if (!take_median(cell->base, &cell->base_ns) || !take_median(cell->now, &cell->now_ns) ||
      !xb_bootstrap(base->values, base->count, placements(cell->base), base_seed, r->base) ||
      !xb_bootstrap(now->values, now->count, placements(cell->now), now_seed, r->now))
    return false;
  bool good = sane(cell->now_ns / cell->base_ns);
  for (size_t i = 0; i < XB_RESAMPLES && good; i++) {
    r->values[i] = r->now[i] / r->base[i];
    good = sane(r->values[i]);
  }
  if (!good) {
    cell->change = XB_CHANGE_UNCLEAR;
    snprintf(cell->reason, sizeof cell->reason, "some of the times are 0, or differ too much");
    return true;
  }
  for (size_t i = 0; i < XB_RESAMPLES; i++)
    r->log_sums[i] += log(r->values[i]);
  const double part = timer_part(cell->base, cell->base_ns) + timer_part(cell->now, cell->now_ns);
  const xb_interval interval = xb_interval95(r->values);
  cell->compared = true;
  cell->ratio = cell->now_ns / cell->base_ns;
  cell->interval = (xb_interval){interval.low * (1 - part), interval.high * (1 + part)};
  r->log_sum += log(cell->ratio);
  r->compared++;
  judge_interval(cell, threshold);
  return check_overlap(cell, threshold);
}

static bool judge_cell(xb_diff_cell *cell, double threshold, uint64_t *seed, resampled *r)
{
  const bool base = cell->base && cell->base->outcome == XB_CELL_OK;
  const bool now = cell->now && cell->now->outcome == XB_CELL_OK;
  if (base && now)
    return compare(cell, threshold, seed, r);
  if (!cell->now)
    cell->change = XB_CHANGE_MISSING;
  else if (base || cell->now->outcome == XB_CELL_WRONG)
    cell->change = XB_CHANGE_FAILING;
  else if (!cell->base)
    cell->change = XB_CHANGE_NEW;
  else
    cell->change = now ? XB_CHANGE_FIXED : XB_CHANGE_NO_TIME;
  return true;
}

/* ---- All -------------------------------------------------------------------------------------------------------- */

static const char *benchmark_of(const xb_diff_cell *cell)
{
  return cell->now ? cell->now->benchmark : cell->base->benchmark;
}

static void finish_mean(xb_diff *diff, const char *benchmark, resampled *r)
{
  const double n = (double)r->compared;
  for (size_t i = 0; i < XB_RESAMPLES && r->compared; i++)
    r->values[i] = exp(r->log_sums[i] / n);
  if (r->compared)
    diff->means[diff->mean_count++] = (xb_diff_mean){.benchmark = benchmark,
                                                     .ratio = exp(r->log_sum / n),
                                                     .interval = xb_interval95(r->values),
                                                     .compared = r->compared};
  memset(r, 0, sizeof *r);
}

static int by_change(const void *a, const void *b)
{
  const xb_diff_cell *x = a, *y = b;
  if (x->change != y->change)
    return x->change < y->change ? -1 : 1;
  if (x->now && y->now)
    return (x->now > y->now) - (x->now < y->now);
  return (x->base > y->base) - (x->base < y->base); /* all of one change lie in the same document */
}

xb_code xb_diff_judge(xb_diff *diff, xb_error *err)
{
  resampled *r = calloc(1, sizeof *r);
  uint64_t seed = diff->seed;
  diff->means = calloc(diff->cell_count + 1, sizeof *diff->means);
  bool good = r && diff->means;
  for (size_t i = 0; i < diff->cell_count && good; i++) {
    xb_diff_cell *cell = &diff->cells[i];
    good = judge_cell(cell, diff->threshold, &seed, r);
    diff->counts[cell->change]++;
    if (i + 1 == diff->cell_count || strcmp(benchmark_of(cell), benchmark_of(cell + 1)) != 0)
      finish_mean(diff, benchmark_of(cell), r);
  }
  free(r);
  if (!good)
    return xb_fail(err, XB_NOMEM, "diff", "out of host memory");
  qsort(diff->cells, diff->cell_count, sizeof *diff->cells, by_change);
  return XB_OK;
}

void xb_diff_free(xb_diff *diff)
{
  free(diff->cells);
  free(diff->means);
}

int xb_diff_exit_code(const xb_diff *diff)
{
  if (diff->counts[XB_CHANGE_FAILING])
    return XB_EXIT_WRONG;
  return diff->counts[XB_CHANGE_REGRESSION] ? XB_EXIT_REGRESSION : XB_EXIT_OK;
}
