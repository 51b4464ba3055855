/* Ratios: as a comparison left them in the file or, where it made none, between the APIs, from the file's samples. */
#include "judge/judge.h"
#include "report/html/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MEANS = 256 };

/* ---- From comparisons ------------------------------------------------------------------------------------------- */

static void take_comparisons(xb_view_file *file)
{
  const xb_document *document = file->document;
  for (size_t i = 0; i < document->comparison_count; i++) {
    const xb_comparison *c = &document->comparisons[i];
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

static const xb_view_target *find_target(const xb_view_file *file, const xb_side *t)
{
  for (size_t i = 0; i < file->document->device_count; i++) {
    const xb_result_device *d = &file->document->devices[i];
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
    const xb_mean *m = &file->document->means[i];
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

static bool timed(const xb_result *r)
{
  return r->outcome == XB_CELL_OK && r->median_ns > 0 && r->samples_ns.count > 0;
}

static bool same_but_target(const xb_result *a, const xb_result *b)
{
  return xb_same_size(a, b) && !xb_compare_at(a, b) && !strcmp(a->variant, b->variant) &&
         xb_same_text(a->clock, b->clock) && a->block == b->block && xb_same_text(a->loop, b->loop);
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

typedef struct work {
  xb_judge_room room;
  xb_mean_sum sums[MOST_MEANS];
} work;

static bool compute(xb_view_file *file, work *w, const xb_result *subject, const xb_result *base)
{
  static const xb_result *const no_floors[2];
  const int64_t seed = file->document->sampling.seed;
  const xb_rules rules = {.margin = xb_default_margin(subject->on),
                          .subject = "this side",
                          .base = "the base",
                          .margin_name = "margin",
                          .sample_name = "rounds",
                          .subject_seed = seed > 0 ? (uint64_t)seed : 1,
                          .base_seed = seed > 0 ? (uint64_t)seed : 1,
                          .same_rounds = true};
  xb_judgement j;
  xb_view_ratio *ratio = &file->ratios[file->ratio_count];
  *ratio = (xb_view_ratio){.subject = subject, .base = base, .less_floors = NAN, .margin = rules.margin};
  if (!xb_judge_pair(subject, base, no_floors, &rules, &w->room, &j))
    return false;
  if (!j.compared)
    return true;
  ratio->ratio = j.ratio;
  ratio->interval = j.interval;
  ratio->verdict = xb_verdict_name(j.verdict);
  memcpy(ratio->computed, j.reason, sizeof ratio->computed);
  ratio->reason = *j.reason ? ratio->computed : NULL;
  file->ratio_count++;
  xb_mean_sum *sum = &w->sums[mean_of(file, ratio)];
  sum->of++;
  return xb_mean_add(sum, &j, &w->room);
}

static void finish_means(xb_view_file *file, work *w)
{
  for (size_t m = 0; m < file->mean_count; m++) {
    xb_view_mean *mean = &file->means[m];
    mean->ratio = xb_mean_ratio(&w->sums[m], &mean->interval);
    mean->compared = w->sums[m].compared;
    mean->of = w->sums[m].of;
    mean->verdict = xb_verdict_name(xb_judge(mean->interval, mean->margin));
    mean->subject_variant = common_variant(file, mean, false);
    mean->base_variant = common_variant(file, mean, true);
  }
}

/* Each cell over the same cell on the first target that has it. */
static bool compute_ratios(xb_view_file *file)
{
  work *w = calloc(1, sizeof *w);
  bool good = w;
  for (size_t i = 0, base = 0; i < file->cell_count && good; i++) {
    const xb_result *r = file->cells[i];
    if (!same_but_target(file->cells[base], r) || !timed(file->cells[base]) || file->cells[base]->on == r->on)
      base = same_but_target(file->cells[base], r) && timed(file->cells[base]) ? base : i;
    else if (timed(r) && !r->counterpart && !file->cells[base]->counterpart && file->mean_count < MOST_MEANS)
      good = compute(file, w, r, file->cells[base]);
  }
  if (good)
    finish_means(file, w);
  for (size_t m = 0; w && m < MOST_MEANS; m++)
    xb_mean_free(&w->sums[m]);
  free(w);
  return good;
}

bool xb_view_find_ratios(xb_view_file *file)
{
  const xb_document *document = file->document;
  file->computed = !document->comparison_count;
  const size_t ratios = file->computed ? file->cell_count : document->comparison_count;
  const size_t means = file->computed ? MOST_MEANS : document->mean_count;
  file->ratios = calloc(ratios + 1, sizeof *file->ratios);
  file->means = calloc(means ? means : 1, sizeof *file->means);
  if (!file->ratios || !file->means)
    return false;
  if (file->computed)
    return compute_ratios(file);
  take_comparisons(file);
  take_means(file);
  return true;
}
