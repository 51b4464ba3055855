/* A view as text, for a terminal or a pipe. */
#ifndef XB_VIEW_TEXT_H
#define XB_VIEW_TEXT_H

#include "show/view.h"

#include <stdio.h>

enum { XB_TWO_COLUMNS_FROM = 80 }; /* columns of text below which two sides are shown one above the other */

typedef struct xb_text_style {
  size_t width; /* of a line, at most */
  bool colours;
  bool stacked; /* the sides one above the other */
} xb_text_style;

/* A line that is longer than its column goes on in the next one, behind a \. */
void xb_show_view_text(const xb_show_view *view, const xb_text_style *style, FILE *out);

#endif
