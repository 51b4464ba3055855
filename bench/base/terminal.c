#define _GNU_SOURCE /* fopencookie */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/fold.h"
#include "base/safe_text.h"
#include "base/terminal.h"
#include "os/console.h"

static size_t clamp(size_t width)
{
  return width < XB_LEAST_WIDTH ? XB_LEAST_WIDTH : width > XB_MOST_WIDTH ? XB_MOST_WIDTH : width;
}

static bool all_columns;
static xb_colours when;

void xb_terminal_set(bool wide, xb_colours colours)
{
  all_columns = wide;
  when = colours;
}

bool xb_terminal_is_wide(void)
{
  return all_columns;
}

/* 0: unknown. */
static size_t width_of(int fd)
{
  const size_t width = xb_console_width(fd);
  return width ? clamp(width) : 0;
}

/* 0: unknown. */
static size_t known_width(void)
{
  const size_t real = width_of(STDOUT_FILENO);
  const char *columns = getenv("COLUMNS");
  if (real || !columns || !*columns || strspn(columns, "0123456789") != strlen(columns))
    return real;
  const unsigned long width = strtoul(columns, NULL, 10); /* ULONG_MAX if too large */
  return width ? clamp(width) : 0;
}

size_t xb_terminal_width(void)
{
  const size_t width = known_width();
  return all_columns ? XB_MOST_WIDTH : width ? width : XB_DEFAULT_WIDTH;
}

size_t xb_terminal_limit(void)
{
  const size_t width = known_width();
  return all_columns || (!width && !xb_console_is_terminal(STDOUT_FILENO)) ? SIZE_MAX
         : width                                                           ? width
                                                                           : XB_DEFAULT_WIDTH;
}

size_t xb_terminal_progress_width(void)
{
  const size_t width = width_of(STDERR_FILENO);
  return !xb_console_is_terminal(STDERR_FILENO) ? 0 : width ? width : XB_DEFAULT_WIDTH;
}

bool xb_terminal_colours(void)
{
  if (when != XB_COLOURS_AUTO)
    return when == XB_COLOURS_ALWAYS;
  const char *no_colour = getenv("NO_COLOR");
  return xb_console_is_terminal(STDOUT_FILENO) && !(no_colour && *no_colour) && xb_console_has_colours();
}

/* ---- Characters ------------------------------------------------------------------------------------------------- */

xb_glyph xb_glyph_at(const char *text, size_t length)
{
  uint32_t code;
  const size_t bytes = xb_decode(text, length, &code);
  if (code == UINT32_MAX)
    return (xb_glyph){1, 1, "?"};
  if (code == '\t')
    return (xb_glyph){1, 2, "  "};
  const int columns = xb_character_columns(code);
  return columns < 0 ? (xb_glyph){bytes, 1, "?"} : (xb_glyph){bytes, (size_t)columns, NULL};
}

enum { MOST_BYTES = 8192, INDENT = 4, FOLD_HERE = '\f', ESCAPE = '\033' };

/* The line in progress. A longer one is printed in parts. */
static struct {
  FILE *out;
  size_t width, length;
  bool trusted;
  char text[MOST_BYTES];
} line = {.width = SIZE_MAX};

/* The bytes and columns of what begins at byte `i`: a character, or a sequence that sets a colour. */
static size_t next(size_t i, size_t *columns)
{
  const size_t colour = line.text[i] == ESCAPE ? strcspn(line.text + i, "m\n") + 1 : 0;
  const xb_glyph g = xb_glyph_at(line.text + i, line.length - i);
  *columns = colour ? 0 : g.columns;
  return colour ? colour : g.bytes;
}

/* The end of the row that begins at byte `at`. */
static size_t end_of_row(size_t at, size_t width)
{
  size_t used = 0, blank = 0, fold = 0, columns;
  for (size_t i = at; i < line.length && width < SIZE_MAX;) {
    const size_t bytes = next(i, &columns);
    if (used && (line.text[i] == ' ' || line.text[i] == FOLD_HERE))
      *(line.text[i] == ' ' ? &blank : &fold) = i;
    if (used + columns > width)
      return fold ? fold : blank ? blank : i;
    used += columns;
    i += bytes;
  }
  return line.length;
}

static bool is_blank(char c)
{
  return c == ' ' || c == FOLD_HERE;
}

/* The door: what a terminal acts upon does not leave, unless it is ours. */
static void print_row(size_t at, size_t end)
{
  while (end > at && end < line.length && is_blank(line.text[end - 1]))
    end--;
  for (const char *p = line.text + at; p < line.text + end;) {
    const bool ends_line = *p == '\r' && p + 1 == line.text + line.length; /* of CSV */
    size_t bytes = 1;
    const char *shown = *p == FOLD_HERE                           ? (p++, " ")
                        : *p == ESCAPE || *p == '\t' || ends_line ? p++
                                                                  : xb_next_safe(&p, &bytes);
    fwrite(shown, 1, bytes, line.out);
  }
}

static void print_line(void)
{
  size_t at = 0, blanks = strspn(line.text, " "), indent = INDENT;
  if (!strchr(line.text, FOLD_HERE) && blanks + INDENT < line.width / 2)
    indent += blanks;
  while (at < line.length) {
    const size_t end = end_of_row(at, at ? line.width - indent : line.width);
    if (at)
      fprintf(line.out, "\n%*s", (int)indent, "");
    print_row(at, end);
    for (at = end; at < line.length && is_blank(line.text[at]);)
      at++;
  }
}

/* Prints all but the character that may be cut. */
static void print_part(void)
{
  char rest[4] = "";
  size_t cut = line.length, left = 0;
  while (left < 3 && (line.text[cut - 1 - left] & 0xC0) == 0x80)
    left++;
  left = (unsigned char)line.text[cut - 1 - left] >= 0xC0 ? left + 1 : 0;
  memcpy(rest, line.text + cut - left, left);
  line.length -= left;
  line.text[line.length] = 0;
  print_line();
  memcpy(line.text, rest, left);
  line.length = left;
}

static ssize_t write_bytes(void *cookie, const char *bytes, size_t count)
{
  (void)cookie;
  for (size_t i = 0; i < count; i++) {
    if (bytes[i] != '\n')
      line.text[line.length++] = bytes[i] == ESCAPE && !line.trusted ? '?' : bytes[i];
    else
      xb_fold_end();
    if (bytes[i] == '\n')
      fputc('\n', line.out);
    else if (line.length + 1 == MOST_BYTES)
      print_part();
  }
  return fflush(line.out) || ferror(line.out) ? 0 : (ssize_t)count;
}

void xb_fold_end(void)
{
  line.text[line.length] = 0;
  if (line.length)
    print_line();
  line.length = 0;
}

void xb_guard_stdout(void)
{
  const cookie_io_functions_t functions = {.write = write_bytes};
  FILE *file = line.out ? NULL : fopencookie(NULL, "w", functions);
  if (!file) /* if memory is out, stdout stays as it is */
    return;
  if (isatty(STDOUT_FILENO))
    setvbuf(file, NULL, _IOLBF, BUFSIZ);
  line.out = stdout;
  stdout = file;
}

void xb_fold_stdout(void)
{
  xb_guard_stdout();
  fflush(stdout);
  line.width = xb_terminal_limit();
}

void xb_print_ours(FILE *out, const char *text)
{
  const bool guarded = line.out && out == stdout;
  if (guarded)
    fflush(out);
  line.trusted = guarded;
  fputs(text, out);
  if (guarded)
    fflush(out);
  line.trusted = false;
}

const char *xb_fold_here(void)
{
  static const char mark[] = {FOLD_HERE, 0};
  return line.out ? mark : " ";
}
