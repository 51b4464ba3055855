/* Ratios: as a comparison left them in the file or, where it made none, between the APIs, from the file's samples. */
#include "measure/cell.h"
#include "measure/ratio.h"
#include "report/html/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROUNDS = 2000 };

/* ---- From comparisons ------------------------------------------------------------------------------------------- */

static void take_comparisons(xb_view_file *file)
{
  const xb_document *document = file->document;
  for (size_t i = 0; i < document->comparison_count; i++) {
    const xb_saved_comparison *c = &document->comparisons[i];
    file->ratios[file->ratio_count++] = (xb_view_ratio){.subject = c->subject,
                                                        .base = c->base,
                                                        .ratio = c->verdict ? c->ratio : NAN,
                                                        .interval = c->ci95_ratio,
                                                        .less_floors = c->ratio_less_floors,
                                                        .margin = c->margin,
                                                        .verdict = c->verdict,
                                                        .reason = c->reason};
  }
}

static const xb_view_target *find_target(const xb_view_file *file, const xb_saved_target *t)
{
  for (size_t i = 0; i < file->document->device_count; i++) {
    const xb_saved_device *d = &file->document->devices[i];
    if (xb_same_text(d->uuid, t->device) && !strcmp(d->backend, t->backend) &&
        (!d->launch_mode || xb_same_text(d->launch_mode, t->launch_mode)) &&
        (!d->one_of_families || t->queue_family < 0 || t->queue_family == d->queue_family))
      return &file->targets[i];
  }
  return NULL;
}

/* The variant that all of the mean's ratios have on that side; NULL where they differ. */
static const char *common_variant(const xb_view_file *file, const xb_view_mean *mean, bool base)
{
  const char *common = NULL;
  for (size_t i = 0; i < file->ratio_count; i++) {
    const xb_view_ratio *r = &file->ratios[i];
    if (!r->base || strcmp(r->subject->benchmark, mean->benchmark) != 0 ||
        xb_view_target_of(file, r->subject) != mean->subject || xb_view_target_of(file, r->base) != mean->base)
      continue;
    const char *variant = base ? r->base->variant : r->subject->variant;
    if (common && strcmp(common, variant) != 0)
      return NULL;
    common = variant;
  }
  return common;
}

static void take_means(xb_view_file *file)
{
  for (size_t i = 0; i < file->document->mean_count; i++) {
    const xb_saved_mean *m = &file->document->means[i];
    xb_view_mean mean = {.benchmark = m->benchmark,
                         .subject = find_target(file, &m->subject),
                         .base = find_target(file, &m->base),
                         .ratio = m->ratio,
                         .margin = m->margin,
                         .interval = m->ci95_ratio,
                         .verdict = m->verdict,
                         .compared = m->compared > 0 ? (size_t)m->compared : 0,
                         .of = m->of > 0 ? (size_t)m->of : 0};
    if (!mean.subject || !mean.base || !(mean.ratio > 0))
      continue;
    mean.subject_variant = common_variant(file, &mean, false);
    mean.base_variant = common_variant(file, &mean, true);
    file->means[file->mean_count++] = mean;
  }
}

/* ---- From samples ----------------------------------------------------------------------------------------------- */

typedef struct work {
  double subject[XB_RESAMPLES], base[XB_RESAMPLES], values[XB_RESAMPLES];
  double (*log_sums)[XB_RESAMPLES]; /* one a mean */
} work;

static bool timed(const xb_saved_result *r)
{
  return r->outcome == XB_CELL_OK && r->median_ns > 0 && r->samples_ns.count > 0;
}

static bool same_but_target(const xb_saved_result *a, const xb_saved_result *b)
{
  return xb_same_size(a, b) && !strcmp(a->variant, b->variant) && xb_same_text(a->clock, b->clock) &&
         a->block == b->block && xb_same_text(a->loop, b->loop);
}

static bool resample(const xb_view_file *file, const xb_saved_result *r, size_t rounds, double *medians)
{
  const int64_t seed = file->document->sampling.seed;
  return xb_bootstrap(r->samples_ns.values, rounds < r->samples_ns.count ? rounds : r->samples_ns.count,
                      r->placements ? (uint32_t)r->placements : 1, seed > 0 ? (uint64_t)seed : 1, medians);
}

/* What the timer cannot tell, as a part of the median: a step of it in each sample. */
static double timer_part(const xb_saved_result *r)
{
  const double runs = (double)(r->batch ? r->batch : 1) * (double)(r->repeats ? r->repeats : 1);
  const double part = r->on->timestamp_period_ns / runs / r->median_ns;
  return isfinite(part) && !xb_same_text(r->clock, "host") ? part : 0;
}

static void judge(xb_view_ratio *ratio)
{
  const bool subject = ratio->subject->throttle.count, base = ratio->base->throttle.count;
  xb_verdict verdict = xb_judge(ratio->interval, ratio->margin);
  if (subject != base) {
    verdict = XB_UNCLEAR;
    ratio->reason = "only one side was throttled";
  } else if (xb_placed_unlike(ratio->subject->crowded == 1, ratio->subject->placements, ratio->base->crowded == 1,
                              ratio->base->placements)) {
    verdict = XB_UNCLEAR;
    ratio->reason = "one side had memory for one placement only";
  } else if (ratio->subject->samples_ns.count < XB_MIN_SAMPLES || ratio->base->samples_ns.count < XB_MIN_SAMPLES) {
    verdict = XB_UNCLEAR;
    ratio->reason = "fewer than 10 rounds";
  }
  ratio->verdict = xb_verdict_name(verdict);
}

/* The mean that the ratio goes into; a new one for its first. */
static size_t mean_of(xb_view_file *file, const xb_view_ratio *ratio)
{
  const xb_view_target *subject = xb_view_target_of(file, ratio->subject), *base = xb_view_target_of(file, ratio->base);
  for (size_t i = 0; i < file->mean_count; i++)
    if (file->means[i].subject == subject && file->means[i].base == base &&
        !strcmp(file->means[i].benchmark, ratio->subject->benchmark))
      return i;
  file->means[file->mean_count] =
      (xb_view_mean){.benchmark = ratio->subject->benchmark, .subject = subject, .base = base, .margin = ratio->margin};
  return file->mean_count++;
}

static bool compute(xb_view_file *file, work *w, const xb_saved_result *subject, const xb_saved_result *base)
{
  size_t rounds =
      subject->samples_ns.count < base->samples_ns.count ? subject->samples_ns.count : base->samples_ns.count;
  if (rounds > MOST_ROUNDS)
    rounds = MOST_ROUNDS;
  if (!resample(file, subject, rounds, w->subject) || !resample(file, base, rounds, w->base))
    return false;
  xb_view_ratio *ratio = &file->ratios[file->ratio_count++];
  const bool cpu = xb_same_text(subject->on->type, "cpu");
  *ratio = (xb_view_ratio){.subject = subject,
                           .base = base,
                           .ratio = subject->median_ns / base->median_ns,
                           .less_floors = NAN,
                           .margin = cpu ? 0.1 : 0.01};
  const size_t m = mean_of(file, ratio);
  for (size_t i = 0; i < XB_RESAMPLES; i++) {
    w->values[i] = w->subject[i] / w->base[i];
    w->log_sums[m][i] += log(w->values[i]);
  }
  const double part = timer_part(subject) + timer_part(base);
  const xb_interval middle = xb_interval95(w->values);
  ratio->interval = (xb_interval){middle.low * (1 - part), middle.high * (1 + part)};
  judge(ratio);
  file->means[m].ratio += log(ratio->ratio);
  file->means[m].compared++;
  file->means[m].of++;
  return true;
}

static void finish_means(xb_view_file *file, work *w)
{
  for (size_t m = 0; m < file->mean_count; m++) {
    xb_view_mean *mean = &file->means[m];
    const double count = (double)mean->compared;
    for (size_t i = 0; i < XB_RESAMPLES; i++)
      w->values[i] = exp(w->log_sums[m][i] / count);
    mean->ratio = exp(mean->ratio / count);
    mean->interval = xb_interval95(w->values);
    mean->verdict = xb_verdict_name(xb_judge(mean->interval, mean->margin));
    mean->subject_variant = common_variant(file, mean, false);
    mean->base_variant = common_variant(file, mean, true);
  }
}

/* Each cell over the same cell on the first target that has it. */
static bool compute_ratios(xb_view_file *file, size_t most_means)
{
  work *w = calloc(1, sizeof *w);
  bool good = w && (w->log_sums = calloc(most_means, sizeof *w->log_sums));
  for (size_t i = 0, base = 0; i < file->cell_count && good; i++) {
    const xb_saved_result *r = file->cells[i];
    if (!same_but_target(file->cells[base], r) || !timed(file->cells[base]) || file->cells[base]->on == r->on)
      base = same_but_target(file->cells[base], r) && timed(file->cells[base]) ? base : i;
    else if (timed(r) && file->mean_count < most_means)
      good = compute(file, w, r, file->cells[base]);
  }
  if (good)
    finish_means(file, w);
  if (w)
    free(w->log_sums);
  free(w);
  return good;
}

bool xb_view_find_ratios(xb_view_file *file)
{
  enum { MOST_MEANS = 256 };
  const xb_document *document = file->document;
  file->computed = !document->comparison_count;
  const size_t ratios = file->computed ? file->cell_count : document->comparison_count;
  const size_t means = file->computed ? MOST_MEANS : document->mean_count;
  file->ratios = calloc(ratios ? ratios : 1, sizeof *file->ratios);
  file->means = calloc(means ? means : 1, sizeof *file->means);
  if (!file->ratios || !file->means)
    return false;
  if (file->computed)
    return compute_ratios(file, MOST_MEANS);
  take_comparisons(file);
  take_means(file);
  return true;
}
