/* One chart: a gnuplot script, and the SVG that gnuplot makes of it. gnuplot never sees the texts: the script has
 * numbered tokens ("~12~") in their place, and xb_svg_write() puts the texts into the SVG. */
#ifndef XB_CHART_H
#define XB_CHART_H

#include <stdbool.h>
#include <stdio.h>

#include "base/arena.h"
#include "os/memory_file.h"
#include "result/result.h"

enum { XB_CHART_WIDTH = 420 };

/* Placeholders for the style sheet's colours: a script has #0000xx, such as "lc rgb '#000010'". */
enum {
  XB_COLOUR_INK = 0x01,
  XB_COLOUR_GRID = 0x02,
  XB_COLOUR_PEAK = 0x03,
  XB_COLOUR_COPY = 0x04,
  XB_COLOUR_BAND = 0x05,
  XB_COLOUR_MUTED = 0x06,
  XB_COLOUR_SERIES = 0x10, /* plus a slot */
  XB_COLOUR_SOFT = 0x20,   /* plus a slot: a paler shade */
};

typedef struct xb_chart_text {
  const char *text;
  size_t characters; /* the most to show */
} xb_chart_text;

typedef struct xb_chart {
  xb_memory memory; /* of the script */
  FILE *script;
  xb_chart_text *labels;
  size_t label_count, label_capacity;
  xb_arena texts; /* of the labels */
  int height;     /* in the same units as XB_CHART_WIDTH: 1/12 of the font size */
  bool out_of_memory;
} xb_chart;

/* False: out of host memory. The arguments are the edges of the axes, as parts of the chart's size: gnuplot cannot
 * compute them, because it does not know how wide the texts are. */
bool xb_chart_begin(xb_chart *chart, int height, double left, double right, double top, double bottom);
void xb_chart_free(xb_chart *chart);

/* Returns the token number for this text; the script has "~%d~". At most `characters` characters are shown. */
int xb_chart_label(xb_chart *chart, const char *text, size_t characters);
/* Puts a text at a position in gnuplot's syntax, such as "12,0.5 left". The format's arguments are numbers. */
void xb_chart_put(xb_chart *chart, int colour, const char *text, const char *where, ...)
    __attribute__((format(printf, 4, 5)));
/* A mark of an axis, 'x' or 'y', with a text. The first one removes those that gnuplot would choose. */
void xb_chart_mark(xb_chart *chart, char axis, double at, const char *text, size_t characters);
/* Titles of the axes, with units; NULL: none. The y title is horizontal, above its axis. */
void xb_chart_axes(xb_chart *chart, const char *x, const char *y);
/* About five marks at round values, from 0 to `most`. */
void xb_chart_marks(xb_chart *chart, char axis, double most);

/* ---- Axes (axes.c) ---------------------------------------------------------------------------------------------- */

/* The x axis for sizes in elements: logarithmic to base 2, with at most six marks. */
void xb_size_axis(xb_chart *chart, double least, double most);
/* A logarithmic axis with marks at round values, also at its ends: `range` is widened to these. `axis` is 'x' or 'y'.
 */
void xb_factor_axis(xb_chart *chart, char axis, xb_interval *range);
/* A logarithmic y axis, with marks at 1, 2 and 5 times powers of ten. */
void xb_decade_axis(xb_chart *chart, double low, double high);

/* ---- Drawing ---------------------------------------------------------------------------------------------------- */

/* Runs gnuplot without start-up files; it reads `script` from a file in memory. `*text` is its output, ending with a 0
 * byte; the caller frees it. Returns -1 on success. Otherwise reports the error in one line and returns the exit code:
 * gnuplot is not installed, failed (with its first error message), printed too much or took too long. (gnuplot.c) */
int xb_gnuplot(const char *script, size_t length, char **text);
/* False: `svg` is not gnuplot's output, or not complete. (svg.c) */
bool xb_svg_is_whole(const char *svg);
/* Writes a complete SVG with the page's colours, the texts instead of their tokens, ids that are unique on the page,
 * and a title and a description for screen readers. */
void xb_svg_write(FILE *page, const char *svg, const xb_chart *chart, int id, const char *title,
                  const char *description);
/* Runs gnuplot and writes the SVG with its title and description. Returns -1 on success; otherwise reports the error
 * and returns the exit code. */
int xb_chart_write(xb_chart *chart, FILE *page, int id, const char *title, const char *description);

#endif
