#define _GNU_SOURCE /* fopencookie */
#include "base/fold.h"

#include "base/terminal.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>

enum { MOST_BYTES = 8192, INDENT = 4, FOLD_HERE = '\f' };

/* The line in progress. A longer one is printed in parts. */
static struct {
  FILE *out;
  size_t width, length;
  char text[MOST_BYTES];
} line;

/* The bytes and columns of what begins at byte `i`: a character, or a sequence that sets a colour. */
static size_t next(size_t i, size_t *columns)
{
  const size_t colour = line.text[i] == '\033' ? strcspn(line.text + i, "m\n") + 1 : 0;
  const xb_glyph g = xb_glyph_at(line.text + i, line.length - i);
  *columns = colour ? 0 : g.columns;
  return colour ? colour : g.bytes;
}

/* The end of the row that begins at byte `at`. */
static size_t end_of_row(size_t at, size_t width)
{
  size_t used = 0, blank = 0, fold = 0, columns;
  for (size_t i = at; i < line.length;) {
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

static void print_row(size_t at, size_t end)
{
  while (end > at && end < line.length && is_blank(line.text[end - 1]))
    end--;
  for (size_t i = at; i < end; i++)
    fputc(line.text[i] == FOLD_HERE ? ' ' : line.text[i], line.out);
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

static ssize_t write_bytes(void *cookie, const char *bytes, size_t count)
{
  (void)cookie;
  for (size_t i = 0; i < count; i++) {
    if (bytes[i] != '\n')
      line.text[line.length++] = bytes[i];
    if (bytes[i] != '\n' && line.length + 1 < MOST_BYTES)
      continue;
    line.text[line.length] = 0;
    print_line();
    line.length = 0;
    if (bytes[i] == '\n')
      fputc('\n', line.out);
  }
  return fflush(line.out) || ferror(line.out) ? 0 : (ssize_t)count;
}

void xb_fold_stdout(void)
{
  const cookie_io_functions_t functions = {.write = write_bytes};
  line.width = xb_terminal_limit();
  FILE *file = line.out || line.width == SIZE_MAX ? NULL : fopencookie(NULL, "w", functions);
  if (!file) /* if memory is out, lines are not folded */
    return;
  line.out = stdout;
  stdout = file;
}

const char *xb_fold_here(void)
{
  static const char mark[] = {FOLD_HERE, 0};
  return line.out ? mark : " ";
}
