#include "html_text.h"

#include "safe_text.h"

#include <stdint.h>
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

void xb_html_clipped(FILE *out, const char *text, size_t characters)
{
  for (size_t bytes; *text && characters; characters--) {
    const char *character = xb_next_safe(&text, &bytes);
    for (size_t i = 0; i < bytes; i++)
      xb_html_char(out, character[i]);
  }
  if (*text)
    fputs("\xe2\x80\xa6", out);
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
  fputs(*text && strchr("=+-@", *text) ? "\"'" : "\"", out);
  for (size_t bytes; *text;) {
    const char *character = xb_next_safe(&text, &bytes);
    if (*character == '"')
      fputc('"', out);
    fwrite(character, 1, bytes, out);
  }
  fputc('"', out);
}
