/* Ratios one below the other, each with its interval: the forest plot. */
#ifndef XB_FOREST_H
#define XB_FOREST_H

#include "page/charts/figure.h"

enum { XB_FOREST_MOST = 60 };

typedef struct xb_forest_row {
  const char *name;
  double ratio; /* NAN: a heading of the rows below it, where names stand above their rows */
  xb_interval interval;
  int slot;
} xb_forest_row;

/* `above`: names are long, and stand above their rows. */
bool xb_forest_begin(xb_chart *chart, size_t rows, bool above);
void xb_forest_draw(xb_chart *chart, const xb_forest_row *rows, size_t count, double margin, bool above);

/* Line at 1, and the band that counts as the same. `axis`: that of the ratios, x or y, which goes from low to high. */
void xb_margin_band(xb_chart *chart, char axis, double margin, double low, double high);

#endif
