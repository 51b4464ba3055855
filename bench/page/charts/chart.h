/* One chart: a gnuplot script that grows, and the SVG that becomes of it. gnuplot sees numbers only: each text is a
 * token, "~12~", until gnuplot is done. */
#ifndef XB_CHART_H
#define XB_CHART_H

#include <stdbool.h>
#include <stdio.h>

enum { XB_CHART_LABELS = 1000, XB_CHART_WIDTH = 420 };

/* What stands in a script for a colour of the style sheet: #0000xx, "lc rgb '#000010'". */
enum {
  XB_COLOUR_INK = 0x01,
  XB_COLOUR_GRID = 0x02,
  XB_COLOUR_PEAK = 0x03,
  XB_COLOUR_COPY = 0x04,
  XB_COLOUR_BAND = 0x05,
  XB_COLOUR_MUTED = 0x06,
  XB_COLOUR_SERIES = 0x10, /* plus a slot */
  XB_COLOUR_SOFT = 0x20,   /* plus a slot: the same, paler */
};

typedef struct xb_chart_text {
  char *text;
  size_t characters; /* that are shown of it */
} xb_chart_text;

typedef struct xb_chart {
  FILE *script; /* in memory */
  char *text;
  size_t length;
  xb_chart_text labels[XB_CHART_LABELS];
  int label_count;
  int height; /* of XB_CHART_WIDTH x height units, of 1/12 of the text's size */
  bool out_of_memory;
} xb_chart;

/* False: out of host memory. The margins are parts of the whole: texts have no width that gnuplot knows. */
bool xb_chart_begin(xb_chart *chart, int height, double left, double right, double top, double bottom);
void xb_chart_free(xb_chart *chart);

/* The number of the token for this text, of which at most so many characters are shown. In the script: "~%d~". */
int xb_chart_label(xb_chart *chart, const char *text, size_t characters);
/* Puts a text at a place that is told in gnuplot's words, "12,0.5 left"; made of numbers. */
void xb_chart_put(xb_chart *chart, int colour, const char *text, const char *where, ...)
    __attribute__((format(printf, 4, 5)));
/* What the axes show, with units; y stands above its axis, where it is read without turning one's head. NULL: nothing.
 */
void xb_chart_axes(xb_chart *chart, const char *x, const char *y);
/* Marks from 0 up to `most` at round values, five or so. */
void xb_chart_marks(xb_chart *chart, char axis, double most);

/* Runs gnuplot and writes the SVG, with its text alternative. -1, or the exit code after the error was reported. */
int xb_chart_write(xb_chart *chart, FILE *page, int id, const char *title, const char *description);

#endif
