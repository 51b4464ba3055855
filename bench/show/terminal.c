#include "show/terminal.h"

#include "safe_text.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

static size_t clamp(size_t width)
{
  return width < XB_LEAST_WIDTH ? XB_LEAST_WIDTH : width > XB_MOST_WIDTH ? XB_MOST_WIDTH : width;
}

size_t xb_terminal_width(void)
{
  struct winsize size;
  if (isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col)
    return clamp(size.ws_col);
  const char *columns = getenv("COLUMNS");
  if (!columns || !*columns || strspn(columns, "0123456789") != strlen(columns))
    return XB_DEFAULT_WIDTH;
  const unsigned long width = strtoul(columns, NULL, 10); /* ULONG_MAX if too large */
  return width ? clamp(width) : XB_DEFAULT_WIDTH;
}

bool xb_terminal_colours(void)
{
  const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
  return isatty(STDOUT_FILENO) && !(no_colour && *no_colour) && terminal && *terminal && strcmp(terminal, "dumb") != 0;
}

/* ---- Characters ------------------------------------------------------------------------------------------------- */

/* -1: not printable. Uses its own locale, because the user's locale may not be UTF-8. */
static int columns_of(uint32_t code)
{
  static locale_t utf8;
  static bool asked;
  if (code < 0x80)
    return code >= ' ' && code < 0x7f ? 1 : -1;
  if (!asked)
    utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
  asked = true;
  if (!utf8)
    return code < 0xa0 ? -1 : 1;
  const locale_t before = uselocale(utf8);
  const int columns = wcwidth((wchar_t)code);
  uselocale(before);
  return columns;
}

xb_glyph xb_glyph_at(const char *text, size_t length)
{
  uint32_t code;
  const size_t bytes = xb_decode(text, length, &code);
  if (code == UINT32_MAX)
    return (xb_glyph){1, 1, "?"};
  if (code == '\t')
    return (xb_glyph){1, 2, "  "};
  const int columns = columns_of(code);
  return columns < 0 ? (xb_glyph){bytes, 1, "?"} : (xb_glyph){bytes, (size_t)columns, NULL};
}
