#include "html_text.h"

#include "safe_text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void xb_html_char(FILE *out, char c)
{
  switch (c) {
  case '&': fputs("&amp;", out); break;
  case '<': fputs("&lt;", out); break;
  case '>': fputs("&gt;", out); break;
  case '"': fputs("&quot;", out); break;
  case '\'': fputs("&#39;", out); break;
  default: fputc(c, out); break;
  }
}

static bool begins_character(char c)
{
  return ((unsigned char)c & 0xc0) != 0x80;
}

void xb_html_clipped(FILE *out, const char *text, size_t characters)
{
  const size_t room = strlen(text) + 8;
  char *safe = malloc(room);
  if (!safe)
    return;
  const char *p = xb_safe_text(text, safe, room);
  for (; *p; p++) {
    if (begins_character(*p) && !characters--)
      break;
    xb_html_char(out, *p);
  }
  if (*p)
    fputs("\xe2\x80\xa6", out);
  free(safe);
}

void xb_html_text(FILE *out, const char *text)
{
  xb_html_clipped(out, text, SIZE_MAX);
}

void xb_html_csv(FILE *out, const char *csv, size_t bytes)
{
  for (size_t i = 0; i < bytes; i++) {
    const unsigned char c = (unsigned char)csv[i];
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (plain || (c && strchr("-_.,/()", c)))
      fputc(c, out);
    else
      fprintf(out, "%%%02X", c);
  }
}

void xb_csv_text(FILE *out, const char *text)
{
  const size_t room = strlen(text) + 8;
  char *safe = malloc(room);
  if (!safe)
    return;
  const char *p = xb_safe_text(text, safe, room);
  fputs(*p && strchr("=+-@", *p) ? "\"'" : "\"", out);
  for (; *p; p++) {
    if (*p == '"')
      fputc('"', out);
    fputc(*p, out);
  }
  fputc('"', out);
  free(safe);
}
