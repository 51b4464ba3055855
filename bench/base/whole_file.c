#include "base/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const off_t MOST_BYTES = 4ll << 30;

xb_code xb_read_open_file(int fd, const char *path, xb_arena *arena, char **data, size_t *bytes, xb_error *err)
{
  struct stat status;
  if (fd < 0 || fstat(fd, &status))
    return xb_fail(err, XB_INVALID, path, "cannot be opened: %s", strerror(errno));
  if (!S_ISREG(status.st_mode))
    return xb_fail(err, XB_INVALID, path, "is not a regular file");
  if (status.st_size > MOST_BYTES)
    return xb_fail(err, XB_INVALID, path, "has more than 4 GiB");
  *data = xb_arena_take(arena, (size_t)status.st_size + 1, 1);
  if (!*data)
    return xb_fail(err, XB_NOMEM, path, "out of host memory: it has %llu bytes", (unsigned long long)status.st_size);
  *bytes = 0;
  const size_t all = (size_t)status.st_size;
  ssize_t n = 1;
  while (n && *bytes < all) {
    n = pread(fd, *data + *bytes, all - *bytes, (off_t)*bytes);
    if (n < 0 && errno != EINTR)
      return xb_fail(err, XB_INVALID, path, "cannot be read: %s", strerror(errno));
    if (n > 0)
      *bytes += (size_t)n;
  }
  return XB_OK;
}

xb_code xb_read_whole_file(const char *path, xb_arena *arena, char **data, size_t *bytes, xb_error *err)
{
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY); /* a FIFO without a writer would block */
  const xb_code code = xb_read_open_file(fd, path, arena, data, bytes, err);
  if (fd >= 0)
    close(fd);
  return code;
}

char *xb_read_some(int fd, size_t most, size_t *bytes)
{
  struct stat status;
  const size_t all = fstat(fd, &status) ? 0 : (size_t)status.st_size, wanted = all < most ? all : most;
  char *text = malloc(wanted + 1);
  const ssize_t got = text ? pread(fd, text, wanted, 0) : 0;
  *bytes = got > 0 ? (size_t)got : 0;
  if (text)
    text[*bytes] = 0;
  return text;
}

bool xb_write_whole_file(const char *path, const void *data, size_t bytes)
{
  char part[4096];
  errno = ENAMETOOLONG;
  if ((size_t)snprintf(part, sizeof part, "%s.%ld", path, (long)getpid()) >= sizeof part)
    return false;
  FILE *file = fopen(part, "wbx");
  bool good = file && fwrite(data, 1, bytes, file) == bytes;
  if (file && fclose(file))
    good = false;
  good = good && !rename(part, path);
  const int error = errno;
  if (file && !good)
    unlink(part);
  errno = error;
  return good;
}
