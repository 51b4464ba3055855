#include "os/trusted.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef _WIN32
static bool is_own(const struct stat *status)
{
  return status;
}
#else
static bool is_own(const struct stat *status)
{
  return status->st_uid == geteuid() && !(status->st_mode & 022);
}
#endif

bool xb_is_private(const char *path)
{
  struct stat status;
  return stat(path, &status) || is_own(&status);
}

bool xb_is_within(const char *path, const char *folder)
{
  char *real = realpath(path, NULL), *base = real && folder ? realpath(folder, NULL) : NULL;
  const size_t length = base && base[1] ? strlen(base) : 0;
  const bool is = !real || (base && !strncmp(real, base, length) && (real[length] == '/' || !real[length]));
  free(base);
  free(real);
  return is;
}
