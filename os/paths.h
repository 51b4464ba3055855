/* Names of files. Inside the program they have slashes on every system: xb_start() replaces those of the command line.
 */
#ifndef XB_PATHS_H
#define XB_PATHS_H

#include <stdbool.h>

static inline bool xb_is_absolute(const char *path)
{
#ifdef _WIN32
  if (*path && path[1] == ':') /* "C:/..." */
    path += 2;
#endif
  return *path == '/';
}

/* For mkstemps() and mkdtemp() of Windows, of any number of bytes: they put the user's folder for such files in its
 * place.
 */
#ifdef _WIN32
#define XB_X64 "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX"
#define XB_TEMPORARY XB_X64 XB_X64 XB_X64 XB_X64 XB_X64
#endif

#endif
