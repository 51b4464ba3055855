#include "os/trusted.h"

#include "os/temporary.h"

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

bool xb_write_private(const char *path, const void *data, size_t bytes)
{
  char part[XB_TEMPORARY_BYTES];
  if ((size_t)snprintf(part, sizeof part, "%s.%ld", path, (long)getpid()) >= sizeof part)
    return false;
  const int fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  FILE *file = fd < 0 ? NULL : fdopen(fd, "wb");
  bool good = file && fwrite(data, 1, bytes, file) == bytes;
  good = file && !fclose(file) && good && !rename(part, path);
  if (fd >= 0 && !good)
    unlink(part);
  return good;
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
