/* The forest plot: one row per ratio, with its interval. */
#ifndef XB_FOREST_H
#define XB_FOREST_H

#include "page/charts/figure.h"

enum { XB_FOREST_MOST = 60 };

typedef struct xb_forest_row {
  char name[XB_LONG_NAME];
  double ratio; /* NAN: a heading for the rows below it (only with `above`) */
  xb_interval interval;
  int slot;
} xb_forest_row;

/* `above`: names are long, so they are above their rows. */
bool xb_forest_begin(xb_chart *chart, size_t rows, bool above);
/* The axis has room for `range` and for all rows. */
void xb_forest_draw(xb_chart *chart, const xb_forest_row *rows, size_t count, xb_interval range, double margin,
                    bool above);

/* Draws the line at 1 and the band of the margin. `axis` is the ratios' axis, 'x' or 'y'. */
void xb_margin_band(xb_chart *chart, char axis, double margin, xb_interval range);

#endif
