/* A view as text, for a terminal or a pipe. */
#ifndef XB_VIEW_TEXT_H
#define XB_VIEW_TEXT_H

#include "show/view.h"

#include <stdio.h>

enum { XB_COLUMN_FROM = 40 }; /* below this width of one, the sides are above each other */

typedef struct xb_text_style {
  size_t width; /* the most columns of a line */
  bool colours;
  bool stacked; /* sides above each other */
} xb_text_style;

/* A line that is longer than its column continues on the next row, after a \. */
void xb_show_view_text(const xb_show_view *view, const xb_text_style *style, FILE *out);

#endif
