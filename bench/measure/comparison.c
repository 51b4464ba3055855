#include "measure/comparison.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double xb_default_margin(const xb_device_info *info)
{
  return info->type == XB_DEVICE_CPU ? 0.1 : 0.01;
}

/* ---- Floors ----------------------------------------------------------------------------------------------------- */

const xb_cell *xb_floor_cell(const xb_cell *cells, size_t count, const xb_device_info *target)
{
  for (size_t i = 0; i < count; i++)
    if (cells[i].yardstick && cells[i].c.variant->floor && cells[i].c.device == target &&
        cells[i].outcome == XB_CELL_OK)
      return &cells[i];
  return NULL;
}

/* Runs of a batch, and steps with a barrier between, follow one another; the rest overlaps. */
static double dependent_dispatches(const xb_cell *cell)
{
  uint32_t count = 1;
  for (uint32_t i = 0; i < cell->plan.step_count; i++)
    count += cell->plan.steps[i].kind == XB_STEP_BARRIER;
  return count / (double)(cell->c.repeats ? cell->c.repeats : 1);
}

/* How many dispatches a library makes is its own business. */
static bool has_floor(const xb_cell *cell)
{
  return xb_has_kernel(cell->c.variant) && cell->c.variant->clock == XB_CLOCK_DEVICE && !cell->c.variant->overlap &&
         cell->cache == XB_CACHE_HOT;
}

double xb_floor_ns(const xb_cell *cells, size_t count, const xb_cell *cell)
{
  const xb_cell *floor = has_floor(cell) ? xb_floor_cell(cells, count, cell->c.device) : NULL;
  return floor && floor != cell ? dependent_dispatches(cell) * floor->device.median : 0;
}

/* ---- Pairs ------------------------------------------------------------------------------------------------------ */

/* Of the same variant where there is such a base, else of the one variant that is; with a result rather than without;
 * on the same target rather than on another. */
static int fitness(const xb_cell *base, const xb_cell *subject)
{
  if (!base->base || base->c.variant->benchmark != subject->c.variant->benchmark)
    return 0;
  return 1 + 4 * (base->c.variant == subject->c.variant) + 2 * (base->outcome == XB_CELL_OK) +
         (base->workload == subject->workload);
}

static const xb_cell *find_base(const xb_cell *cells, size_t count, const xb_cell *subject)
{
  const xb_cell *found = NULL;
  int best = 0;
  for (size_t i = 0; i < count; i++) {
    const int fits = fitness(&cells[i], subject);
    if (fits > best) {
      best = fits;
      found = &cells[i];
    }
  }
  return found;
}

static const char *side(const xb_pair *pair, const xb_cell *cell)
{
  return cell == pair->subject ? "this side" : "the base";
}

static bool comparable(xb_pair *pair)
{
  const xb_cell *cells[] = {pair->subject, pair->base};
  for (int i = 0; i < 2; i++) {
    if (cells[i] && cells[i]->outcome == XB_CELL_OK)
      continue;
    const bool none = cells[i] && cells[i]->outcome == XB_CELL_NO_COUNTERPART;
    snprintf(pair->reason, sizeof pair->reason, "no %s on %s", none ? "counterpart" : "result",
             cells[i] ? side(pair, cells[i]) : "any other side");
    return false;
  }
  return true;
}

/* What the timer cannot tell, as a part of the median: a step of it in each sample. */
static double timer_part(const xb_cell *cell)
{
  const bool device_clock = cell->c.variant->clock == XB_CLOCK_DEVICE;
  return device_clock ? cell->c.device->timestamp_period_ns / xb_cell_runs(cell) / cell->device.median : 0;
}

static xb_interval widened(xb_interval interval, const xb_pair *pair)
{
  const double part = timer_part(pair->subject) + timer_part(pair->base);
  return (xb_interval){interval.low * (1 - part), interval.high * (1 + part)};
}

static void judge(xb_pair *pair)
{
  const bool subject = pair->subject->throttle != 0, base = pair->base->throttle != 0;
  pair->verdict = xb_judge(pair->interval, pair->margin);
  if (subject != base) {
    pair->verdict = XB_UNCLEAR;
    snprintf(pair->reason, sizeof pair->reason, "%s was throttled", side(pair, subject ? pair->subject : pair->base));
  } else if (xb_placed_unlike(pair->subject->crowded, pair->subject->placements, pair->base->crowded,
                              pair->base->placements)) {
    pair->verdict = XB_UNCLEAR;
    snprintf(pair->reason, sizeof pair->reason, "%s had memory for one placement only",
             side(pair, pair->subject->crowded ? pair->subject : pair->base));
  } else if (pair->subject->sample_count < XB_MIN_SAMPLES || pair->base->sample_count < XB_MIN_SAMPLES) {
    pair->verdict = XB_UNCLEAR;
    snprintf(pair->reason, sizeof pair->reason, "fewer than %d rounds", XB_MIN_SAMPLES);
  } else if (pair->verdict == XB_UNCLEAR) {
    const bool differs = pair->interval.low > 1 || pair->interval.high < 1;
    snprintf(pair->reason, sizeof pair->reason, "%s",
             differs ? "differs, but maybe by less than the margin" : "the interval is wider than the margin");
  }
}

/* ---- Resampling ------------------------------------------------------------------------------------------------- */

typedef struct resampled {
  double subject[XB_RESAMPLES], base[XB_RESAMPLES], subject_floor[XB_RESAMPLES], base_floor[XB_RESAMPLES];
  double values[XB_RESAMPLES];
} resampled;

static bool resample(const xb_cell *cell, size_t rounds, uint64_t seed, double *medians)
{
  return xb_bootstrap(cell->samples_ns, rounds < cell->sample_count ? rounds : cell->sample_count, cell->placements,
                      seed, medians);
}

static bool compare_less_floors(const xb_cell *cells, size_t count, xb_pair *pair, size_t rounds, uint64_t seed,
                                resampled *r)
{
  const double subject = xb_floor_ns(cells, count, pair->subject), base = xb_floor_ns(cells, count, pair->base);
  if (subject <= 0 || base <= 0)
    return true;
  if (!resample(xb_floor_cell(cells, count, pair->subject->c.device), rounds, seed, r->subject_floor) ||
      !resample(xb_floor_cell(cells, count, pair->base->c.device), rounds, seed, r->base_floor))
    return false;
  const double times = dependent_dispatches(pair->subject), base_times = dependent_dispatches(pair->base);
  pair->ratio_less_floors = (pair->subject->device.median - (subject - base)) / pair->base->device.median;
  for (size_t b = 0; b < XB_RESAMPLES; b++)
    r->values[b] = (r->subject[b] - (times * r->subject_floor[b] - base_times * r->base_floor[b])) / r->base[b];
  pair->interval_less_floors = widened(xb_interval95(r->values), pair);
  return true;
}

static bool compare(const xb_cell *cells, size_t count, xb_pair *pair, double *log_ratios, uint64_t seed, resampled *r)
{
  const size_t a = pair->subject->sample_count, b = pair->base->sample_count, rounds = a < b ? a : b;
  if (!resample(pair->subject, rounds, seed, r->subject) || !resample(pair->base, rounds, seed, r->base))
    return false;
  pair->compared = true;
  pair->ratio = pair->subject->device.median / pair->base->device.median;
  for (size_t i = 0; i < XB_RESAMPLES; i++) {
    r->values[i] = r->subject[i] / r->base[i];
    log_ratios[i] = log(r->values[i]);
  }
  pair->interval = widened(xb_interval95(r->values), pair);
  judge(pair);
  return compare_less_floors(cells, count, pair, rounds, seed, r);
}

xb_code xb_compare_cells(const xb_cell *cells, size_t count, double margin, uint64_t seed, xb_comparison *comparison,
                         xb_error *err)
{
  *comparison = (xb_comparison){.pairs = calloc(count ? count : 1, sizeof *comparison->pairs)};
  resampled *r = malloc(sizeof *r);
  for (size_t i = 0; i < count && comparison->pairs; i++)
    if (!cells[i].base && !cells[i].yardstick)
      comparison->pairs[comparison->count++] =
          (xb_pair){.subject = &cells[i], .base = find_base(cells, count, &cells[i])};
  const size_t pairs = comparison->count ? comparison->count : 1;
  comparison->log_ratios = calloc(pairs * XB_RESAMPLES, sizeof *comparison->log_ratios);
  bool good = comparison->pairs && comparison->log_ratios && r;
  for (size_t i = 0; i < comparison->count && good; i++) {
    xb_pair *pair = &comparison->pairs[i];
    pair->margin = margin >= 0 ? margin : xb_default_margin(pair->subject->c.device);
    if (comparable(pair))
      good = compare(cells, count, pair, &comparison->log_ratios[i * XB_RESAMPLES], seed, r);
  }
  free(r);
  if (good)
    return XB_OK;
  xb_comparison_free(comparison);
  return xb_fail(err, XB_NOMEM, "comparison", "out of host memory");
}

void xb_comparison_free(xb_comparison *comparison)
{
  free(comparison->pairs);
  free(comparison->log_ratios);
  *comparison = (xb_comparison){0};
}
