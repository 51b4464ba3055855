#include "formats/markdown_text.h"

#include "base/safe_text.h"

#include <string.h>

void xb_print_markdown(FILE *file, const char *text)
{
  static const char markup[] = "\\`*_{}[]()<>#+!|~&@:";
  char safe[4096];
  for (const char *c = xb_safe_text(text, safe, sizeof safe); *c; c++) {
    if (strchr(markup, *c))
      fputc('\\', file);
    fputc(*c, file);
  }
}
