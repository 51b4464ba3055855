/* Replaces gnuplot: its input must be numbers, tokens and the project's own words. It draws each token. */
#include "page/charts/chart.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_script(const char *script, size_t length)
{
  for (size_t i = 0; i < length; i++)
    if ((script[i] < 0x20 && script[i] != '\n') || script[i] > 0x7E || script[i] == '`' || script[i] == '!')
      abort();
  if (strlen(script) != length || strstr(script, "nan") || strstr(script, "inf"))
    abort();
}

int xb_gnuplot(const char *script, size_t length, char **text)
{
  size_t bytes;
  FILE *file = open_memstream(text, &bytes);
  check_script(script, length);
  if (!file)
    abort();
  fputs("<svg><title>idle</title><g id=\"gnuplot_canvas\"><g fill=\"none\">\n\n</g>", file);
  for (const char *token = strstr(script, "\"~"); token; token = strstr(token + 1, "\"~")) {
    const size_t end = strspn(token + 2, "0123456789") + 2;
    if (end < 3 || strncmp(token + end, "~\"", 2) != 0)
      abort();
    fprintf(file, "<text fill=\"rgb(  0,   0,  %zu)\">%.*s</text>\n", end, (int)end, token + 1);
  }
  fputs("</g></svg>\n", file);
  fclose(file);
  return -1;
}
