#include "os/start.h"

#include "wide.h"

#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>

/* The program keeps what it compiled in a folder below HOME. */
static void set_home(void)
{
  char home[4096];
  const char *profile = getenv("USERPROFILE");
  if (getenv("HOME") || !profile || (size_t)snprintf(home, sizeof home, "%s", profile) >= sizeof home)
    return;
  xb_use_slashes(home);
  setenv("HOME", home, 1);
}

static LPTOP_LEVEL_EXCEPTION_FILTER filter_of_library;

/* After the C library's, which calls handlers of signals: the exception's code is the exit code, and no debugger
 * starts.
 */
static LONG WINAPI end_at_crash(EXCEPTION_POINTERS *crash)
{
  const LONG answer = filter_of_library ? filter_of_library(crash) : EXCEPTION_CONTINUE_SEARCH;
  if (answer != EXCEPTION_CONTINUE_SEARCH)
    return answer;
  fputs("xbench: it crashed, most likely in the driver\n", stderr);
  return EXCEPTION_EXECUTE_HANDLER;
}

/* Text is the same bytes in files, pipes and on the console: UTF-8, lines end in \n. */
bool xb_start(int argc, char **argv)
{
  DWORD mode;
  _fmode = _O_BINARY;
  for (int fd = 0; fd < 3; fd++) {
    if (_get_osfhandle(fd) < 0 && _open("NUL", _O_RDWR) != fd)
      return false;
    _setmode(fd, _O_BINARY);
  }
  const HANDLE out = (HANDLE)_get_osfhandle(1), errors = (HANDLE)_get_osfhandle(2);
  if (GetConsoleMode(out, &mode) || GetConsoleMode(errors, &mode))
    SetConsoleOutputCP(CP_UTF8);
  if (GetConsoleMode(out, &mode))
    SetConsoleMode(out, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
  if (GetConsoleMode(errors, &mode))
    SetConsoleMode(errors, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
  setvbuf(stderr, NULL, _IONBF, 0);
  for (int i = 0; i < argc; i++)
    xb_use_slashes(argv[i]);
  set_home();
  filter_of_library = SetUnhandledExceptionFilter(end_at_crash);
  SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX); /* no window when a driver crashes */
  return true;
}
