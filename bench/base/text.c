#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/html_text.h"
#include "base/safe_text.h"
#include "base/value_text.h"
#include "base/word_list.h"

const char *xb_next_safe(const char **text, size_t *bytes)
{
  uint32_t character;
  const char *here = *text;
  const size_t length = xb_decode(here, SIZE_MAX, &character);
  *text += length;
  *bytes = xb_is_shown(character) ? length : 1;
  return xb_is_shown(character) ? here : "?";
}

const char *xb_safe_text(const char *text, char *out, size_t out_bytes)
{
  static const char cut[] = "...";
  size_t at = 0, room = 0, bytes; /* room: the longest end of text that leaves space for the cut mark */
  while (*text) {
    const char *shown_as = xb_next_safe(&text, &bytes);
    if (at + bytes >= out_bytes) {
      memcpy(out + room, cut, sizeof cut);
      return out;
    }
    memcpy(out + at, shown_as, bytes);
    at += bytes;
    if (at + sizeof cut <= out_bytes)
      room = at;
  }
  out[at] = 0;
  return out;
}

bool xb_print_safe(FILE *file, const char *text)
{
  char part[4096]; /* stderr has no buffer of its own */
  bool good = true;
  for (size_t at = 0, bytes; *text;) {
    const char *shown_as = xb_next_safe(&text, &bytes);
    memcpy(part + at, shown_as, bytes);
    at += bytes;
    if (!*text || at + 4 > sizeof part) {
      good = good && fwrite(part, 1, at, file) == at;
      at = 0;
    }
  }
  return good;
}

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

void xb_format_uuid(const xb_device_info *info, char out[40])
{
  *out = 0;
  for (int i = 0, at = 0; info->has_uuid && i < XB_UUID_BYTES; i++)
    at +=
        snprintf(out + at, 40 - (size_t)at, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", info->uuid[i]);
}

const char *xb_yes_no(int flag)
{
  return flag == 1 ? "yes" : flag == 0 ? "no" : "-";
}

const char *xb_device_type_name(xb_device_type type)
{
  static const char *const names[] = {[XB_DEVICE_OTHER] = "other",
                                      [XB_DEVICE_CPU] = "cpu",
                                      [XB_DEVICE_INTEGRATED] = "integrated",
                                      [XB_DEVICE_DISCRETE] = "discrete"};
  return names[type];
}

const char *xb_launch_mode_name(xb_launch_mode mode)
{
  static const char *const names[] = {[XB_LAUNCH_DEFAULT] = "default",
                                      [XB_LAUNCH_COMMAND_BUFFER] = "command_buffer",
                                      [XB_LAUNCH_GRAPH] = "graph",
                                      [XB_LAUNCH_STREAM] = "stream",
                                      [XB_LAUNCH_HELD_STREAM] = "held_stream"};
  return names[mode];
}

void xb_format_size(uint64_t n, char *out, size_t out_bytes)
{
  int exponent = 0;
  while (n >> exponent > 1)
    exponent++;
  if (n == 1ull << exponent && exponent >= 10)
    snprintf(out, out_bytes, "%" PRIu64 " (2^%d)", n, exponent);
  else
    snprintf(out, out_bytes, "%" PRIu64, n);
}

void xb_format_shape(uint64_t rows, uint64_t columns, uint64_t inner, char *out, size_t out_bytes)
{
  if (inner)
    snprintf(out, out_bytes, "%" PRIu64 "x%" PRIu64 "x%" PRIu64, rows, columns, inner);
  else if (rows)
    snprintf(out, out_bytes, "%" PRIu64 "x%" PRIu64, rows, columns);
  else
    snprintf(out, out_bytes, "%" PRIu64, columns);
}

void xb_format_bytes(uint64_t bytes, char *out, size_t out_bytes)
{
  static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  double value = (double)bytes;
  int unit = 0;
  while (unit < 4 && value >= 1024) {
    value /= 1024;
    unit++;
  }
  snprintf(out, out_bytes, "%.4g %s", value, units[unit]);
}

void xb_format_rate(double value, const char *unit, char *out, size_t out_bytes)
{
  if (value >= 1e4 && *unit == 'G')
    snprintf(out, out_bytes, "%.4g T%s", value / 1000, unit + 1);
  else
    snprintf(out, out_bytes, "%.4g %s", value, unit);
}

const char *xb_format_time(double ns, char *out, size_t out_bytes)
{
  static const char *const units[] = {"ns", "us", "ms", "s"};
  int unit = 0;
  while (unit < 3 && ns >= 999.95) {
    ns /= 1000;
    unit++;
  }
  const int decimals = ns <= 0 ? 0 : ns >= 99.995 ? 1 : ns >= 9.9995 ? 2 : 3; /* four digits, also 4.650 */
  snprintf(out, out_bytes, "%.*f %s", decimals, ns, units[unit]);
  return out;
}

void xb_format_family(int64_t family, bool graphics, char out[64])
{
  *out = 0;
  if (family >= 0)
    snprintf(out, 64, ", queue family %" PRId64 "%s", family, graphics ? " (with graphics)" : "");
}

enum { MAX_NAME = 64 };

bool xb_is_listed(const char *list, const char *word, size_t length)
{
  for (const char *p = list; length && (p = strchr(p, *word)); p++)
    if ((p == list || p[-1] == ' ') && !strncmp(p, word, length) && (p[length] == ' ' || !p[length]))
      return true;
  return false;
}

void xb_add_listed(char *list, size_t bytes, const char *word)
{
  if (strlen(list) + strlen(word) + 3 < bytes)
    strcat(strcat(list, *list ? ", " : ""), word);
}

/* The Levenshtein distance, computed one row at a time. `*of_beginning`: of `a` to the nearest beginning of `b`. */
static size_t distance(const char *a, const char *b, size_t *of_beginning)
{
  const size_t n = strlen(b);
  size_t row[MAX_NAME + 1];
  *of_beginning = MAX_NAME;
  if (n > MAX_NAME)
    return MAX_NAME;
  for (size_t k = 0; k <= n; k++)
    row[k] = k;
  for (size_t i = 1; *a; i++, a++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t k = 1; k <= n; k++) {
      const size_t above = row[k], changed = diagonal + (*a != b[k - 1]);
      row[k] = 1 + (above < row[k - 1] ? above : row[k - 1]);
      row[k] = changed < row[k] ? changed : row[k];
      diagonal = above;
    }
  }
  for (size_t k = 0; k <= n; k++)
    *of_beginning = row[k] < *of_beginning ? row[k] : *of_beginning;
  return row[n];
}

const char *xb_nearest(const char *typed, const char *const *names, size_t count)
{
  const char *nearest = NULL, *beginning = NULL;
  const size_t length = strlen(typed);
  size_t best = length / 2 + 1, best_beginning = length / 3 + (length > 3);
  for (size_t i = 0; i < count; i++) {
    size_t of_beginning;
    const size_t d = distance(typed, names[i], &of_beginning);
    if (d < best) {
      best = d;
      nearest = names[i];
    }
    if (of_beginning < best_beginning) {
      best_beginning = of_beginning;
      beginning = names[i];
    }
  }
  return nearest ? nearest : beginning;
}

void xb_join(const char *const *names, size_t count, char *out, size_t out_bytes)
{
  size_t at = 0;
  *out = 0;
  for (size_t i = 0; i < count; i++) {
    const int n = snprintf(out + at, out_bytes - at, "%s%s", i ? ", " : "", names[i]);
    if (n < 0 || (size_t)n >= out_bytes - at) {
      if (out_bytes > 4)
        memcpy(out + out_bytes - 4, "...", 4);
      return;
    }
    at += (size_t)n;
  }
}
