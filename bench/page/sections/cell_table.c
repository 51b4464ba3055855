/* The table of all cells, including those without a result. */
#include "page/sections/sections.h"

#include "base/html_text.h"
#include "judge/judge.h"

#include <inttypes.h>
#include <math.h>

/* ---- Figures ---------------------------------------------------------------------------------------------------- */

static const char *const heads[] = {"time",     "&plusmn; %", "GB/s",    "% of peak",       "% of copy",
                                    "floor, %", "host time",  "samples", "place&shy;ments", "regis&shy;ters"};
enum { FIGURES = sizeof heads / sizeof heads[0], VALUE = 2 };

/* The columns in which a cell of the file has a figure. */
typedef struct column_set {
  bool shown[FIGURES];
  int count;
} column_set;

static void put(char out[XB_NAME], int digits, double value)
{
  *out = 0;
  if (isfinite(value))
    snprintf(out, XB_NAME, "%.*f", digits, value);
}

/* "" if unknown. */
static void name_figures(const xb_result *cell, char out[FIGURES][XB_NAME])
{
  xb_name_time(cell->median_ns, out[0]);
  put(out[1], 1, 50 * (cell->ci95_ns.high - cell->ci95_ns.low) / cell->median_ns);
  xb_name_figure(xb_result_value(cell), out[VALUE]);
  if (cell->metrics.count && !xb_is_bandwidth(cell))
    xb_append(out[VALUE], XB_NAME, " %s", xb_result_unit(cell));
  put(out[3], 0, cell->percent_of_peak);
  put(out[4], 0, cell->percent_of_copy);
  put(out[5], 0, 100 * cell->floor_ns / cell->median_ns);
  xb_name_time(cell->host_ns, out[6]);
  put(out[7], 0, (double)cell->samples_ns.count);
  put(out[8], 0, cell->placements ? (double)cell->placements : NAN);
  put(out[9], 0, cell->registers ? (double)cell->registers : NAN);
}

static column_set find_columns(const xb_document *d)
{
  column_set found = {0};
  char figures[FIGURES][XB_NAME];
  for (size_t i = 0; i < d->result_count; i++) {
    name_figures(&d->results[i], figures);
    for (size_t c = 0; c < FIGURES && d->results[i].outcome == XB_CELL_OK; c++)
      found.shown[c] |= *figures[c] != 0;
  }
  for (size_t c = 0; c < FIGURES; c++)
    found.count += found.shown[c];
  return found;
}

static void write_figures(FILE *out, const xb_result *cell, const column_set *columns)
{
  char figures[FIGURES][XB_NAME];
  name_figures(cell, figures);
  for (size_t c = 0; c < FIGURES; c++)
    if (columns->shown[c])
      xb_html_format(out, "<td class=\"n\">%s</td>", figures[c]);
}

/* ---- A row ------------------------------------------------------------------------------------------------------ */

static void write_throttle(FILE *out, const xb_result *cell)
{
  fputs("throttled (", out);
  for (size_t i = 0; i < cell->throttle.count && i < 8; i++) {
    fputs(i ? ", " : "", out);
    xb_html_text(out, cell->throttle.values[i]);
  }
  fputs(")", out);
}

static const char *separator(bool *any)
{
  const char *text = *any ? "; " : "";
  *any = true;
  return text;
}

/* Remarks on the numbers: throttling, outliers, ... */
static void write_notes(FILE *out, const xb_result *cell)
{
  bool any = false;
  fputs("<td class=\"wide\">", out);
  if (cell->yardstick == 1)
    fprintf(out, "%syardstick", separator(&any));
  if (cell->throttle.count) {
    fputs(separator(&any), out);
    write_throttle(out, cell);
  }
  if (cell->outliers > 0)
    fprintf(out, "%soutliers: %" PRId64 " of %zu", separator(&any), cell->outliers, cell->samples_ns.count);
  if (xb_same_text(cell->stopped_by, "time limit") || xb_same_text(cell->stopped_by, "interrupted"))
    fprintf(out, "%sstopped by %s", separator(&any), cell->stopped_by);
  for (size_t i = 1; i < cell->metrics.count; i++) {
    char value[XB_NAME];
    xb_name_figure(cell->metrics.values[i].value, value);
    xb_html_format(out, "%s%s %s", separator(&any), value, cell->metrics.values[i].unit);
  }
  if (isfinite(cell->model.measured) && isfinite(cell->model.predicted))
    fprintf(out, "%s%.0f %% of base, model %.0f %%", separator(&any), 100 * cell->model.measured,
            100 * cell->model.predicted);
  if (cell->counterpart && cell->reason)
    xb_html_format(out, "%s%s: %.300s", separator(&any), cell->counterpart, cell->reason);
  if (cell->remark)
    xb_html_format(out, "%s%.300s", separator(&any), cell->remark);
  if (xb_result_placed_once(cell))
    fprintf(out, "%s%s", separator(&any), xb_result_placed_once(cell));
  if (cell->warm == 0)
    fprintf(out, "%swarm-up did not settle", separator(&any));
  if (xb_autocorrelated(cell))
    fprintf(out, "%ssuccessive samples are alike (rank correlation %.1f)", separator(&any), cell->autocorrelation);
  if (xb_same_text(cell->clock, "host"))
    fprintf(out, "%stimed by the host's clock", separator(&any));
  if (xb_same_text(cell->loop, "kernel"))
    fprintf(out, "%srepeated inside the kernel", separator(&any));
  fputs("</td>", out);
}

/* The reason, instead of the numbers. */
static void write_failure(FILE *out, const xb_result *cell, int count)
{
  fprintf(out, "<td class=\"wide\" colspan=\"%d\"><strong>%s</strong>%s", count ? count : 1, xb_outcome_words(cell),
          cell->error ? ": " : "");
  xb_html_clipped(out, cell->error ? cell->error : "", 2000); /* a missing counterpart's reason is in the notes */
  fputs("</td>", out);
}

static void write_cell(FILE *out, const xb_view_file *file, size_t file_number, const xb_result *cell,
                       const column_set *columns)
{
  char anchor[XB_NAME], name[XB_NAME], title[2 * XB_NAME];
  xb_cell_anchor(file, cell, file_number, anchor);
  fprintf(out, "<tr id=\"%s\"%s><th scope=\"row\"><span class=\"name\" title=\"", anchor,
          xb_lacks_time(cell)    ? " class=\"failed\""
          : cell->yardstick == 1 ? " class=\"yardstick\""
                                 : "");
  xb_html_text(out, cell->title ? cell->title : "");
  fputs("\">", out);
  xb_name_variant(cell->variant, name);
  snprintf(title, sizeof title, "%s %s", cell->benchmark, name);
  xb_source_link(out, cell, title);
  xb_name_question(cell, name);
  if (cell->block)
    xb_append(name, sizeof name, ", groups of %" PRIu64, cell->block);
  xb_html_format(out, "</span><small>%s, %s</small></th>", xb_view_target_of(file, cell)->name, name);
  if (cell->outcome == XB_CELL_OK)
    write_figures(out, cell, columns);
  else
    write_failure(out, cell, columns->count);
  write_notes(out, cell);
  fputs("</tr>\n", out);
}

/* ---- The table -------------------------------------------------------------------------------------------------- */

static void write_file(xb_page *page, size_t f)
{
  FILE *out = page->out;
  const xb_view_file *file = &page->view->files[f];
  const xb_document *d = file->document;
  size_t failed = 0;
  bool bandwidth = true;
  for (size_t i = 0; i < d->result_count; i++) {
    failed += xb_lacks_time(&d->results[i]);
    bandwidth &= !d->results[i].metrics.count || xb_is_bandwidth(&d->results[i]);
  }
  fprintf(out, "<details%s><summary>", page->view->file_count == 1 || failed ? " open" : "");
  xb_html_clipped(out, file->name, 100);
  fprintf(out, ": %zu %s", d->result_count, d->result_count == 1 ? "cell" : "cells");
  if (failed)
    fprintf(out, ", %zu without a result", failed);
  fputs("</summary>\n", out);
  fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Cells of ", out);
  xb_html_clipped(out, file->name, 100);
  fputs("\"><table class=\"cells\">\n", out);
  const column_set columns = find_columns(d);
  fputs("<thead><tr><th scope=\"col\">cell</th>", out);
  for (size_t c = 0; c < FIGURES; c++)
    if (columns.shown[c])
      fprintf(out, "<th scope=\"col\" class=\"n\">%s</th>", c == VALUE && !bandwidth ? "value" : heads[c]);
  fputs(columns.count ? "" : "<th scope=\"col\">result</th>", out);
  fputs("<th scope=\"col\" class=\"wide\">notes</th></tr></thead>\n<tbody>\n", out);
  for (size_t i = 0; i < d->result_count; i++)
    write_cell(out, file, f + 1, &d->results[i], &columns);
  fputs("</tbody></table></div></details>\n", out);
}

void xb_page_cells(xb_page *page)
{
  fputs("<section id=\"cells\"><h2>All cells</h2>\n<p class=\"about\">Time is the device time of one run, with half of "
        "its 95 % interval. Host time is from submit to complete of a sample, divided by its runs. Floor is the part "
        "of the time that empty dispatches would take. A yardstick was measured only as a baseline for other cells. "
        "Names link to the sources.</p>\n",
        page->out);
  for (size_t f = 0; f < page->view->file_count; f++)
    write_file(page, f);
  fputs("</section>\n", page->out);
}
