/* A view as HTML: a fragment to put into a page, or a page of its own. Everything is escaped, nothing is fetched.
 *
 * A page that holds fragments has xb_html_style() once in its <style>. Class names begin with xb-, and colours are set
 * below .xb-pair only, so that the page keeps its own. A fragment is one <section class="xb-pair" id="ANCHOR">; wide
 * pages have the sides beside each other, pages below 900 px one above the other, part by part. */
#ifndef XB_HTML_H
#define XB_HTML_H

#include "show/view.h"

#include <stdio.h>

/* CSS. */
const char *xb_html_style(void);
/* "pair-reduce-7_many_elements", into `out`: the fragment's id. Safe in an attribute and behind a #. */
enum { XB_ANCHOR_BYTES = 112 };
void xb_html_anchor(const xb_twins *pair, char out[XB_ANCHOR_BYTES]);

/* What could not be written shows in ferror(out). */
void xb_html_fragment(const xb_view *view, FILE *out);
void xb_html_page(const xb_view *view, FILE *out);
/* The fragment of a variant with all its sides, for a report: 10 to 50 KB; of one without kernel, title and reason. One
 * thread at a time. False: out of host memory. */
bool xb_html_variant(const xb_variant *variant, FILE *out);

/* Text as it stands in HTML, also between double quotes. What is no UTF-8, and control characters, become U+FFFD. */
void xb_html_text(const char *text, size_t length, FILE *out);

#endif
