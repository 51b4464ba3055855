/* Escaping for Markdown. */
#ifndef XB_MARKDOWN_TEXT_H
#define XB_MARKDOWN_TEXT_H

#include <stdio.h>

/* Prints any text so that it is safe for a terminal and contains no markup. */
void xb_print_markdown(FILE *file, const char *text);

#endif
