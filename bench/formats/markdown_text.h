/* Text in Markdown. */
#ifndef XB_MARKDOWN_TEXT_H
#define XB_MARKDOWN_TEXT_H

#include <stdio.h>

/* Text that came from elsewhere, shown as it is: safe for a terminal, and nothing in it is markup. */
void xb_print_markdown(FILE *file, const char *text);

#endif
