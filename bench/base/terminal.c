#include "base/terminal.h"

#include "base/safe_text.h"
#include "os/console.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
