/* Compares results of the same rounds, each with its baseline. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "judge/judge.h"
#include "judge/stats.h"
#include "result/fields.h"

/* ---- Pairs ------------------------------------------------------------------------------------------------------ */

/* How well a baseline fits; 0: not at all. The same variant is best, then a baseline with a result, then one on the
 * same target. */
static int fitness(const xb_result *base, const xb_result *subject)
{
  if (!base->is_base || strcmp(base->benchmark, subject->benchmark) != 0 || xb_compare_at(base, subject))
    return 0;
  return 1 + 4 * !strcmp(base->variant, subject->variant) + 2 * (base->outcome == XB_CELL_OK) +
         (base->on == subject->on);
}

static const xb_result *find_base(const xb_result *results, size_t count, const xb_result *subject)
{
  const xb_result *found = NULL;
  int best = 0;
  for (size_t i = 0; i < count; i++) {
    const int fits = fitness(&results[i], subject);
    if (fits > best) {
      best = fits;
      found = &results[i];
    }
  }
  return found;
}

/* A control, or a result that the user asked for. */
static const xb_result *find_overhead(const xb_result *results, size_t count, const xb_result *side)
{
  const xb_result *found = NULL;
  for (const xb_result *r = results; r < results + count; r++)
    if (r->floor == 1 && (!found || r->yardstick == 1) && r->on == side->on && r->outcome == XB_CELL_OK)
      found = r;
  return found;
}

static xb_side side_of(const xb_result *r, size_t index)
{
  if (!r)
    return (xb_side){.queue_family = XB_UNKNOWN, .result = XB_UNKNOWN};
  return (xb_side){r->variant, r->backend, r->device, r->launch_mode, r->on->queue_family, (int64_t)index};
}

/* ---- Means ------------------------------------------------------------------------------------------------------ */

/* A mean names the variant of its baseline only if all of its pairs have that variant. */
static void note_base(const xb_mean *mean, xb_mean_sum *sum, const xb_comparison *c)
{
  sum->many_bases |= strcmp(c->base->variant, mean->base.variant) != 0;
  sum->other_variant |= strcmp(c->base->variant, c->subject->variant) != 0;
}

/* The mean that includes this pair. NULL: out of memory. */
static xb_mean_sum *find_mean(xb_means *means, const xb_comparison *c)
{
  for (size_t i = 0; i < means->count; i++)
    if (!strcmp(means->means[i].benchmark, c->benchmark) && means->means[i].subject_on == c->subject->on &&
        means->means[i].base_on == c->base->on)
      return &means->sums[i];
  size_t sums = means->capacity;
  if (!xb_grow(&means->sums, &sums, means->count, sizeof *means->sums) ||
      !xb_grow(&means->means, &means->capacity, means->count, sizeof *means->means))
    return NULL;
  xb_mean *mean = &means->means[means->count];
  *mean = (xb_mean){.benchmark = c->benchmark,
                    .subject = c->subject_side,
                    .base = c->base_side,
                    .subject_on = c->subject->on,
                    .base_on = c->base->on,
                    .margin = c->margin};
  mean->subject.variant = NULL;
  mean->base.variant = strdup(c->base->variant); /* the texts of results are freed with their group */
  means->sums[means->count] = (xb_mean_sum){0};
  return mean->base.variant ? &means->sums[means->count++] : NULL;
}

void xb_means_finish(xb_means *means)
{
  for (size_t i = 0; i < means->count; i++) {
    xb_mean *m = &means->means[i];
    if (means->sums[i].many_bases || !means->sums[i].other_variant) {
      free((char *)(uintptr_t)m->base.variant);
      m->base.variant = NULL;
    }
    m->ratio = xb_mean_ratio(&means->sums[i], &m->ci95_ratio);
    m->compared = (int64_t)means->sums[i].compared;
    m->of = (int64_t)means->sums[i].of;
    m->verdict = m->compared ? xb_verdict_name(xb_judge(m->ci95_ratio, m->margin)) : NULL;
  }
}

void xb_means_free(xb_means *means)
{
  for (size_t i = 0; i < means->count; i++) {
    xb_mean_free(&means->sums[i]);
    free((char *)(uintptr_t)means->means[i].base.variant);
  }
  free(means->means);
  free(means->sums);
  *means = (xb_means){0};
}

/* ---- Why a pair has no ratio ------------------------------------------------------------------------------------- */

/* Of a pair whose halves were compared with each other, both are wrong, and one text is a part of the other. */
static bool disagree(const xb_comparison *c)
{
  const xb_result *a = c->base, *b = c->subject;
  return a && b && a->outcome == XB_CELL_WRONG && b->outcome == XB_CELL_WRONG && a->check.error && b->check.error &&
         strstr(a->check.error, " elements differ") &&
         (strstr(a->check.error, b->check.error) || strstr(b->check.error, a->check.error));
}

bool xb_is_alone(const xb_result *r)
{
  const char *why = r && r->outcome == XB_CELL_UNSUPPORTED ? r->check.reason ? r->check.reason : r->check.error : NULL;
  return why && strstr(why, "no other side gave a result");
}

/* NULL: the results by themselves say why. */
static const char *reason_of_pair(const xb_comparison *c)
{
  if (disagree(c))
    return "the sides disagree; add --reference to learn which is wrong";
  return xb_is_alone(c->base) != xb_is_alone(c->subject) ? "one side has no result, so nothing checks the other" : NULL;
}

/* ---- All -------------------------------------------------------------------------------------------------------- */

static bool compare(const xb_result *results, size_t count, const xb_rules *rules, xb_arena *arena,
                    xb_judge_scratch *scratch, xb_comparison *c, xb_means *means)
{
  const bool none =
      c->subject->outcome == XB_CELL_NO_COUNTERPART || (c->base && c->base->outcome == XB_CELL_NO_COUNTERPART);
  xb_mean_sum *sum = c->base && !none ? find_mean(means, c) : NULL;
  xb_judgement j = {.compared = false};
  bool good = !c->base || none || sum;
  if (xb_may_compare(c->subject, c->base, rules, j.reason) && good) {
    const xb_result *const floors[] = {find_overhead(results, count, c->subject),
                                       find_overhead(results, count, c->base)};
    good = xb_judge_pair(c->subject, c->base, floors, rules, scratch, &j);
  }
  if (sum) {
    note_base(&means->means[sum - means->sums], sum, c);
    sum->of += !c->subject->check.counterpart && !c->base->check.counterpart;
  }
  if (j.compared) {
    c->ratio = j.ratio;
    c->ci95_ratio = j.interval;
    c->ratio_less_floors = j.ratio_less_floors;
    c->ci95_ratio_less_floors = j.interval_less_floors;
    c->verdict = xb_verdict_name(j.verdict);
    c->rounds = j.rounds;
    c->resamples = XB_RESAMPLES;
    good = good && xb_mean_add(sum, &j, scratch);
  }
  const char *of_pair = j.compared ? NULL : reason_of_pair(c);
  c->reason = of_pair ? of_pair : *j.reason ? xb_arena_text(arena, "%s", j.reason) : NULL;
  return good && (!*j.reason || c->reason);
}

xb_code xb_compare_results(const xb_result *results, size_t count, size_t first, double margin, uint64_t seed,
                           xb_arena *arena, const xb_comparison **comparisons, size_t *comparison_count,
                           xb_means *means, xb_error *err)
{
  xb_comparison *list = xb_arena_take(arena, count, sizeof *list);
  xb_judge_scratch *scratch = malloc(sizeof *scratch);
  size_t n = 0;
  bool good = list && scratch;
  for (size_t i = 0; i < count && good; i++) {
    const xb_result *subject = &results[i];
    if (subject->is_base || subject->yardstick == 1)
      continue;
    const xb_result *base = find_base(results, count, subject);
    const xb_rules rules = {.margin = margin >= 0 ? margin : xb_default_margin(subject->on),
                            .subject = "this side",
                            .base = "the base",
                            .margin_name = "margin",
                            .sample_name = "rounds",
                            .subject_seed = seed,
                            .base_seed = seed,
                            .same_rounds = true};
    xb_comparison *c = &list[n++];
    xb_set_unknown(&xb_comparison_fields, c);
    c->benchmark = subject->benchmark;
    c->dtype = subject->dtype;
    c->size = subject->work.size;
    c->subject = subject;
    c->base = base;
    c->subject_side = side_of(subject, first + i);
    c->base_side = side_of(base, base ? first + (size_t)(base - results) : 0);
    c->margin = rules.margin;
    if (base && subject->check.output_hash && base->check.output_hash)
      c->same_bits = !strcmp(subject->check.output_hash, base->check.output_hash);
    good = compare(results, count, &rules, arena, scratch, c, means);
  }
  free(scratch);
  *comparisons = list;
  *comparison_count = n;
  return good ? XB_OK : xb_fail(err, XB_NOMEM, "comparison", "out of host memory");
}

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
