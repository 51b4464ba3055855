#include "report/charts/charts.h"

#include "base/html_text.h"
#include "core/grow.h"
#include "table/table.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool xb_figure_begin(xb_report *report, xb_figure *figure)
{
  *figure = (xb_figure){.kinds = ""};
  if (report->code >= 0)
    return false;
  xb_chart_begin(&figure->chart, report->charts + 1);
  if (xb_memory_begin(&figure->legend) && xb_chart_is_whole(&figure->chart))
    return true;
  xb_report_out_of_memory(report);
  xb_figure_end(report, figure);
  return false;
}

void xb_figure_legend(xb_figure *figure, xb_legend_mark mark, int slot, int shape, const char *text)
{
  static const char *const swatches[] = {"solid", "left", "right"};
  static const char *const glyphs[XB_SHAPES] = {"\u25cf", "\u25a0", "\u25b2", "\u25c6", "\u25bc", "\u25cb",
                                                "\u25a1", "\u25b3", "\u25c7", "\u25bd", "+",      "\u00d7"};
  FILE *out = figure->legend.file;
  fputs("<li>", out);
  if (mark == XB_MARK_BAR)
    fprintf(out, "<span class=\"swatch %s t%d\"></span>", swatches[shape % 3], slot);
  else if (mark == XB_MARK_POINT)
    fprintf(out, "<span class=\"mark t%d\" aria-hidden=\"true\">%s</span>", slot, glyphs[shape % XB_SHAPES]);
  else if (mark == XB_MARK_DASHES && shape)
    fprintf(out, "<span class=\"rule own t%d\"></span>", slot);
  else
    fprintf(out, "<span class=\"rule%s\"></span>",
            mark == XB_MARK_DASHES ? " dashed"
            : mark == XB_MARK_AREA ? " area"
                                   : "");
  xb_html_format(out, "<span>%s</span></li>\n", text);
}

void xb_figure_roof(xb_figure *figure, double value, bool shown, const char *what, xb_legend_mark mark)
{
  char text[XB_LONG_NAME], size[XB_NAME];
  snprintf(text, sizeof text, "%s %s GB/s%s", what, xb_name_figure(value, size), shown ? "" : ", outside the chart");
  if (value > 0)
    xb_figure_legend(figure, mark, 0, 0, text);
}

/* ---- The table -------------------------------------------------------------------------------------------------- */

void xb_figure_table(xb_figure *figure, const char *kinds, ...)
{
  va_list heads;
  va_start(heads, kinds);
  figure->kinds = kinds;
  for (size_t c = 0; c < strlen(kinds); c++)
    figure->heads[c] = va_arg(heads, const char *);
  va_end(heads);
}

static void add(xb_figure *figure, const char *text, double value)
{
  if (!xb_grow(&figure->cells, &figure->capacity, figure->cell_count, sizeof *figure->cells)) {
    figure->out_of_memory = true;
    return;
  }
  const char *copy = text ? xb_arena_text(&figure->texts, "%s", text) : NULL;
  figure->out_of_memory |= text && !copy;
  figure->cells[figure->cell_count++] = (xb_figure_cell){copy, value};
}

void xb_figure_row(xb_figure *figure, ...)
{
  va_list cells;
  va_start(cells, figure);
  for (const char *kind = figure->kinds; *kind; kind++)
    if (*kind == 't')
      add(figure, va_arg(cells, const char *), NAN);
    else
      add(figure, NULL, va_arg(cells, double));
  va_end(cells);
}

static const char *format_of(char kind)
{
  static const char *const places[] = {"%.0f", "%.1f", "%.2f", "%.3f", "%.4f"};
  return kind == 'n' ? xb_as_figure : places[kind - '0'];
}

static xb_column column_of(const xb_figure *figure, size_t c)
{
  const size_t offset = c * sizeof *figure->cells;
  if (figure->kinds[c] == 't')
    return (xb_column){.left = true, .kind = XB_FIELD_TEXT, .offset = offset + offsetof(xb_figure_cell, text)};
  return (xb_column){.format = format_of(figure->kinds[c]),
                     .number = xb_number_member,
                     .offset = offset + offsetof(xb_figure_cell, value)};
}

/* As HTML, and as a CSV file in a link. False: out of host memory. */
static bool write_table(const xb_figure *figure, FILE *out)
{
  const size_t columns = strlen(figure->kinds);
  xb_memory csv = {0};
  xb_table s = {.list = figure->cells,
                .row_bytes = columns * sizeof *figure->cells,
                .rows = columns ? figure->cell_count / columns : 0};
  for (size_t c = 0; c < columns; c++) {
    xb_column *column = xb_table_add(&s, column_of(figure, c));
    column->title = figure->heads[c];
    column->head = !c;
  }
  xb_table_html(&s, out, figure->title, NULL);
  if (xb_memory_begin(&csv))
    xb_table_csv(&s, csv.file);
  const bool good = xb_memory_whole(&csv);
  if (good) {
    fprintf(out, "<p class=\"download\"><a download=\"xbench-chart-%d.csv\" href=\"data:text/csv;charset=utf-8,",
            figure->chart.id);
    xb_html_csv(out, csv.text, csv.length);
    fputs("\">This table as CSV</a></p>\n", out);
  }
  xb_memory_end(&csv);
  return good;
}

/* ---- The figure ------------------------------------------------------------------------------------------------- */

/* "8_vectors, Vulkan: 4083 GB/s. " */
static void describe(const xb_figure *figure, char *out, size_t bytes)
{
  const size_t columns = strlen(figure->kinds), texts = strspn(figure->kinds, "t");
  char value[XB_NAME];
  snprintf(out, bytes, "%s ", figure->takeaway);
  for (size_t i = 0; columns && i < figure->cell_count; i += columns) {
    const xb_figure_cell *row = &figure->cells[i];
    for (size_t c = 0; c < texts; c++)
      if (row[c].text)
        xb_append(out, bytes, "%s%s", c ? ", " : "", row[c].text);
    if (texts < columns && isfinite(row[texts].value)) {
      xb_field_format(&(xb_field){.format = format_of(figure->kinds[texts])}, row[texts].value, value, sizeof value);
      xb_append(out, bytes, ": %s %s", value, figure->heads[texts]);
    }
    xb_append(out, bytes, ". ");
  }
}

static void write_figure(xb_report *report, const xb_figure *figure)
{
  FILE *out = report->out;
  char description[2048];
  report->charts++;
  xb_html_format(out, "<figure id=\"chart-%d\"><figcaption><h4>%s</h4><p>%s</p></figcaption>\n", report->charts,
                 figure->title, figure->takeaway);
  fprintf(out, "<ul class=\"legend\">\n%s</ul>\n", figure->legend.text);
  describe(figure, description, sizeof description);
  if (report->charts <= XB_REPORT_MOST_CHARTS)
    xb_chart_write(&figure->chart, out, figure->title, description);
  else
    fputs("<p>This chart is only a table, because the page has too many charts.</p>\n", out);
  xb_html_format(out, "<details><summary>Table</summary>\n<p class=\"where\">Source: %s.</p>\n", figure->source);
  if (!write_table(figure, out))
    xb_report_out_of_memory(report);
  fputs("</details></figure>\n", out);
}

void xb_figure_end(xb_report *report, xb_figure *figure)
{
  if (figure->out_of_memory || !xb_chart_is_whole(&figure->chart) || !xb_memory_whole(&figure->legend))
    xb_report_out_of_memory(report);
  if (report->code < 0)
    write_figure(report, figure);
  xb_memory_end(&figure->legend);
  xb_chart_free(&figure->chart);
  xb_arena_free(&figure->texts);
  free(figure->cells);
}
