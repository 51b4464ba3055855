/* Ratios: the file's comparisons or, if it has none, ratios between the APIs, computed from the file's samples. */
#include "report/model/view.h"

#include "core/grow.h"
#include "judge/judge.h"

#include <string.h>

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

/* The variant that all of the mean's ratios have on that side; NULL if they differ. */
static const char *common_variant(const xb_view_mean *mean, bool base)
{
  const xb_view_file *file = mean->subject->file;
  const char *common = NULL;
  for (size_t i = 0; i < file->ratio_count; i++) {
    const xb_comparison *r = &file->ratios[i];
    if (!xb_ratio_of_mean(r, mean))
      continue;
    const char *variant = base ? r->base->variant : r->subject->variant;
    if (common && strcmp(common, variant) != 0)
      return NULL;
    common = variant;
  }
  return common;
}

bool xb_ratio_of_mean(const xb_comparison *ratio, const xb_view_mean *mean)
{
  const xb_view_file *file = mean->subject->file;
  return ratio->base && !strcmp(ratio->subject->benchmark, mean->of->benchmark) &&
         xb_view_target_of(file, ratio->subject) == mean->subject && xb_view_target_of(file, ratio->base) == mean->base;
}

static bool take_means(xb_view *view, const xb_view_file *file, const xb_mean *means, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    xb_view_mean mean = {&means[i], find_target(file, &means[i].subject), find_target(file, &means[i].base), NULL,
                         NULL};
    if (!mean.subject || !mean.base || !(means[i].ratio > 0))
      continue;
    mean.subject_variant = common_variant(&mean, false);
    mean.base_variant = common_variant(&mean, true);
    if (!xb_grow(&view->means, &view->mean_capacity, view->mean_count, sizeof mean))
      return false;
    view->means[view->mean_count++] = mean;
  }
  return true;
}

/* ---- From samples ----------------------------------------------------------------------------------------------- */

static bool same_but_target(const xb_result *a, const xb_result *b)
{
  return xb_same_size(a, b) && !xb_compare_at(a, b) && !strcmp(a->variant, b->variant) &&
         xb_same_text(a->conditions.clock, b->conditions.clock) && a->work.block == b->work.block &&
         xb_same_text(a->conditions.loop, b->conditions.loop);
}

/* Copies the cells that match cells[i] on other targets. The first target that has a time is the base. */
static size_t gather(const xb_view_file *file, size_t i, bool *taken, xb_result *group)
{
  const xb_result_device *base = NULL;
  size_t count = 0;
  for (size_t k = i; k < file->cell_count && xb_same_size(file->cells[i], file->cells[k]); k++) {
    const xb_result *r = file->cells[k];
    if (taken[k] || !same_but_target(file->cells[i], r))
      continue;
    taken[k] = true;
    if (r->outcome != XB_CELL_OK || r->check.counterpart)
      continue;
    base = base ? base : r->on;
    group[count] = *r;
    group[count++].is_base = r->on == base;
  }
  return count;
}

/* Computes the ratio of each cell to the same cell on the first target that has it. */
static bool compute_ratios(xb_view *view, xb_view_file *file)
{
  const int64_t seed = file->document->sampling.seed;
  bool *taken = xb_arena_take(&file->arena, file->cell_count + 1, sizeof *taken);
  xb_result *group = xb_arena_take(&file->arena, file->cell_count + 1, sizeof *group);
  xb_comparison *ratios = xb_arena_take(&file->arena, file->cell_count + 1, sizeof *ratios);
  bool good = taken && group && ratios;
  for (size_t i = 0, count, compared; i < file->cell_count && good; i++, group += count) {
    const xb_comparison *found = NULL;
    xb_error error;
    count = gather(file, i, taken, group);
    good = !xb_compare_results(group, count, 0, -1, seed > 0 ? (uint64_t)seed : 1, &file->arena, &found, &compared,
                               &file->computed_means, &error);
    for (size_t k = 0; k < compared && good; k++)
      if (found[k].verdict)
        ratios[file->ratio_count++] = found[k];
  }
  file->ratios = ratios;
  xb_means_finish(&file->computed_means);
  return good && take_means(view, file, file->computed_means.means, file->computed_means.count);
}

bool xb_view_find_ratios(xb_view *view, xb_view_file *file)
{
  const xb_document *document = file->document;
  file->computed = !document->comparison_count;
  if (file->computed)
    return compute_ratios(view, file);
  file->ratios = document->comparisons;
  file->ratio_count = document->comparison_count;
  return take_means(view, file, document->means, document->mean_count);
}
