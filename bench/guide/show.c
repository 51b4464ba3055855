#include "guide/guide.h"

#include <stdio.h>

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
