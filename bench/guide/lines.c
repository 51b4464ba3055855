#include "guide/guide.h"

#include <stdarg.h>
#include <stdio.h>

static void add_line(xb_guide *g, const char *api, xb_guide_kind kind, const char *format, va_list args)
{
  xb_guide_lines *said = &g->said;
  said->of_kind[kind]++; /* counted even where the text finds no room: a failure is never lost */
  if (said->count == XB_GUIDE_MAX_LINES)
    return;
  xb_guide_line *line = &said->lines[said->count++];
  *line = (xb_guide_line){.api = api, .kind = kind};
  vsnprintf(line->text, sizeof line->text, format, args);
}

void xb_guide_seen(xb_guide *g, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  add_line(g, g->apis[g->api], XB_GUIDE_SEEN, format, args);
  va_end(args);
}

bool xb_guide_assert(xb_guide *g, bool holds, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  add_line(g, g->apis[g->api], holds ? XB_GUIDE_HOLDS : XB_GUIDE_FAILS, format, args);
  va_end(args);
  return holds;
}

void xb_guide_say(xb_guide *g, const char *api, xb_guide_kind kind, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  add_line(g, api, kind, format, args);
  va_end(args);
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
  fflush(stdout); /* what is known is shown before the next case can hang */
}
