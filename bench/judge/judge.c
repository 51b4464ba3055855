#include "judge/judge.h"

#include "judge/stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double HOST_BOUND = 0.98; /* of the time */

double xb_peak_gbps(uint64_t memory_clock_khz, uint64_t memory_bus_bits)
{
  return 2e3 * (double)memory_clock_khz * (double)memory_bus_bits / 8 / 1e9;
}

double xb_bus_gbps(double transfers, double lanes)
{
  return transfers * lanes / 8 * (transfers < 8 ? 8. / 10 : 128. / 130);
}

double xb_peak_gflops(uint32_t compute_capability, uint32_t multiprocessors, uint32_t clock_khz)
{
  static const struct {
    uint32_t from, lanes; /* CUDA C++ Programming Guide: float32 additions a clock and multiprocessor */
  } table[] = {{130, 0}, {86, 128}, {70, 64}, {61, 128}, {60, 64}, {50, 128}};
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
    if (compute_capability >= table[i].from)
      return 2e-6 * table[i].lanes * multiprocessors * clock_khz;
  return 0;
}

bool xb_is_cpu(const xb_result_device *on)
{
  return on->type && !strcmp(on->type, "cpu");
}

bool xb_is_check(const xb_comparison *c)
{
  return c->base && c->subject->outcome == XB_CELL_OK && c->base->outcome == XB_CELL_OK &&
         (c->subject->on->emulated == 1 || c->base->on->emulated == 1);
}

double xb_default_margin(const xb_result_device *on)
{
  return xb_is_cpu(on) ? 0.1 : 0.01;
}

bool xb_as_launched(const xb_result *r)
{
  return !strcmp(r->launch_mode, "stream") && (!r->conditions.clock || !strcmp(r->conditions.clock, "device"));
}

bool xb_host_bound(const xb_result *r)
{
  return r->time.issue_ns >= HOST_BOUND * r->time.median_ns;
}

bool xb_autocorrelated(const xb_result *r)
{
  return r->time.autocorrelation > fmax(0.3, 2 / sqrt((double)r->time.samples_ns.count));
}

/* ---- Comparability ---------------------------------------------------------------------------------------------- */

static bool has_failed(const xb_result *r)
{
  return r->outcome != XB_CELL_OK && r->outcome != XB_CELL_NO_COUNTERPART;
}

bool xb_may_compare(const xb_result *subject, const xb_result *base, const xb_rules *rules, char reason[96])
{
  const xb_result *sides[] = {subject, base};
  const bool no_base = base && base->outcome != XB_CELL_OK, no_subject = subject->outcome != XB_CELL_OK;
  if (no_base || no_subject || !base) { /* the base first: without it, the other side may have no result either */
    const xb_result *r = no_base ? base : no_subject ? subject : NULL;
    const bool none = r && r->outcome == XB_CELL_NO_COUNTERPART;
    const char *side = !r                             ? "any other side"
                       : r == subject                 ? rules->subject
                       : !none && has_failed(subject) ? "either side"
                                                      : rules->base;
    snprintf(reason, 96, "no %s on %s", none ? "counterpart" : "result", side);
    return false;
  }
  for (int i = 0; i < 2; i++) {
    const xb_result *r = sides[i];
    const char *side = i ? rules->base : rules->subject;
    if (r->on->emulated == 1) {
      snprintf(reason, 96, "%s is emulated on the CPU: its time is ignored", side);
      return false;
    }
    if (r->check.counterpart) {
      snprintf(reason, 96, "%s is only the nearest counterpart", side);
      return false;
    }
  }
  if (xb_as_launched(subject) != xb_as_launched(base)) {
    snprintf(reason, 96, "%s includes the host's time: use --launch held_stream",
             xb_as_launched(subject) ? rules->subject : rules->base);
    return false;
  }
  *reason = 0;
  return true;
}

/* ---- Resampling ------------------------------------------------------------------------------------------------- */

static uint32_t placements(const xb_result *r)
{
  return r->time.placements ? (uint32_t)r->time.placements : 1;
}

/* Of all samples, as the run computes them. */
static bool take_statistics(const xb_result *r, xb_stats *stats)
{
  double *scratch = malloc(r->time.samples_ns.count * sizeof *scratch);
  if (!scratch)
    return false;
  *stats = xb_statistics(r->time.samples_ns.values, r->time.samples_ns.count, placements(r), scratch);
  free(scratch);
  return true;
}

static bool resample(const xb_result *r, size_t rounds, uint64_t seed, double medians[XB_RESAMPLES])
{
  return xb_bootstrap(r->time.samples_ns.values, rounds < r->time.samples_ns.count ? rounds : r->time.samples_ns.count,
                      placements(r), seed, medians);
}

/* The resolution of the timer as a part of the median: one timer step per sample. At most 1. */
static double timer_part(const xb_result *r, double median)
{
  const bool device_clock = !r->conditions.clock || !strcmp(r->conditions.clock, "device");
  const double runs =
      (double)(r->time.batch ? r->time.batch : 1) * (double)(r->conditions.repeats ? r->conditions.repeats : 1);
  return device_clock && !isnan(r->on->timestamp_period_ns) ? fmin(r->on->timestamp_period_ns / runs / median, 1) : 0;
}

static double variance_of_logs(const double values[XB_RESAMPLES])
{
  double sum = 0, squares = 0;
  for (size_t i = 0; i < XB_RESAMPLES; i++) {
    const double x = log(values[i] / values[0]);
    sum += x;
    squares += x * x;
  }
  return fmax(squares - sum * sum / XB_RESAMPLES, 0) / XB_RESAMPLES;
}

/* How much wider the interval of the ratio has to be because successive samples are alike. In the same rounds this is
 * asked of the ratios of the rounds, because what a round did to both cancels. Otherwise each side adds its part. */
static bool take_widening(const xb_result *subject, const xb_result *base, const xb_stats sides[2],
                          const xb_rules *rules, const xb_judge_scratch *scratch, double *factor)
{
  const size_t a = subject->time.samples_ns.count, b = base->time.samples_ns.count, n = a < b ? a : b;
  if (!rules->same_rounds || placements(subject) != placements(base)) {
    const double x = variance_of_logs(scratch->subject), y = variance_of_logs(scratch->base);
    const double wide = sides[0].widened * sides[0].widened * x + sides[1].widened * sides[1].widened * y;
    *factor = x + y > 0 ? sqrt(wide / (x + y)) : 1;
    return true;
  }
  double *ratios = malloc(2 * n * sizeof *ratios);
  if (!ratios)
    return false;
  for (size_t i = 0; i < n; i++)
    ratios[i] = subject->time.samples_ns.values[i] / base->time.samples_ns.values[i];
  *factor = xb_statistics(ratios, n, placements(subject), ratios + n).widened;
  free(ratios);
  return true;
}

/* True if a ratio is plausible; false for NAN. */
static bool sane(double ratio)
{
  return ratio > 1e-30 && ratio < 1e30;
}

/* ---- Verdict ---------------------------------------------------------------------------------------------------- */

/* Why the two cannot be judged, whatever the interval. */
static void find_unlike(const xb_result *subject, const xb_result *base, const xb_rules *rules, char reason[96])
{
  const bool throttled = subject->throttling.throttle.count > 0, base_throttled = base->throttling.throttle.count > 0;
  const xb_result *once = subject->time.placements > 1 ? base : subject;
  if (throttled != base_throttled)
    snprintf(reason, 96, "%s was throttled", throttled ? rules->subject : rules->base);
  else if (subject->time.placements && base->time.placements &&
           (subject->time.placements > 1) != (base->time.placements > 1))
    snprintf(reason, 96, once->time.crowded == 1 ? "%s had memory for one placement only" : "%s has one placement only",
             once == base ? rules->base : rules->subject);
  else if (subject->time.samples_ns.count < XB_MIN_SAMPLES || base->time.samples_ns.count < XB_MIN_SAMPLES)
    snprintf(reason, 96, "fewer than %d %s", XB_MIN_SAMPLES, rules->sample_name);
}

/* How likely the ratio would be this far beyond the margin by chance: Student's t, with the end of the interval for the
 * scale. 1 within the margin. */
static double chance(const xb_judgement *j, const xb_result *subject, const xb_result *base)
{
  const bool slower = j->ratio > 1;
  const double beyond = fabs(log(j->ratio)) - log(1 + j->margin);
  const double half = fabs(log(j->ratio / (slower ? j->interval.low : j->interval.high)));
  const size_t a = placements(subject) > 1 ? placements(subject) : subject->time.samples_ns.count;
  const size_t b = placements(base) > 1 ? placements(base) : base->time.samples_ns.count, n = a < b ? a : b;
  if (beyond <= 0 || n < 2)
    return 1;
  return half > 0 ? xb_student_chance(beyond / half * xb_student(n - 1), n - 1) : 0;
}

static void give_verdict(const xb_result *subject, const xb_result *base, const xb_rules *rules, xb_judgement *j)
{
  const bool differs = j->interval.low > 1 || j->interval.high < 1;
  j->verdict = xb_judge(j->interval, j->margin);
  j->chance = chance(j, subject, base);
  find_unlike(subject, base, rules, j->reason);
  j->unlike = *j->reason;
  if (!j->unlike && j->verdict == XB_UNCLEAR)
    snprintf(j->reason, sizeof j->reason, "%s%s",
             differs ? "differs, but maybe by less than the " : "the interval is wider than the ", rules->margin_name);
  if (*j->reason)
    j->verdict = XB_UNCLEAR;
  else if (subject->time.placements == 1 && base->time.placements == 1 && !xb_is_cpu(subject->on))
    snprintf(j->reason, sizeof j->reason, "one placement: with other placements the ratio may differ");
}

static bool judge_less_floors(const xb_result *subject, const xb_result *base, const xb_result *const floors[2],
                              const xb_rules *rules, double factor, double part, xb_judge_scratch *scratch,
                              xb_judgement *j)
{
  j->ratio_less_floors = NAN;
  j->interval_less_floors = (xb_interval){NAN, NAN};
  if (!(subject->time.floor_ns > 0) || !(base->time.floor_ns > 0) || !floors[0] || !floors[1])
    return true;
  if (!resample(floors[0], j->rounds, rules->subject_seed, scratch->subject_floor) ||
      !resample(floors[1], j->rounds, rules->base_seed, scratch->base_floor))
    return false;
  /* The number of dispatches that wait for each other. */
  const double times = subject->time.floor_ns / floors[0]->time.median_ns,
               base_times = base->time.floor_ns / floors[1]->time.median_ns;
  j->ratio_less_floors = (j->subject_ns - (subject->time.floor_ns - base->time.floor_ns)) / j->base_ns;
  for (size_t i = 0; i < XB_RESAMPLES; i++) {
    const double time = scratch->subject[i] - (times * scratch->subject_floor[i] - base_times * scratch->base_floor[i]);
    scratch->values[i] = j->ratio_less_floors + factor * (time / scratch->base[i] - j->ratio_less_floors);
  }
  j->interval_less_floors = xb_widened(xb_interval95(scratch->values), part);
  return true;
}

bool xb_judge_pair(const xb_result *subject, const xb_result *base, const xb_result *const floors[2],
                   const xb_rules *rules, xb_judge_scratch *scratch, xb_judgement *j)
{
  const size_t a = subject->time.samples_ns.count, b = base->time.samples_ns.count, fewer = a < b ? a : b,
               more = a > b ? a : b;
  xb_stats sides[2];
  double factor;
  *j = (xb_judgement){.margin = rules->margin, .rounds = rules->same_rounds ? fewer : more};
  if (!take_statistics(subject, &sides[0]) || !take_statistics(base, &sides[1]) ||
      !resample(subject, j->rounds, rules->subject_seed, scratch->subject) ||
      !resample(base, j->rounds, rules->base_seed, scratch->base) ||
      !take_widening(subject, base, sides, rules, scratch, &factor))
    return false;
  j->subject_ns = sides[0].median;
  j->base_ns = sides[1].median;
  j->ratio = j->subject_ns / j->base_ns;
  bool good = sane(j->ratio);
  for (size_t i = 0; i < XB_RESAMPLES && good; i++) {
    const double center = log(j->ratio), resampled = log(scratch->subject[i] / scratch->base[i]);
    scratch->log_ratios[i] = center + factor * (resampled - center);
    scratch->values[i] = exp(scratch->log_ratios[i]);
    good = sane(scratch->values[i]);
  }
  if (!good) {
    snprintf(j->reason, sizeof j->reason, "some of the times are 0, or differ too much");
    return true;
  }
  const double part = timer_part(subject, j->subject_ns) + timer_part(base, j->base_ns);
  j->compared = true;
  j->interval = xb_widened(xb_interval95(scratch->values), part);
  give_verdict(subject, base, rules, j);
  return judge_less_floors(subject, base, floors, rules, factor, part, scratch, j);
}
