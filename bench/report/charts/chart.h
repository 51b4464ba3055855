/* A chart: SVG that grows in memory, in three layers. Positions are values of the axes; lengths, such as edges and
 * distances of a text from its position, are in units of the drawing, in which most text is 12 high. */
#ifndef XB_CHART_H
#define XB_CHART_H

#include <stdbool.h>
#include <stdio.h>

#include "os/memory_file.h"
#include "result/result.h"

enum { XB_CHART_WIDTH = 420 };

/* Colours of the report's style sheet, for light, dark and print. */
typedef enum xb_colour {
  XB_COLOUR_INK,
  XB_COLOUR_GRID,
  XB_COLOUR_PEAK,
  XB_COLOUR_COPY,
  XB_COLOUR_BAND,
  XB_COLOUR_MUTED,
  XB_COLOUR_SERIES = 0x10, /* plus a slot */
  XB_COLOUR_SOFT = 0x20,   /* plus a slot: a paler shade */
} xb_colour;

typedef struct xb_chart_axis {
  double low, high;  /* the values at its ends; low > high: it runs downwards */
  double begin, end; /* where these are in the drawing */
  bool log;
} xb_chart_axis;

/* From below; within each in the order of drawing. */
enum {
  XB_LAYER_BANDS,
  XB_LAYER_LINES,  /* and bars */
  XB_LAYER_POINTS, /* intervals, texts */
  XB_LAYERS
};

typedef struct xb_chart {
  xb_memory layers[XB_LAYERS];
  int id, height;   /* the first chart of the report is 1 */
  unsigned hatched; /* a bit for each slot whose hatching is defined */
  xb_chart_axis x, y;
} xb_chart;

void xb_chart_begin(xb_chart *chart, int id);
/* False: there was no host memory for all that was drawn. */
bool xb_chart_is_whole(xb_chart *chart);
void xb_chart_free(xb_chart *chart);
/* Writes a complete SVG, with a title and a description for screen readers. */
void xb_chart_write(const xb_chart *chart, FILE *report, const char *title, const char *description);

/* ---- Axes: they are set before anything is drawn. `axis` is 'x' or 'y'. ----------------------------------------- */

/* Sets the height of the drawing, and the distances of the axes from its edges: no text is measured, so a chart knows
 * how much room its texts need. */
void xb_chart_size(xb_chart *chart, int height, double left, double right, double top, double bottom);
void xb_axis_set(xb_chart_axis *axis, double low, double high, bool log);
/* Where a value is, as a part of the axis; NAN if it has no such value. */
double xb_chart_part(const xb_chart_axis *axis, double value);
/* A text at a value, of at most `characters` characters and, with `grid`, a line across the chart. */
void xb_chart_mark(xb_chart *chart, char axis, double at, const char *text, size_t characters, bool grid);
/* Linear, with marks at multiples of `step`; 0: of a round number, about five that have room. */
void xb_linear_axis(xb_chart *chart, char axis, double low, double high, double step);
/* The x axis for sizes in elements: logarithmic to base 2, with at most six marks. */
void xb_size_axis(xb_chart *chart, double least, double most);
/* Logarithmic, with marks at round values, also at its ends: `range` is widened to these. */
void xb_factor_axis(xb_chart *chart, char axis, xb_interval *range, bool grid);
/* Logarithmic, with marks at powers of ten or, if there are few, also at 2 and 5 times these. */
void xb_decade_axis(xb_chart *chart, char axis, double low, double high);
/* A row of the chart for each of `count` names, from above; the value of a row is its number. */
void xb_row_axis(xb_chart *chart, size_t count);
/* Titles of the axes, with units; NULL: none. The y title is horizontal, above its axis. */
void xb_chart_titles(xb_chart *chart, const char *x, const char *y);

/* ---- Drawing: what lies outside the axes is left out ------------------------------------------------------------ */

typedef struct xb_pen {
  int colour;
  double width;
  bool dashed;
} xb_pen;

typedef struct xb_path {
  xb_chart *chart;
  int colour, shape;
  bool open; /* the next point continues a line */
} xb_path;

enum { XB_SHAPES = 12, XB_HOLLOW = 5, XB_NO_SHAPE = -1 };
/* A line through points, with a shape at each of them or XB_NO_SHAPE. NAN as a value makes a gap. */
xb_path xb_path_begin(xb_chart *chart, xb_pen pen, int shape);
void xb_path_to(xb_path *path, double x, double y);
void xb_path_end(xb_path *path);
void xb_draw_line(xb_chart *chart, xb_pen pen, double x0, double y0, double x1, double y1);
/* A line across the chart, at a value of the axis. */
void xb_draw_across(xb_chart *chart, char axis, double at, xb_pen pen);
/* The area between two values of an axis. */
void xb_draw_band(xb_chart *chart, char axis, double from, double to);
/* A box between two positions. */
void xb_draw_box(xb_chart *chart, int colour, double x0, double y0, double x1, double y1);
/* A bar in the colour of a slot, hatched as in the legend. */
void xb_draw_bar(xb_chart *chart, int slot, double x0, double y0, double x1, double y1);
/* The shapes are five solid ones, the same hollow, and two crosses; `shape` selects one, modulo their number. */
void xb_draw_point(xb_chart *chart, int colour, int shape, double x, double y);
/* An interval along an axis, with bars at its ends. */
void xb_draw_interval(xb_chart *chart, char axis, xb_interval ends, double across, xb_pen pen);
/* The interval of a value that is drawn there; nothing if it is unknown. */
void xb_draw_whisker(xb_chart *chart, char axis, xb_interval ends, double across, int colour);

typedef struct xb_text {
  int colour;
  double size;                                 /* 0: 11 */
  double right, down;                          /* the distance of the text, centred in its height, from its position */
  enum { XB_BEGIN, XB_MIDDLE, XB_END } anchor; /* the part of the text that is there */
  double turn;                                 /* degrees, clockwise */
  size_t characters;                           /* the most to show; 0: 72 */
} xb_text;
void xb_draw_text(xb_chart *chart, double x, double y, xb_text how, const char *text);

#endif
