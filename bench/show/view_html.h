/* A view as HTML: a fragment for another page, or a complete page. */
#ifndef XB_VIEW_HTML_H
#define XB_VIEW_HTML_H

#include "show/fragment.h"
#include "show/view.h"

void xb_html_anchor(const xb_twins *pair, char out[XB_ANCHOR_BYTES]);
/* Write errors are in ferror(out). */
void xb_html_fragment(const xb_show_view *view, FILE *out);
void xb_html_page(const xb_show_view *view, FILE *out);

#endif
