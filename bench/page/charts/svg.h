#ifndef XB_SVG_H
#define XB_SVG_H

#include "page/charts/chart.h"

/* What gnuplot drew, for a page: in the page's colours, with the texts in place of their tokens, names that do not meet
 * those of another chart, and a title and a description for those who do not see it. */
/* False: this is no drawing of gnuplot's, or not all of one. */
bool xb_svg_is_whole(const char *svg);
void xb_svg_write(FILE *page, const char *svg, const xb_chart *chart, int id, const char *title,
                  const char *description);

#endif
