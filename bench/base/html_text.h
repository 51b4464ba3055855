/* Text of unknown origin, made safe for HTML, SVG and CSV. */
#ifndef XB_HTML_TEXT_H
#define XB_HTML_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* For the content of an element or a quoted attribute, in HTML and SVG. Control characters, marks that change the
 * writing direction, and invalid UTF-8 become "?" (safe_text.h). */
void xb_html_text(FILE *out, const char *text);
/* The same, but at most `characters` characters; an ellipsis replaces the rest. */
void xb_html_clipped(FILE *out, const char *text, size_t characters);

/* Like printf(), but each %s goes through xb_html_text(). For NULL it prints nothing; "%.80s" is clipped to 80
 * characters. Numbers: %d and %u, also with l or z; %g and %f with a precision. */
void xb_html_format(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Writes one byte, as a character reference if it is special in HTML. */
void xb_html_char(FILE *out, char c);

/* Escapes CSV text for a "data:text/csv" URL. */
void xb_html_csv(FILE *out, const char *csv, size_t bytes);
/* Writes a CSV field in quotes. A spreadsheet would read text that begins with one of =+-@ as a formula, so such text
 * gets a ' in front. */
void xb_csv_text(FILE *out, const char *text);

#endif
