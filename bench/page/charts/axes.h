/* The axes of charts. */
#ifndef XB_AXES_H
#define XB_AXES_H

#include "judge/stats.h"
#include "page/charts/chart.h"

/* The x axis for sizes in elements: logarithmic to base 2, with at most six marks. */
void xb_size_axis(xb_chart *chart, double least, double most);
/* A logarithmic axis with marks at round values, also at its ends: `range` is widened to these. `axis` is 'x' or 'y'.
 */
void xb_factor_axis(xb_chart *chart, char axis, xb_interval *range);
/* A logarithmic y axis, with marks at 1, 2 and 5 times powers of ten. */
void xb_decade_axis(xb_chart *chart, double low, double high);

#endif
