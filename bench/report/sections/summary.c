/* The summary: the best results, which API is faster, and failures. */
#include "report/report.h"

#include "base/html_text.h"
#include "report/charts/charts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Cards ------------------------------------------------------------------------------------------------------ */

/* The best cell of a benchmark on a target: the best first metric among cells larger than the cache or, if there are
 * none, among all cells. Without a metric, the first variant; for launch, that is the floor. */
typedef struct best {
  const xb_view_target *target;
  const xb_result *cell;
  bool beyond_cache;
} best;

enum { MOST_BEST = 12 };

static bool better(const best *b, const xb_result *cell, bool beyond_cache)
{
  if (!b->cell || beyond_cache != b->beyond_cache)
    return !b->cell || beyond_cache;
  if (xb_has_value(cell) && xb_has_value(b->cell))
    return xb_is_better(cell, b->cell);
  if (xb_has_value(cell) || xb_has_value(b->cell))
    return xb_has_value(cell);
  return cell->variant_number < b->cell->variant_number;
}

/* Targets are matched by name, because files may come from several runs on one machine. */
static size_t find_best(const xb_view *view, const char *benchmark, best found[MOST_BEST])
{
  size_t count = 0;
  for (size_t f = 0; f < view->file_count; f++)
    for (size_t i = 0; i < view->files[f].cell_count; i++) {
      const xb_result *cell = view->files[f].cells[i];
      const xb_view_target *target = xb_view_target_of(&view->files[f], cell);
      if (strcmp(cell->benchmark, benchmark) != 0 || cell->outcome != XB_CELL_OK || !(cell->time.median_ns > 0) ||
          xb_same_text(cell->conditions.loop, "kernel"))
        continue;
      size_t b = 0;
      while (b < count && strcmp(found[b].target->name, target->name) != 0)
        b++;
      if (b == MOST_BEST)
        continue;
      if (b == count)
        found[count++] = (best){.target = target};
      const bool beyond = cell->work.bytes && (double)cell->work.bytes > target->cache;
      if (better(&found[b], cell, beyond))
        found[b] = (best){target, cell, beyond};
    }
  return count;
}

static int by_slot(const void *a, const void *b)
{
  return ((const best *)a)->target->slot - ((const best *)b)->target->slot;
}

/* Variants of the best cell's question that the data does not tell from it. */
static xb_ties find_ties(const best *b)
{
  const xb_view_file *file = b->target->file;
  xb_ties ties = {.count = 0};
  char variant[XB_NAME];
  for (size_t i = 0; i < file->cell_count; i++) {
    const xb_result *cell = file->cells[i];
    if (cell != b->cell && cell->on == b->cell->on && xb_same_size(cell, b->cell) && !xb_compare_at(cell, b->cell) &&
        xb_is_tied(cell, b->cell))
      xb_ties_add(&ties, "%s", xb_name_variant(cell->variant, variant));
  }
  return ties;
}

/* GPUs that have this name: those of one model, in several files. */
static size_t count_gpus(const xb_view *view, const xb_view_target *target)
{
  size_t count = 0;
  for (const xb_view_target *t = view->targets; t && t < view->targets + view->target_count; t++) {
    bool counts = t->device->uuid && !strcmp(t->name, target->name);
    for (const xb_view_target *before = view->targets; before < t; before++)
      counts = counts && !(xb_same_text(before->device->uuid, t->device->uuid) && !strcmp(before->name, t->name));
    count += counts;
  }
  return count;
}

static void write_best(FILE *out, const xb_view *view, const best *b)
{
  char value[XB_NAME], variant[XB_NAME], question[XB_NAME];
  const xb_result *cell = b->cell;
  const size_t gpus = count_gpus(view, b->target);
  xb_ties ties = find_ties(b);
  const bool metric = xb_result_value(cell) > 0;
  xb_html_format(out, "<li><p><span class=\"t%d\" aria-hidden=\"true\">&#9632;</span> %s</p><p class=\"figure\">%s",
                 b->target->slot, b->target->name,
                 metric ? xb_name_figure(xb_result_value(cell), value) : xb_name_time(cell->time.median_ns, value));
  xb_html_format(out, metric ? " <small>%s at best</small></p>" : "%s</p>", xb_result_unit(cell));
  const double part = cell->rates.percent_of_peak > 0 ? cell->rates.percent_of_peak : cell->rates.percent_of_copy;
  if (part > 0)
    fprintf(out, "<span class=\"meter\"><i class=\"t%d\" style=\"width:%.1f%%\"></i></span>", b->target->slot,
            fmin(part, 100));
  fputs("<p class=\"where\">", out);
  if (cell->rates.percent_of_peak > 0)
    fprintf(out, "%.0f %% of the theoretical peak%s. ", cell->rates.percent_of_peak,
            isfinite(b->target->cache) && !b->beyond_cache ? ", from the cache" : "");
  else if (cell->rates.percent_of_copy > 0)
    fprintf(out, "%.0f %% of the measured copy. ", cell->rates.percent_of_copy);
  xb_html_format(out, "%s%s%s, %s%s%s", ties.count ? "Not distinguishable: " : "",
                 xb_name_variant(cell->variant, variant), xb_ties_text(&ties), xb_name_question(cell, question),
                 xb_is_cpu(cell->on) ? ", on a CPU" : "", cell->time.warm == 0 ? ", not settled" : "");
  fprintf(out, gpus > 1 ? ", the best of %zu GPUs</p></li>\n" : "</p></li>\n", gpus);
}

static void write_card(xb_report *report, size_t b)
{
  best found[MOST_BEST];
  const char *benchmark = report->view->benchmarks[b];
  const size_t count = find_best(report->view, benchmark, found);
  qsort(found, count, sizeof found[0], by_slot);
  xb_html_format(report->out,
                 "<article class=\"card\"><h3><a href=\"#benchmark-%zu\">%s</a><small>%s</small></h3>\n<ul>\n", b + 1,
                 benchmark, xb_view_title(report->view, benchmark));
  for (size_t i = 0; i < count; i++)
    write_best(report->out, report->view, &found[i]);
  fputs(count ? "</ul></article>\n" : "<li class=\"bad\">no cell has a result</li></ul></article>\n", report->out);
}

/* ---- Failures --------------------------------------------------------------------------------------------------- */

size_t xb_report_failed(const xb_report *report)
{
  size_t count = 0;
  for (size_t f = 0; f < report->view->file_count; f++)
    for (size_t i = 0; i < report->view->files[f].document->result_count; i++)
      count += xb_lacks_time(&report->view->files[f].document->results[i]);
  return count;
}

static void write_failed(FILE *out, const xb_view_file *file, size_t number, const xb_result *cell)
{
  char anchor[XB_NAME], variant[XB_NAME], question[XB_NAME];
  xb_cell_anchor(file, cell, number, anchor);
  xb_html_format(out, "<li><a href=\"#%s\">%s %s</a>, %s, %s: <strong class=\"bad\">%s</strong>", anchor,
                 cell->benchmark, xb_name_variant(cell->variant, variant), xb_view_target_of(file, cell)->name,
                 xb_name_question(cell, question), xb_outcome_words(cell));
  if (cell->check.error || cell->check.reason)
    xb_html_format(out, ": %.300s", xb_result_why(cell));
  fputs("</li>\n", out);
}

void xb_report_all_failed(xb_report *report)
{
  enum { MOST = 40 };
  const size_t failed = xb_report_failed(report);
  size_t shown = 0;
  if (!failed)
    return;
  fprintf(report->out, "<p class=\"about\">%zu %s no time.</p>\n<ul class=\"notes\">\n", failed,
          failed == 1 ? "cell has" : "cells have");
  for (size_t f = 0; f < report->view->file_count; f++)
    for (size_t i = 0; i < report->view->files[f].document->result_count && shown < MOST; i++)
      if (xb_lacks_time(&report->view->files[f].document->results[i])) {
        write_failed(report->out, &report->view->files[f], f + 1, &report->view->files[f].document->results[i]);
        shown++;
      }
  fputs("</ul>\n", report->out);
  if (shown < failed)
    fprintf(report->out, "<p>The other %zu are in the table of all cells.</p>\n", failed - shown);
}

void xb_report_summary(xb_report *report)
{
  if (!report->view->benchmark_count)
    fputs("<p>There is no cell in these files, because the run ended before its first cell.</p>\n", report->out);
  fputs("<div class=\"glance\"><div class=\"cards\">\n", report->out);
  for (size_t b = 0; b < report->view->benchmark_count; b++)
    write_card(report, b);
  fputs("</div>\n", report->out);
  xb_report_means(report);
  fputs("</div>\n", report->out);
}
