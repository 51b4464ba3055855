/* Tables of cells: all of them, including those without a result; and the ceilings of each device. */
#include "base/html_text.h"
#include "formats/result_columns.h"
#include "report/report.h"
#include "result/fields.h"
#include "result/result.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- Anchors: always the same for the same files ---------------------------------------------------------------- */

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
  return a->variant_number == b->variant_number && a->work.size == b->work.size && a->work.rows == b->work.rows &&
         a->work.inner == b->work.inner && same_in_anchor(a->benchmark, b->benchmark, BENCHMARK) &&
         same_in_anchor(a->dtype, b->dtype, TYPE) &&
         same_in_anchor(xb_view_target_of(file, a)->name, xb_view_target_of(file, b)->name, TARGET);
}

void xb_cell_anchor(const xb_view_file *file, const xb_result *cell, size_t file_number, char out[XB_NAME])
{
  size_t nth = 1;
  for (const xb_result *r = file->document->results; r < cell; r++)
    nth += same_anchor(file, r, cell);
  snprintf(out, XB_NAME, "cell-f%zu-%.*s-%" PRIu64 "-%.*s-%.*s-%" PRIu64, file_number, BENCHMARK, cell->benchmark,
           cell->variant_number, TARGET, xb_view_target_of(file, cell)->name, TYPE, cell->dtype, cell->work.size);
  if (cell->work.rows)
    xb_append(out, XB_NAME, "-%" PRIu64, cell->work.rows);
  if (cell->work.inner)
    xb_append(out, XB_NAME, "-%" PRIu64, cell->work.inner);
  for (char *p = out; *p; p++)
    *p = anchor_letter(*p);
  if (nth > 1)
    xb_append(out, XB_NAME, "-n%zu", nth);
}

/* ---- Columns ---------------------------------------------------------------------------------------------------- */

/* What a table is made of. */
typedef struct cell_table {
  const xb_view *view;
  const xb_view_file *file;
  size_t number; /* of the file */
  bool baselines;
} cell_table;

/* Cells that were measured only as a baseline for others have a table of their own. */
static const void *cell_at(const xb_table *s, size_t i)
{
  const cell_table *t = s->user;
  const xb_result *r = &t->file->document->results[i];
  return (r->yardstick == 1) == t->baselines ? r : NULL;
}

XB_COLUMN_TEXT(value)
{
  const xb_result *r = row;
  if (xb_is_timed(r))
    xb_name_figure(xb_result_value(r), out);
  if (*out && !xb_is_bandwidth(r))
    xb_append(out, XB_NAME, " %s", xb_result_unit(r));
}

XB_COLUMN_VALUE(overhead_part, xb_result, xb_is_timed(r) ? 100 * r->time.floor_ns / r->time.median_ns : NAN)

XB_COLUMN_SHOW(count, xb_result, xb_is_timed(r), xb_field_text(c, r, out))

/* What a table says of the result, and what it has no column for. */
XB_COLUMN_TEXT(notes)
{
  const xb_result *r = row;
  const cell_table *t = s->user;
  char text[XB_NAME], published[XB_TABLE_TEXT];
  if (xb_is_timed(r))
    xb_format_remarks(r, false, out);
  if (!xb_is_timed(r) && r->check.counterpart && r->check.reason)
    xb_add_remark(out, "%s: %.300s", r->check.counterpart, r->check.reason);
  if (r->yardstick == 1)
    xb_add_remark(out, "control");
  for (size_t i = 1; i < r->rates.metrics.count; i++)
    xb_add_remark(out, "%s %s", xb_name_figure(r->rates.metrics.values[i].value, text),
                  r->rates.metrics.values[i].unit);
  if (isfinite(r->rates.model.measured) && isfinite(r->rates.model.predicted))
    xb_add_remark(out, "%.0f %% of base, model %.0f %%", 100 * r->rates.model.measured, 100 * r->rates.model.predicted);
  if (r->rates.model.name && isfinite(r->rates.model.value))
    xb_add_remark(out, "%.4g %s", r->rates.model.value, r->rates.model.unit);
  const xb_result_benchmark *b = xb_view_benchmark(t->view, r->benchmark);
  if (b)
    xb_format_published(b, r, published);
  if (b && *published)
    xb_add_remark(out, "published: %s", published);
  if (xb_same_text(r->conditions.clock, "host"))
    xb_add_remark(out, "timed by the host's clock");
  if (xb_same_text(r->conditions.loop, "kernel"))
    xb_add_remark(out, "repeated inside the kernel");
}

/* The reason, instead of the numbers. */
static bool failed(const xb_table *s XB_UNUSED, const void *row, bool column_group XB_UNUSED, char out[XB_TABLE_TEXT])
{
  const xb_result *r = row; /* a missing counterpart's reason is in the notes */
  snprintf(out, XB_TABLE_TEXT, "%s%s%s", xb_outcome_words(r), r->check.error ? ": " : "",
           r->check.error ? r->check.error : "");
  return !xb_is_timed(r);
}

static void write_row_attributes(const xb_table *s, const void *row, FILE *out)
{
  const cell_table *t = s->user;
  const xb_result *r = row;
  char anchor[XB_NAME];
  xb_cell_anchor(t->file, r, t->number, anchor);
  fprintf(out, " id=\"%s\"%s", anchor,
          xb_lacks_time(r)    ? " class=\"failed\""
          : r->yardstick == 1 ? " class=\"yardstick\""
                              : "");
}

static void write_name(const xb_table *s, const void *row, FILE *out)
{
  const cell_table *t = s->user;
  const xb_result *r = row;
  char name[XB_NAME], title[XB_LONG_NAME];
  fputs("<span class=\"name\" title=\"", out);
  xb_html_text(out, r->title ? r->title : "");
  fputs("\">", out);
  snprintf(title, sizeof title, "%s %s", r->benchmark, xb_name_variant(r->variant, name));
  xb_source_link(out, r, title);
  xb_name_question(r, name);
  if (r->work.block)
    xb_append(name, sizeof name, ", groups of %" PRIu64, r->work.block);
  xb_html_format(out, "</span><small>%s, %s</small>", xb_view_target_of(t->file, r)->name, name);
}

/* ---- The table -------------------------------------------------------------------------------------------------- */

#define OF(kind, name) XB_AT(xb_result, kind, name)
static void write_table(FILE *out, const cell_table *t)
{
  enum { FIRST = 4 }; /* those in front of the columns that all writers show */
  static const xb_column columns[] = {
      {"cell", .head = true, .left = true, .markup = write_name},
      {"time", .number = xb_result_figure, .fails = true, OF(REAL, time.median_ns)},
      {"± %", 0, "%.1f", .number = xb_result_half_interval},
      {"value", .text = value},
      {"overhead, %", 0, "%.0f", .number = overhead_part},
      {"host time", .number = xb_result_figure, OF(REAL, time.host_ns)},
      {"samples", .text = count, OF(KNOWN, time.samples_ns.count)},
      {"place\u00adments", .text = count, OF(KNOWN, time.placements)},
      {"regis\u00adters", .text = count, OF(KNOWN, code.registers)},
  };
  char label[XB_LONG_NAME];
  bool bandwidth = true;
  xb_table s = {.user = t,
                .row = cell_at,
                .rows = t->file->document->result_count,
                .failed = failed,
                .row_markup = write_row_attributes};
  xb_table_add_all(&s, columns, FIRST);
  xb_table_add_fields(&s, &xb_result_fields, "percent_of_copy", XB_IN_HTML);
  xb_table_add_all(&s, columns + FIRST, sizeof columns / sizeof *columns - FIRST);
  xb_table_add(&s, (xb_column){"notes", .left = true, .note = true, .text = notes});
  for (size_t i = 0; i < s.rows; i++) {
    const xb_result *r = cell_at(&s, i);
    bandwidth &= !r || !r->rates.metrics.count || xb_is_bandwidth(r);
  }
  s.columns[3].title = bandwidth ? "GB/s" : "value";
  for (size_t i = 1; i + 1 < s.count; i++)
    s.columns[i].optional = true;
  snprintf(label, sizeof label, "%s of %.100s", t->baselines ? "Baselines" : "Cells", t->file->name);
  xb_table_html(&s, out, label, "cells");
}

static void write_file(xb_report *report, size_t f)
{
  FILE *out = report->out;
  const xb_view_file *file = &report->view->files[f];
  const xb_document *d = file->document;
  for (int baselines = 0; baselines < 2; baselines++) {
    size_t count = 0, failures = 0;
    for (const xb_result *r = d->results; r && r < d->results + d->result_count; r++)
      if ((r->yardstick == 1) == baselines) {
        count++;
        failures += xb_lacks_time(r);
      }
    if (!count && (baselines || d->result_count))
      continue;
    fprintf(out, "<details%s><summary>", (report->view->file_count == 1 && !baselines) || failures ? " open" : "");
    xb_html_clipped(out, file->name, 100);
    fprintf(out, ": %zu %s%s", count, baselines ? "baseline" : "cell", count == 1 ? "" : "s");
    if (failures)
      fprintf(out, ", %zu without a result", failures);
    fputs("</summary>\n", out);
    write_table(out, &(cell_table){report->view, file, f + 1, baselines});
    fputs("</details>\n", out);
  }
}

void xb_report_cells(xb_report *report)
{
  for (size_t f = 0; f < report->view->file_count; f++)
    write_file(report, f);
}

/* ---- The ceilings of each device, by each API ------------------------------------------------------------------- */

enum { FEWEST = 3 }; /* fewer are no overview */

/* The target's cell of a peak: of several sizes, the largest. NULL: none. */
static const xb_result *find_peak(const xb_view_file *file, const xb_view_target *target, const xb_peak *peak)
{
  const xb_result *best = NULL;
  for (size_t i = 0; i < file->cell_count; i++) {
    const xb_result *r = file->cells[i];
    if (xb_is_peak(peak, r) && xb_view_target_of(file, r) == target && (!best || r->work.size > best->work.size))
      best = r;
  }
  return best;
}

static bool has_peaks(const xb_view_file *file)
{
  size_t count = 0;
  for (const xb_peak *p = xb_peaks; p->title; p++)
    for (size_t i = 0; i < file->cell_count; i++)
      if (xb_is_peak(p, file->cells[i]) && file->cells[i]->outcome == XB_CELL_OK) {
        count++;
        break;
      }
  return count >= FEWEST;
}

/* With the interval of the time: both are proportional, or one to the other's reciprocal. */
XB_COLUMN_TEXT(peak_value)
{
  const xb_peak *peak = row;
  const xb_result *r = find_peak(s->user, c->of, peak);
  char text[XB_NAME];
  if (!r || r->outcome != XB_CELL_OK) {
    snprintf(out, XB_TABLE_TEXT, "%s", r ? xb_outcome_words(r) : "not measured");
    return;
  }
  const xb_metric *metric = xb_result_metric(r, NULL, peak->unit); /* NULL: its time is shown */
  const double width = xb_half_interval(r);
  snprintf(out, XB_TABLE_TEXT, "%s %s",
           metric ? xb_name_figure(metric->value, text) : xb_name_time(r->time.median_ns, text),
           metric ? metric->unit : "");
  if (isfinite(width))
    xb_append(out, XB_TABLE_TEXT, " ± %.1f %%", width);
  xb_append(out, XB_TABLE_TEXT, "%s", r->check.verified == 0 ? " (not verified)" : "");
}

/* The first target's cell. */
static const xb_result *any_cell(const xb_view_file *file, const xb_peak *peak)
{
  const xb_result *any = NULL;
  for (size_t t = 0; t < file->document->device_count && !any; t++)
    any = find_peak(file, &file->targets[t], peak);
  return any;
}

XB_COLUMN_PRINT(peak_cell, xb_peak, true, "%s/%s", any_cell(s->user, r)->benchmark, any_cell(s->user, r)->variant)

static const void *peak_at(const xb_table *s, size_t i)
{
  return any_cell(s->user, &xb_peaks[i]) ? &xb_peaks[i] : NULL;
}

static void write_peaks(FILE *out, const xb_view_file *file)
{
  xb_table s = {.user = file, .row = peak_at};
  while (xb_peaks[s.rows].title)
    s.rows++;
  xb_table_add(&s, (xb_column){"ceiling", .head = true, .left = true, XB_AT(xb_peak, TEXT, title)});
  xb_table_add(&s, (xb_column){"cell", .left = true, .text = peak_cell});
  for (size_t t = 0; t < file->document->device_count; t++)
    xb_table_add(&s, (xb_column){file->targets[t].name, .text = peak_value, .of = &file->targets[t]});
  xb_table_html(&s, out, "Peaks", NULL);
}

void xb_report_peaks(xb_report *report)
{
  for (size_t f = 0; f < report->view->file_count; f++)
    if (has_peaks(&report->view->files[f])) {
      if (report->view->file_count > 1)
        xb_html_format(report->out, "<h3>%s</h3>\n", report->view->files[f].name);
      write_peaks(report->out, &report->view->files[f]);
    }
}
