/* A view as HTML: a complete page, or the sources of a variant as a fragment of another page. All text is escaped, and
 * nothing is loaded.
 *
 * The page has xb_html_style() once in its <style>. Class names begin with xb-, and colours only apply inside .xb-pair,
 * so the page's own style does not change. A fragment is one <section class="xb-pair" id="ANCHOR">. On wide pages the
 * sides are next to each other; below 900 px they are above each other, part by part. */
#ifndef XB_VIEW_HTML_H
#define XB_VIEW_HTML_H

#include "show/view.h"

#include <stdio.h>

/* CSS. */
const char *xb_html_style(void);
/* Writes the id of the fragment, such as "pair-reduce-7_many_elements". It is safe in attributes and after a #. */
enum { XB_ANCHOR_BYTES = 112 };
void xb_html_variant_anchor(const xb_variant *variant, char out[XB_ANCHOR_BYTES]);
/* Writes 10 to 50 KB; without a kernel, only title and reason. Not thread-safe. False: out of host memory. */
bool xb_html_variant(const xb_variant *variant, FILE *out);
/* Write errors are in ferror(out). */
void xb_html_page(const xb_show_view *view, FILE *out);

#endif
