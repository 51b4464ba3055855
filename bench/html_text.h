/* Text of unknown origin, made safe for where it goes. */
#ifndef XB_HTML_TEXT_H
#define XB_HTML_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* For the content of an element or a quoted attribute, of HTML and of SVG. Control characters, marks that turn the
 * direction of writing, and what is no UTF-8 become "?" (safe_text.h). */
void xb_html_text(FILE *out, const char *text);
/* The same, at most `characters` of it, then an ellipsis. */
void xb_html_clipped(FILE *out, const char *text, size_t characters);

/* As printf(), with each %s as xb_html_text() has it, "" for NULL; "%.80s" is clipped to 80 characters. Of numbers: %d,
 * %u, with l and z, and %g, %f with a precision. */
void xb_html_format(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* One byte: a reference where it means something to HTML. */
void xb_html_char(FILE *out, char c);

/* As part of a "data:text/csv" address. */
void xb_html_csv(FILE *out, const char *csv, size_t bytes);
/* A field of CSV, in quotes. A spreadsheet takes what begins with one of =+-@ for a formula: it gets a ' before it. */
void xb_csv_text(FILE *out, const char *text);

#endif
