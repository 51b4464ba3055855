#ifndef XB_SVG_H
#define XB_SVG_H

#include "page/charts/chart.h"

/* Converts gnuplot's SVG for a page. */

/* False: `svg` is not gnuplot's output, or not complete. */
bool xb_svg_is_whole(const char *svg);
/* Writes a complete SVG with the page's colours, the texts instead of their tokens, ids that are unique on the page,
 * and a title and a description for screen readers. */
void xb_svg_write(FILE *page, const char *svg, const xb_chart *chart, int id, const char *title,
                  const char *description);

#endif
