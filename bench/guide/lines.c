#include "guide/guide.h"

#include "base/exit_codes.h"

#include <stdarg.h>
#include <stdio.h>

bool xb_guide_say(xb_guide *g, const char *api, xb_guide_kind kind, const char *format, ...)
{
  xb_guide_lines *said = &g->said;
  said->of_kind[kind]++; /* counted even if there is no room for the text, so that failures are never lost */
  if (said->count < XB_GUIDE_MAX_LINES) {
    xb_guide_line *line = &said->lines[said->count++];
    va_list args;
    *line = (xb_guide_line){.api = api, .kind = kind};
    va_start(args, format);
    vsnprintf(line->text, sizeof line->text, format, args);
    va_end(args);
  }
  return kind != XB_GUIDE_FAILS;
}

void xb_guide_print(const xb_guide *g)
{
  static const char *const words[] = {"seen", "holds", "FAILS"};
  printf("%s: %s\n", g->of->name, g->of->title);
  for (size_t i = 0; i < g->said.count; i++) {
    const xb_guide_line *line = &g->said.lines[i];
    printf("  %-7s %-6s %s\n", line->api, words[line->kind], line->text);
  }
  printf("\n");
  xb_flush_stdout(); /* show the lines now, because the next case may hang */
}
