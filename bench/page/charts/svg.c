#include "page/charts/chart.h"

#include "base/html_text.h"
#include "page/model/page_view.h"

#include <stdlib.h>
#include <string.h>

/* ---- Values ----------------------------------------------------------------------------------------------------- */

static void put_colour(FILE *page, long r, long g, long b)
{
  static const char *const names[] = {
      [XB_COLOUR_INK] = "ink",   [XB_COLOUR_GRID] = "grid", [XB_COLOUR_PEAK] = "peak",
      [XB_COLOUR_COPY] = "copy", [XB_COLOUR_BAND] = "band", [XB_COLOUR_MUTED] = "muted"};
  if (!r && !g && b >= XB_COLOUR_SOFT && b < XB_COLOUR_SOFT + XB_VIEW_SLOTS)
    fprintf(page, "var(--soft%ld)", b - XB_COLOUR_SOFT);
  else if (!r && !g && b >= XB_COLOUR_SERIES && b < XB_COLOUR_SERIES + XB_VIEW_SLOTS)
    fprintf(page, "var(--series%ld)", b - XB_COLOUR_SERIES);
  else if (!r && !g && b >= XB_COLOUR_INK && b <= XB_COLOUR_MUTED)
    fprintf(page, "var(--%s)", names[b]);
  else
    fputs("currentColor", page);
}

/* "rgb(  0,   0,  17)" */
static const char *copy_colour(FILE *page, const char *p)
{
  char *end;
  const long r = strtol(p + 4, &end, 10), g = strtol(end + (*end == ','), &end, 10),
             b = strtol(end + (*end == ','), &end, 10);
  put_colour(page, r, g, b);
  return *end == ')' ? end + 1 : end;
}

/* "~12~" */
static const char *copy_label(FILE *page, const char *p, const xb_chart *chart)
{
  char *end;
  const long i = strtol(p + 1, &end, 10);
  if (end == p + 1 || *end != '~' || i < 0 || (size_t)i >= chart->label_count) {
    fputc(*p, page);
    return p + 1;
  }
  xb_html_clipped(page, chart->labels[i].text, chart->labels[i].characters);
  return end + 1;
}

/* ---- Omitted elements ------------------------------------------------------------------------------------------- */

static const char *past_space(const char *p)
{
  return p + strspn(p, " \t\n");
}

/* Skips an element without use: gnuplot's own titles, unused filters, empty groups. Returns its end, or `p` if there is
 * no such element. */
static const char *past_idle(const char *p)
{
  static const char *const idle[][2] = {{"<title>", "</title>"}, {"<filter ", "</filter>"}};
  for (int i = 0; i < 2; i++) {
    const char *end = !strncmp(p, idle[i][0], strlen(idle[i][0])) ? strstr(p, idle[i][1]) : NULL;
    if (end)
      return end + strlen(idle[i][1]);
  }
  const char *inside = !strncmp(p, "<g ", 3) ? strchr(p, '>') : NULL;
  inside = inside ? past_space(inside + 1) : NULL;
  return inside && !strncmp(inside, "</g>", 4) ? inside + 4 : p;
}

/* ---- The drawing ------------------------------------------------------------------------------------------------ */

typedef struct change {
  const char *from, *to; /* %d in `to`: the chart's number */
} change;

/* gnuplot writes this in almost every group; the style sheet has it once. */
#define PLAIN "stroke=\"currentColor\" stroke-width=\"1.00\" stroke-linecap=\"butt\" stroke-linejoin=\"miter\""

static const change changes[] = {
    {"fill=\"none\" color=\"black\" " PLAIN, "class=\"g\""},
    {" id=\"gnuplot_canvas\"", ""},
    {" id=\"gnuplot_plot_", " id=\"c%d-plot-"},
    {" id='gp", " id='c%d-gp"},
    {"xlink:href='#gp", "href='#c%d-gp"},
    {"url(#gp", "url(#c%d-gp"},
    {" font-family=\"sans-serif\"", ""},
    {"\"black\"", "\"var(--ink)\""},
    {"'black'", "'var(--ink)'"},
    {"'white'", "'var(--surface)'"},
    {"\"white\"", "\"var(--surface)\""},
};

static const char *change_at(FILE *page, const char *p, int id)
{
  for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
    const size_t length = strlen(changes[i].from);
    if (strncmp(p, changes[i].from, length) != 0)
      continue;
    fprintf(page, changes[i].to, id);
    return p + length;
  }
  return p;
}

/* Copies one character, or skips or replaces the text at `p`. Returns what follows. */
static const char *copy_one(FILE *page, const char *p, const xb_chart *chart, int id)
{
  const char *next = past_idle(p);
  if (next == p)
    next = change_at(page, p, id);
  if (next != p)
    return next;
  if (!strncmp(p, "rgb(", 4))
    return copy_colour(page, p);
  if (*p == '~')
    return copy_label(page, p, chart);
  next = past_space(p);
  if (next == p)
    fputc(*next++, page);
  else if (p[-1] != '>' && *next != '<')
    fputc(' ', page);
  return next;
}

static const char CANVAS[] = "<g id=\"gnuplot_canvas\">";

bool xb_svg_is_whole(const char *svg)
{
  const char *canvas = strstr(svg, CANVAS);
  return canvas && strstr(canvas, "</svg>");
}

void xb_svg_write(FILE *page, const char *svg, const xb_chart *chart, int id, const char *title,
                  const char *description)
{
  xb_html_format(page,
                 "<svg role=\"img\" viewBox=\"0 0 %d %d\" aria-labelledby=\"c%d-title c%d-desc\">"
                 "<title id=\"c%d-title\">%s</title><desc id=\"c%d-desc\">%s</desc>",
                 XB_CHART_WIDTH, chart->height, id, id, id, title, id, description);
  for (const char *p = strstr(svg, CANVAS); *p;)
    p = copy_one(page, p, chart, id);
  fputc('\n', page);
}
