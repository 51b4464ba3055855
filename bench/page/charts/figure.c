#include "page/charts/figure.h"

#include "base/html_text.h"

#include <stdlib.h>

enum { SHAPES = 12 };

/* Circle, square, triangle, diamond, inverted triangle; the same shapes hollow; two crosses. */
int xb_point_type(int shape)
{
  static const int types[SHAPES] = {7, 5, 9, 13, 11, 6, 4, 8, 12, 10, 1, 2};
  return types[shape % SHAPES];
}

static const char *glyph(int shape)
{
  static const char *const glyphs[SHAPES] = {"\u25cf", "\u25a0", "\u25b2", "\u25c6", "\u25bc", "\u25cb",
                                             "\u25a1", "\u25b3", "\u25c7", "\u25bd", "+",      "\u00d7"};
  return glyphs[shape % SHAPES];
}

const char *xb_fill(int slot)
{
  static const char *const fills[] = {"solid 1", "pattern 5", "pattern 4"}; /* 4, 5: diagonal lines */
  return fills[slot % 3];
}

bool xb_figure_begin(xb_page *page, xb_figure *figure, int height, double left, double right, double top, double bottom)
{
  *figure = (xb_figure){0};
  if (page->code >= 0)
    return false;
  if (xb_memory_begin(&figure->legend) && (!height || xb_chart_begin(&figure->chart, height, left, right, top, bottom)))
    return true;
  xb_memory_end(&figure->legend);
  xb_page_out_of_memory(page);
  return false;
}

void xb_figure_legend(xb_figure *figure, xb_mark mark, int slot, int shape, const char *text)
{
  static const char *const swatches[] = {"solid", "left", "right"};
  FILE *out = figure->legend.file;
  fputs("<li>", out);
  if (mark == XB_MARK_BAR)
    fprintf(out, "<span class=\"swatch %s t%d\"></span>", swatches[shape % 3], slot);
  else if (mark == XB_MARK_POINT)
    fprintf(out, "<span class=\"mark t%d\" aria-hidden=\"true\">%s</span>", slot, glyph(shape));
  else if (mark == XB_MARK_DASHES && shape)
    fprintf(out, "<span class=\"rule own t%d\"></span>", slot);
  else
    fprintf(out, "<span class=\"rule%s\"></span>",
            mark == XB_MARK_DASHES ? " dashed"
            : mark == XB_MARK_AREA ? " area"
                                   : "");
  xb_html_format(out, "<span>%s</span></li>\n", text);
}

void xb_figure_roof(xb_figure *figure, double value, bool shown, const char *what, xb_mark mark)
{
  char text[XB_LONG_NAME], size[XB_NAME];
  snprintf(text, sizeof text, "%s %s GB/s%s", what, xb_name_figure(value, size), shown ? "" : ", outside the chart");
  if (value > 0)
    xb_figure_legend(figure, mark, 0, 0, text);
}

static void write_figure(xb_page *page, xb_figure *figure)
{
  FILE *out = page->out;
  char description[2048], name[32];
  const int id = ++page->charts;
  snprintf(description, sizeof description, "%s ", figure->takeaway);
  xb_data_table_describe(&figure->table, description, sizeof description);
  snprintf(name, sizeof name, "xbench-chart-%d", id);
  xb_html_format(out, "<figure id=\"chart-%d\"><figcaption><h4>%s</h4><p>%s</p></figcaption>\n", id, figure->title,
                 figure->takeaway);
  if (!page->no_gnuplot)
    fprintf(out, "<ul class=\"legend\">\n%s</ul>\n", figure->legend.text);
  if (page->no_gnuplot)
    fputs("<p>This chart is only a table: gnuplot, which draws charts, was not there.</p>\n", out);
  else if (id <= XB_PAGE_MOST_CHARTS)
    page->code = xb_chart_write(&figure->chart, out, id, figure->title, description);
  else
    fputs("<p>This chart is only a table, because the page has too many charts.</p>\n", out);
  xb_html_format(out,
                 page->no_gnuplot ? "<details open><summary>Table</summary>\n<p class=\"where\">Source: %s.</p>\n"
                                  : "<details><summary>Table</summary>\n<p class=\"where\">Source: %s.</p>\n",
                 figure->source);
  if (!xb_data_table_write(&figure->table, out, figure->title, name))
    xb_page_out_of_memory(page);
  fputs("</details></figure>\n", out);
}

void xb_figure_end(xb_page *page, xb_figure *figure)
{
  if (figure->table.out_of_memory || !figure->chart.script || !xb_memory_whole(&figure->legend))
    xb_page_out_of_memory(page);
  if (page->code < 0)
    write_figure(page, figure);
  xb_memory_end(&figure->legend);
  xb_chart_free(&figure->chart);
  xb_data_table_free(&figure->table);
}
