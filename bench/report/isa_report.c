/* The report of files that `xbench isa` wrote: registers and spills by architecture, and all rows. */
#include "isa/isa.h"

#include "base/html_text.h"
#include "report/charts/charts.h"
#include "report/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

/* What the kernels need on one architecture. */
typedef struct architecture {
  const char *name;
  double *registers; /* sorted */
  size_t count, spilling, refused, lacking;
} architecture;

typedef struct isa_report {
  xb_report report; /* the first one: slots get it */
  xb_isa_table isa;
  architecture list[MOST];
  size_t count;
  const char *source;
} isa_report;

/* ---- What the rows have ----------------------------------------------------------------------------------------- */

static architecture *named(isa_report *p, const char *name)
{
  for (size_t i = 0; i < p->count; i++)
    if (!strcmp(p->list[i].name, name))
      return &p->list[i];
  if (p->count == MOST)
    return NULL;
  p->list[p->count] = (architecture){.name = name, .registers = calloc(p->isa.table.rows, sizeof(double))};
  return p->list[p->count].registers ? &p->list[p->count++] : NULL;
}

static int by_value(const void *a, const void *b)
{
  const double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

static void gather(isa_report *p)
{
  for (size_t i = 0; i < p->isa.table.rows; i++) {
    const json_t *row = p->isa.lines[i].row;
    architecture *a = named(p, xb_isa_text(row, "for"));
    if (!a)
      continue;
    xb_isa_count_errors(row, &a->refused, &a->lacking);
    a->spilling += xb_isa_spills(row);
    if (json_object_get(row, "registers"))
      a->registers[a->count++] = (double)json_integer_value(json_object_get(row, "registers"));
  }
  for (size_t i = 0; i < p->count; i++)
    qsort(p->list[i].registers, p->list[i].count, sizeof(double), by_value);
}

/* ---- The chart -------------------------------------------------------------------------------------------------- */

static void draw(xb_figure *figure, const isa_report *p)
{
  xb_chart *chart = &figure->chart;
  const xb_pen pen = {XB_COLOUR_SERIES, 2, false};
  double most = 1;
  for (const architecture *a = p->list; a < p->list + p->count; a++)
    most = a->count ? fmax(most, a->registers[a->count - 1]) : most;
  xb_chart_size(chart, 330, 50, 13, 26, 84);
  xb_axis_set(&chart->x, -0.5, (double)p->count - 0.5, false);
  xb_linear_axis(chart, 'y', 0, 1.06 * most, 0);
  xb_chart_titles(chart, NULL, "registers a thread");
  for (size_t i = 0; i < p->count; i++) {
    const architecture *a = &p->list[i];
    xb_draw_text(chart, (double)i, 0,
                 (xb_text){.size = 12, .down = 14, .turn = -40, .anchor = XB_END, .characters = 12}, a->name);
    if (!a->count)
      continue;
    xb_draw_interval(chart, 'y', (xb_interval){a->registers[0], a->registers[a->count - 1]}, (double)i, pen);
    xb_draw_point(chart, pen.colour, 0, (double)i, a->registers[a->count / 2]);
  }
  xb_figure_legend(figure, XB_MARK_POINT, 0, 0, "median of the kernels; the line goes from the minimum to the maximum");
}

static void tabulate(xb_figure *figure, const isa_report *p)
{
  xb_figure_table(figure, "t0000000", "for", "kernels", "least registers", "median", "most", "spilling", "refused",
                  "lacks a feature");
  for (const architecture *a = p->list; a < p->list + p->count; a++) {
    const double *r = a->registers;
    xb_figure_row(figure, a->name, (double)a->count, a->count ? r[0] : NAN, a->count ? r[a->count / 2] : NAN,
                  a->count ? r[a->count - 1] : NAN, (double)a->spilling, (double)a->refused, (double)a->lacking);
  }
}

static void write_chart(xb_report *report)
{
  isa_report *p = (isa_report *)report;
  xb_figure figure;
  if (!xb_figure_begin(&p->report, &figure))
    return;
  XB_ADD(figure.title, "Registers of a thread, by architecture");
  for (size_t i = 0; i < p->count; i++)
    XB_ADD(figure.takeaway, "%s%s: %zu of %zu spill or use local memory", i ? "; " : "", p->list[i].name,
           p->list[i].spilling, p->list[i].count);
  XB_ADD(figure.takeaway, ".");
  XB_ADD(figure.source, "%s", p->source);
  draw(&figure, p);
  tabulate(&figure, p);
  xb_figure_end(&p->report, &figure);
}

/* ---- Slots of the template -------------------------------------------------------------------------------------- */

static void write_title(xb_report *report)
{
  isa_report *p = (isa_report *)report;
  fprintf(p->report.out, "%zu kernels", p->isa.kernels);
}

static void write_architectures(xb_report *report)
{
  isa_report *p = (isa_report *)report;
  for (size_t i = 0; i < p->count; i++)
    xb_html_format(p->report.out, i ? ", %.40s" : "%.40s", p->list[i].name);
}

static void write_lead(xb_report *report)
{
  isa_report *p = (isa_report *)report;
  fprintf(
      p->report.out,
      "Compiled %zu times: %zu spill or use local memory, %zu refused, %zu need a feature that the architecture lacks. "
      "No GPU ran them.",
      p->isa.table.rows, p->isa.spilling, p->isa.refused, p->isa.lacking);
}

/* The counts by kind, side by side, and folded below them the code; nothing of a file without it. */
static void write_code(xb_report *report)
{
  isa_report *p = (isa_report *)report;
  const xb_isa_line *lines = p->isa.lines;
  for (size_t i = 0, end; i < p->isa.table.rows; i = end) {
    char name[256];
    size_t texts = 0;
    for (end = i; end < p->isa.table.rows && (end == i || !lines[end].begins); end++)
      texts += *xb_isa_text(lines[end].row, "text") != 0;
    if (!texts)
      continue;
    xb_html_format(p->report.out, "<h3>%.250s</h3>\n<pre>", xb_isa_name(lines[i].row, name));
    xb_isa_print_kinds(&lines[i], end - i, p->report.out);
    fputs("</pre>\n", p->report.out);
    for (const xb_isa_line *line = &lines[i]; line < &lines[end]; line++) {
      const json_t *row = line->row;
      if (!*xb_isa_text(row, "text"))
        continue;
      xb_html_format(p->report.out, "<details><summary>%.60s %.20s</summary><pre>", xb_isa_text(row, "for"),
                     xb_isa_text(row, "api"));
      for (const char *c = xb_isa_text(row, "text"); *c; c++) /* lines, which xb_html_text() would join */
        xb_html_char(p->report.out, *c == '\n' || *c == '\t' || (*c >= ' ' && *c < 127) ? *c : '?');
      fputs("</pre></details>\n", p->report.out);
    }
  }
}

static void write_kernels(xb_report *report)
{
  xb_table_html(&((isa_report *)report)->isa.table, report->out, "The compiled code of each kernel", NULL);
}

static void write_source(xb_report *report)
{
  isa_report *p = (isa_report *)report;
  xb_html_clipped(p->report.out, p->source, 100);
}

int xb_isa_report_write(FILE *out, const json_t *rows, const char *source)
{
  isa_report p = {.report = {.out = out, .code = -1}, .source = source};
  xb_report_slot slots[] = {
      {.name = "style", .write = xb_report_style},     {.name = "program", .write = xb_report_program},
      {.name = "device_names", .write = write_title},  {.name = "api_names", .write = write_architectures},
      {.name = "lead", .write = write_lead},           {.name = "inputs", .write = write_source},
      {.name = "architectures", .write = write_chart}, {.name = "kernels", .write = write_kernels},
      {.name = "code", .write = write_code},           {.name = "contents", .write = xb_report_contents},
  };
  if (!xb_isa_table_make(&p.isa, rows))
    xb_report_out_of_memory(&p.report);
  else
    gather(&p);
  xb_template_write(&p.report, slots, sizeof slots / sizeof *slots);
  for (size_t i = 0; i < p.count; i++)
    free(p.list[i].registers);
  xb_isa_table_free(&p.isa);
  return p.report.code;
}
