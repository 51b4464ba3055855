/* The section of a benchmark: its charts or tables, and its sources. */
#include "base/html_text.h"
#include "benchmarks/registry.h"
#include "formats/result_columns.h"
#include "report/charts/charts.h"
#include "report/report.h"
#include "result/result.h"
#include "show/view.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- Sources: each pair once, and the links to them ------------------------------------------------------------- */

/* NULL if the variant is not in the program's table, or has no kernel of its own. */
static const xb_variant *variant_of(const xb_result *cell)
{
  const xb_variant *v = xb_variant_find(cell->benchmark, cell->variant);
  return v && xb_has_kernel(v) ? xb_variant_of_kernel(v) : NULL;
}

void xb_source_link(FILE *out, const xb_result *cell, const char *text)
{
  char anchor[XB_ANCHOR_BYTES];
  const xb_variant *v = variant_of(cell);
  if (v) {
    xb_html_variant_anchor(v, anchor);
    fprintf(out, "<a href=\"#%s\">", anchor);
  }
  xb_html_text(out, text);
  fputs(v ? "</a>" : "", out);
}

static bool was_run(const xb_view *view, const xb_variant *v)
{
  for (size_t f = 0; f < view->file_count; f++)
    for (size_t i = 0; i < view->files[f].document->result_count; i++)
      if (variant_of(&view->files[f].document->results[i]) == v)
        return true;
  return false;
}

/* To the sources of a benchmark's variants. */
static void write_source_links(xb_report *report, const char *benchmark)
{
  char anchor[XB_ANCHOR_BYTES];
  bool any = false;
  const xb_benchmark *b = xb_benchmark_find(benchmark);
  for (size_t i = 0; b && i < b->variant_count; i++) {
    const xb_variant *v = &b->variants[i];
    if (!was_run(report->view, v))
      continue;
    xb_html_variant_anchor(v, anchor);
    fputs(any ? ", " : "<p class=\"where\">Sources, CUDA beside HLSL: ", report->out);
    xb_html_format(report->out, "<a href=\"#%s\">%u %s</a>", anchor, v->number, v->name);
    any = true;
  }
  fputs(any ? "</p>\n" : "", report->out);
}

static void write_source(xb_report *report, const xb_variant *v)
{
  xb_html_format(report->out, "<details class=\"source\"><summary>%s/%u %s</summary>\n", v->benchmark->name, v->number,
                 v->title);
  if (!xb_html_variant(v, report->out))
    xb_report_out_of_memory(report);
  fputs("</details>\n", report->out);
}

void xb_report_sources(xb_report *report)
{
  const xb_benchmark *b;
  for (size_t i = 0; (b = xb_benchmark_at(i)); i++)
    for (const xb_variant *v = b->variants; v < b->variants + b->variant_count; v++)
      if (was_run(report->view, v))
        write_source(report, v);
}

/* ---- Pairs of devices: tables that are shaded by value ---------------------------------------------------------- */

enum { SHADES = 5 };

/* The largest value that is shaded. Cells of one device alone are not, if there are others: its own memory is faster
 * than a link, so that all links would look alike. */
static double find_most(const xb_matrix *m, bool *between)
{
  double mosts[2] = {0}; /* of one device, between two */
  for (size_t r = 0; r < m->rows; r++)
    for (size_t c = 0; c < m->columns; c++)
      mosts[m->from[r] != m->to[c]] = fmax(mosts[m->from[r] != m->to[c]], m->values[r][c]);
  *between = mosts[1] > 0;
  return mosts[*between];
}

static const char *shade(const xb_table *s, const xb_column *c, const void *row)
{
  static const char *const shades[SHADES] = {"heat0", "heat1", "heat2", "heat3", "heat4"};
  const xb_matrix *m = s->user;
  const size_t r = (size_t)((const int64_t *)row - m->from);
  const double value = m->values[r][c->offset];
  bool between;
  const double most = find_most(m, &between);
  return isnan(value) || (between && m->from[r] == m->to[c->offset])
             ? ""
             : shades[(int)fmin(SHADES - 1, SHADES * value / most)];
}

static void write_table(FILE *out, xb_matrix *m, const char *title)
{
  xb_table s;
  xb_make_matrix_table(&s, m);
  s.columns[0].title = "from \\ to";
  s.columns[0].left = true;
  for (size_t c = 1; c < s.count; c++) {
    s.columns[c].format = xb_as_figure;
    s.columns[c].style = shade;
  }
  xb_table_html(&s, out, title, "matrix");
}

static void write_legend(FILE *out)
{
  fputs("<ul class=\"legend\">", out);
  for (int i = 0; i < SHADES; i++)
    fprintf(out, "<li><span class=\"swatch heat%d\"></span><span>%s %d %%</span></li>", i, i ? "from" : "below",
            i ? 100 * i / SHADES : 100 / SHADES);
  fputs("</ul>\n", out);
}

static void write_matrix(xb_report *report, const xb_view_file *file, xb_matrix *m)
{
  char variant[XB_NAME], size[XB_NAME], title[3 * XB_NAME];
  bool between;
  find_most(m, &between);
  snprintf(title, sizeof title, "%s, %s %s, %s, %s: %s from device to device", m->of->benchmark,
           xb_name_size(m->of, size), m->of->dtype, xb_name_variant(m->of->variant, variant),
           xb_view_target_of(file, m->of)->name, m->unit);
  xb_html_format(report->out,
                 "<figure><figcaption><h4>%s</h4><p>Shades: parts of the largest value%s.</p></figcaption>\n", title,
                 between ? " between two devices; cells of one device have none" : "");
  write_legend(report->out);
  write_table(report->out, m, title);
  fputs("</figure>\n", report->out);
}

static bool begins(const xb_view_file *file, size_t from, size_t i)
{
  for (size_t k = from; k < i; k++)
    if (xb_same_matrix(file->cells[k], file->cells[i]))
      return false;
  return true;
}

/* Of cells [from, to): a table for each variant and target. */
static void write_matrices(xb_report *report, const xb_view_file *file, size_t from, size_t to)
{
  xb_matrix m;
  for (size_t i = from; i < to; i++) {
    if (!begins(file, from, i))
      continue;
    xb_matrix_begin(&m, file->cells[i]);
    for (size_t k = i + 1; k < to; k++)
      xb_matrix_add(&m, file->cells[k]);
    if (m.unit)
      write_matrix(report, file, &m);
  }
}

/* ---- The charts of a benchmark, file by file -------------------------------------------------------------------- */

/* Several sizes of one or two variants are shown as lines, not as a ladder. */
static bool is_ladder(const xb_view_file *file, size_t from, size_t to)
{
  size_t variants = 0;
  for (size_t i = from; i < to; i++)
    variants += xb_begins_variant(file, from, i);
  return variants > 2;
}

/* Only the ladder at the largest size is visible at first. */
static void write_ladders(xb_report *report, const xb_view_file *file, size_t from, size_t to, bool largest)
{
  for (size_t i = from, end; i < to; i = end) {
    end = xb_view_end(file, i, xb_same_size);
    const bool only = i == from && end == to;
    if ((end == to) != largest || !(only || is_ladder(file, i, end)))
      continue;
    xb_ladder(report, file, i, end);
  }
}

static bool has_other_ladders(const xb_view_file *file, size_t from, size_t to)
{
  const size_t end = xb_view_end(file, from, xb_same_size);
  return end < to && is_ladder(file, from, end);
}

static bool has_benchmark(const xb_view_file *file, const char *benchmark)
{
  for (size_t i = 0; i < file->cell_count; i++)
    if (!strcmp(file->cells[i]->benchmark, benchmark))
      return true;
  return false;
}

static void write_file(xb_report *report, const xb_view_file *file, const char *benchmark)
{
  bool others = false, samples = false;
  if (!has_benchmark(file, benchmark))
    return;
  xb_html_format(report->out, "<h3 class=\"file\">%.100s</h3>\n<div class=\"charts\">\n", file->name);
  for (size_t i = 0, end; i < file->cell_count; i = end) {
    end = xb_view_end(file, i, xb_same_question);
    if (strcmp(file->cells[i]->benchmark, benchmark) != 0)
      continue;
    for (size_t k = i; k < end; k++)
      samples |= xb_has_samples(file->cells[k]);
    if (xb_is_of_pairs(xb_view_benchmark(report->view, benchmark))) {
      write_matrices(report, file, i, end);
      continue;
    }
    xb_timelines(report, file, i, end);
    if (xb_axis_varies(file, i, end)) {
      xb_axes(report, file, i, end);
      xb_bandwidth(report, file, i, end);
      continue;
    }
    write_ladders(report, file, i, end, true);
    xb_bandwidth(report, file, i, end);
    others |= has_other_ladders(file, i, end);
  }
  xb_ratios(report, file, benchmark);
  fputs("</div>\n", report->out);
  for (int part = others ? 0 : 1; part < 1 + samples; part++) {
    fprintf(report->out, "<details><summary>%s</summary>\n<div class=\"charts\">\n",
            part ? "The samples of each cell" : "The ladder at other sizes");
    for (size_t i = 0, end; i < file->cell_count; i = end) {
      end = xb_view_end(file, i, xb_same_question);
      if (strcmp(file->cells[i]->benchmark, benchmark) != 0)
        continue;
      if (part)
        xb_samples(report, file, i, end);
      else if (!xb_axis_varies(file, i, end))
        write_ladders(report, file, i, end, false);
    }
    fputs("</div></details>\n", report->out);
  }
}

static void write_quoted(xb_report *report, const char *benchmark)
{
  const xb_result_benchmark *b = xb_view_benchmark(report->view, benchmark);
  for (size_t i = 0; b && i < b->quoted.count; i++) {
    const xb_quoted *q = &b->quoted.values[i];
    fputs(i ? "" : "<details><summary>Published values, for other hardware</summary>\n<ul class=\"notes\">\n",
          report->out);
    char variant[24] = "";
    if (q->variant) /* 0: of the whole benchmark */
      snprintf(variant, sizeof variant, "%" PRId64, q->variant);
    xb_html_format(report->out, "<li>%s%s%s%s%g %s; %s; %s; %s: \u201c%.300s\u201d</li>\n", variant,
                   q->at && *q->at ? " at " : "", q->at ? q->at : "", *variant ? ": " : "", q->value, q->unit,
                   q->hardware, q->size, q->source, q->words);
  }
  fputs(b && b->quoted.count ? "</ul></details>\n" : "", report->out);
}

void xb_report_benchmark(xb_report *report, const char *benchmark, size_t number)
{
  xb_html_format(report->out, "<section id=\"benchmark-%zu\"><h2>%.60s</h2>\n", number, benchmark);
  write_source_links(report, benchmark);
  write_quoted(report, benchmark);
  size_t files = 0;
  for (size_t f = 0; f < report->view->file_count; f++)
    files += has_benchmark(&report->view->files[f], benchmark);
  if (files > 1)
    fputs("<p class=\"where\">Charts of one kind have one scale in all files.</p>\n", report->out);
  for (size_t f = 0; f < report->view->file_count; f++)
    write_file(report, &report->view->files[f], benchmark);
  fputs("</section>\n", report->out);
}
