#include "os/console.h"

#include "wide.h"

#include <errno.h>
#include <io.h>
#include <stdlib.h>

static HANDLE handle_of(int fd)
{
  return (HANDLE)_get_osfhandle(fd);
}

bool xb_console_is_terminal(int fd)
{
  return isatty(fd);
}

size_t xb_console_width(int fd)
{
  CONSOLE_SCREEN_BUFFER_INFO info;
  const bool console = GetConsoleScreenBufferInfo(handle_of(fd), &info);
  return console ? (size_t)(info.srWindow.Right - info.srWindow.Left + 1) : 0;
}

/* xb_start() has asked for them. */
bool xb_console_has_colours(void)
{
  DWORD mode;
  return GetConsoleMode(handle_of(1), &mode) && mode & ENABLE_VIRTUAL_TERMINAL_PROCESSING;
}

/* The ranges of Unicode's classes that a terminal shows in no column (combining marks), or in two (East Asian wide,
 * emoji). */
int xb_character_columns(uint32_t code)
{
  static const struct {
    uint32_t first, last;
    int columns;
  } ranges[] = {
      {0x0300, 0x036f, 0},   {0x0483, 0x0489, 0},   {0x0591, 0x05bd, 0},   {0x064b, 0x065f, 0},   {0x0900, 0x0902, 0},
      {0x1100, 0x115f, 2},   {0x1ab0, 0x1aff, 0},   {0x1dc0, 0x1dff, 0},   {0x200b, 0x200f, 0},   {0x20d0, 0x20ff, 0},
      {0x231a, 0x231b, 2},   {0x2329, 0x232a, 2},   {0x23e9, 0x23ec, 2},   {0x2e80, 0x303e, 2},   {0x3041, 0xa4cf, 2},
      {0xa960, 0xa97f, 2},   {0xac00, 0xd7a3, 2},   {0xf900, 0xfaff, 2},   {0xfe00, 0xfe0f, 0},   {0xfe20, 0xfe2f, 0},
      {0xfe30, 0xfe6f, 2},   {0xff01, 0xff60, 2},   {0xffe0, 0xffe6, 2},   {0x1f300, 0x1f64f, 2}, {0x1f680, 0x1f6ff, 2},
      {0x1f900, 0x1f9ff, 2}, {0x20000, 0x3fffd, 2}, {0xe0100, 0xe01ef, 0},
  };
  if (code < ' ' || (code >= 0x7f && code < 0xa0) || (code >= 0xd800 && code < 0xe000))
    return -1;
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
    if (code >= ranges[i].first && code <= ranges[i].last)
      return ranges[i].columns;
  return 1;
}

/* A write to a pipe fails for no other reason. */
bool xb_reader_is_gone(int fd)
{
  return GetFileType(handle_of(fd)) == FILE_TYPE_PIPE;
}
