#include "os/console.h"

#include <locale.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

enum { KEPT = 3 };
static struct {
  bool terminal;
  size_t width;
} kept[KEPT];
static bool keeps;

void xb_console_keep(void)
{
  for (int fd = 1; fd < KEPT; fd++) {
    kept[fd].width = xb_console_width(fd);
    kept[fd].terminal = isatty(fd);
  }
  keeps = true;
}

bool xb_console_is_terminal(int fd)
{
  return keeps && fd < KEPT ? kept[fd].terminal : isatty(fd);
}

size_t xb_console_width(int fd)
{
  struct winsize size;
  if (keeps && fd < KEPT)
    return kept[fd].width;
  return isatty(fd) && !ioctl(fd, TIOCGWINSZ, &size) ? size.ws_col : 0;
}

bool xb_console_has_colours(void)
{
  const char *terminal = getenv("TERM");
  return terminal && *terminal && strcmp(terminal, "dumb") != 0;
}

/* Uses its own locale, because the user's locale may not be UTF-8. */
int xb_character_columns(uint32_t code)
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

bool xb_reader_is_gone(int fd)
{
  struct pollfd asked = {.fd = fd};
  return poll(&asked, 1, 0) == 1 && asked.revents & (POLLERR | POLLHUP);
}
