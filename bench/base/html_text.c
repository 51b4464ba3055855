#include "base/html_text.h"

#include "base/safe_text.h"

#include <stdarg.h>
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

void xb_html_format(FILE *out, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  for (const char *p = format; *p;) {
    if (*p != '%') {
      fputc(*p++, out);
      continue;
    }
    char one[16]; /* one conversion, for fprintf() */
    const size_t before = 1 + strspn(p + 1, ".0123456789lz");
    snprintf(one, sizeof one, "%.*s", (int)before + 1, p);
    p += before + 1;
    if (one[before] == 's') {
      const char *text = va_arg(args, const char *);
      xb_html_clipped(out, text ? text : "", before > 2 ? strtoul(one + 2, NULL, 10) : SIZE_MAX);
    } else if (one[before] == '%')
      fputc('%', out);
    else if (strchr("fg", one[before]))
      fprintf(out, one, va_arg(args, double));
    else if (strpbrk(one, "lz"))
      fprintf(out, one, va_arg(args, long));
    else
      fprintf(out, one, va_arg(args, int));
  }
  va_end(args);
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
