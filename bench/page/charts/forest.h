/* The forest plot: one row per ratio, with its interval. */
#ifndef XB_FOREST_H
#define XB_FOREST_H

#include "page/charts/figure.h"

enum { XB_FOREST_MOST = 60 };

typedef struct xb_forest_row {
  const char *name;
  double ratio; /* NAN: a heading for the rows below it (only with `above`) */
  xb_interval interval;
  int slot;
} xb_forest_row;

/* `above`: names are long, so they are above their rows. */
bool xb_forest_begin(xb_chart *chart, size_t rows, bool above);
void xb_forest_draw(xb_chart *chart, const xb_forest_row *rows, size_t count, double margin, bool above);

/* Draws the line at 1 and the band of the margin. `axis` is the ratios' axis, 'x' or 'y', from `low` to `high`. */
void xb_margin_band(xb_chart *chart, char axis, double margin, double low, double high);

#endif
