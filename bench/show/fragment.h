/* The pair of a variant as a part of somebody else's page; everything is escaped, nothing is fetched.
 *
 * A page that holds fragments has xb_html_style() once in its <style>. Class names begin with xb-, and colours are set
 * below .xb-pair only, so that the page keeps its own. A fragment is one <section class="xb-pair" id="ANCHOR">; wide
 * pages have the sides beside each other, pages below 900 px one above the other, part by part. */
#ifndef XB_FRAGMENT_H
#define XB_FRAGMENT_H

#include "benchmarks/registry.h"

#include <stdio.h>

/* CSS. */
const char *xb_html_style(void);
/* "pair-reduce-7_many_elements", into `out`: the fragment's id. Safe in an attribute and behind a #. */
enum { XB_ANCHOR_BYTES = 112 };
void xb_html_variant_anchor(const xb_variant *variant, char out[XB_ANCHOR_BYTES]);
/* 10 to 50 KB; of a variant without kernel, title and reason. One thread at a time. False: out of host memory. */
bool xb_html_variant(const xb_variant *variant, FILE *out);

#endif
