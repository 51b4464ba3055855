#include "os/start.h"

#include "wide.h"

#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>

/* Text is the same bytes in files, pipes and on the console: UTF-8, lines end in \n. */
bool xb_start(void)
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
  SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX); /* no window when a driver crashes */
  return true;
}
