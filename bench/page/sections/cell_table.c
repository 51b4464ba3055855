/* The table of all cells, including those without a result. */
#include "page/sections/sections.h"

#include "html_text.h"

#include <inttypes.h>
#include <math.h>

enum { FIGURES = 10 }; /* number columns; a cell without a result has its error there */

/* ---- Anchors ---------------------------------------------------------------------------------------------------- */

enum { BENCHMARK = 24, TARGET = 40, TYPE = 12 }; /* most bytes of each in an anchor */

static char anchor_letter(char c)
{
  const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  return plain ? c : c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : '-';
}

static bool same_in_anchor(const char *a, const char *b, size_t bytes)
{
  for (; bytes && *a && *b && anchor_letter(*a) == anchor_letter(*b); a++, b++)
    bytes--;
  return !bytes || (!*a && !*b);
}

static bool same_anchor(const xb_view_file *file, const xb_result *a, const xb_result *b)
{
  return a->variant_number == b->variant_number && a->size == b->size && a->rows == b->rows &&
         same_in_anchor(a->benchmark, b->benchmark, BENCHMARK) && same_in_anchor(a->dtype, b->dtype, TYPE) &&
         same_in_anchor(xb_view_target_of(file, a)->name, xb_view_target_of(file, b)->name, TARGET);
}

void xb_cell_anchor(const xb_view_file *file, const xb_result *cell, size_t file_number, char out[XB_NAME])
{
  size_t nth = 1;
  for (const xb_result *r = file->document->results; r < cell; r++)
    nth += same_anchor(file, r, cell);
  snprintf(out, XB_NAME, "cell-f%zu-%.*s-%" PRIu64 "-%.*s-%.*s-%" PRIu64, file_number, BENCHMARK, cell->benchmark,
           cell->variant_number, TARGET, xb_view_target_of(file, cell)->name, TYPE, cell->dtype, cell->size);
  if (cell->rows)
    xb_append(out, XB_NAME, "-%" PRIu64, cell->rows);
  for (char *p = out; *p; p++)
    *p = anchor_letter(*p);
  if (nth > 1)
    xb_append(out, XB_NAME, "-n%zu", nth);
}

/* ---- A row ------------------------------------------------------------------------------------------------------ */

static void number(FILE *out, const char *format, double value)
{
  fputs("<td class=\"n\">", out);
  if (isfinite(value))
    fprintf(out, format, value);
  fputs("</td>", out);
}

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
  if (xb_result_placed_once(cell))
    fprintf(out, "%s%s", separator(&any), xb_result_placed_once(cell));
  if (cell->warm == 0)
    fprintf(out, "%swarm-up did not settle", separator(&any));
  if (xb_same_text(cell->clock, "host"))
    fprintf(out, "%stimed by the host's clock", separator(&any));
  if (xb_same_text(cell->loop, "kernel"))
    fprintf(out, "%srepeated inside the kernel", separator(&any));
  fputs("</td>", out);
}

static void write_figures(FILE *out, const xb_result *cell)
{
  char name[XB_NAME], time[XB_NAME];
  xb_name_time(cell->median_ns, time);
  fprintf(out, "<td class=\"n\">%s</td>", time);
  number(out, "%.1f", 50 * (cell->ci95_ns.high - cell->ci95_ns.low) / cell->median_ns);
  xb_name_figure(xb_result_value(cell), name);
  const bool unit = cell->metrics.count && !xb_is_bandwidth(cell);
  xb_html_format(out, "<td class=\"n\">%s%s%s</td>", name, unit ? " " : "", unit ? xb_result_unit(cell) : "");
  number(out, "%.0f", cell->percent_of_peak);
  number(out, "%.0f", cell->percent_of_copy);
  number(out, "%.0f", 100 * cell->floor_ns / cell->median_ns);
  xb_name_time(cell->host_ns, time);
  fprintf(out, "<td class=\"n\">%s</td>", time);
  number(out, "%.0f", (double)cell->samples_ns.count);
  number(out, "%.0f", cell->placements ? (double)cell->placements : NAN);
  number(out, "%.0f", cell->registers ? (double)cell->registers : NAN);
}

/* The reason, instead of the numbers. */
static void write_failure(FILE *out, const xb_result *cell)
{
  fprintf(out, "<td class=\"wide\" colspan=\"%d\"><strong>%s</strong>%s", FIGURES, xb_outcome_words(cell),
          cell->error ? ": " : "");
  xb_html_clipped(out, cell->error ? cell->error : "", 2000); /* a missing counterpart's reason is in the notes */
  fputs("</td>", out);
}

static void write_cell(FILE *out, const xb_view_file *file, size_t file_number, const xb_result *cell)
{
  char anchor[XB_NAME], name[XB_NAME], title[2 * XB_NAME], at[XB_AT_TEXT];
  const bool good = cell->outcome == XB_CELL_OK;
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
  fputs("</span></th>", out);
  xb_html_format(out, "<td>%s</td>", xb_view_target_of(file, cell)->name);
  xb_name_size(cell, name);
  if (cell->at.count)
    xb_append(name, sizeof name, ", %s", xb_result_at(cell, at));
  xb_html_format(out, "<td class=\"n\">%s</td><td>%s</td>", name, cell->dtype);
  number(out, "%.0f", cell->block ? (double)cell->block : NAN);
  if (good)
    write_figures(out, cell);
  else
    write_failure(out, cell);
  write_notes(out, cell);
  fputs("</tr>\n", out);
}

/* ---- The table -------------------------------------------------------------------------------------------------- */

static void write_heads(FILE *out, bool bandwidth)
{
  const struct {
    const char *name;
    bool number;
  } heads[] = {{"cell", false},     {"API", false},       {"size", true},       {"type", false},
               {"group", true},     {"time", true},       {"&plusmn; %", true}, {bandwidth ? "GB/s" : "value", true},
               {"% of peak", true}, {"% of copy", true},  {"floor, %", true},   {"host time", true},
               {"samples", true},   {"placements", true}, {"registers", true}};
  fputs("<thead><tr>", out);
  for (size_t c = 0; c < sizeof heads / sizeof heads[0]; c++)
    fprintf(out, "<th scope=\"col\"%s>%s</th>", heads[c].number ? " class=\"n\"" : "", heads[c].name);
  fputs("<th scope=\"col\" class=\"wide\">notes</th></tr></thead>\n<tbody>\n", out);
}

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
  fputs("\"><table>\n", out);
  write_heads(out, bandwidth);
  for (size_t i = 0; i < d->result_count; i++)
    write_cell(out, file, f + 1, &d->results[i]);
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
