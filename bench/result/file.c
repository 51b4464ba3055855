#include "result/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static xb_code check_kind(const struct stat *status, const char *where, size_t most, xb_error *err)
{
  if (S_ISDIR(status->st_mode))
    return xb_fail(err, XB_INVALID, where, "is a directory: name a file in it");
  if (!S_ISREG(status->st_mode))
    return xb_fail(err, XB_INVALID, where, "is no regular file: save what it gives to one, and name that");
  if (!status->st_size)
    return xb_fail(err, XB_INVALID, where, "is empty");
  if ((unsigned long long)status->st_size > most)
    return xb_fail(err, XB_INVALID, where, "has %llu bytes, more than the %zu that are read: run fewer cells a file",
                   (unsigned long long)status->st_size, most);
  return XB_OK;
}

/* As many as there were when it was opened: a file that is being written is no document yet, or still the old one. */
static xb_code read_bytes(int fd, const char *where, char *bytes, size_t size, size_t *count, xb_error *err)
{
  while (*count < size) {
    const ssize_t n = read(fd, bytes + *count, size - *count);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return xb_fail(err, XB_INVALID, where, "cannot be read: %s", strerror(errno));
    if (!n)
      break;
    *count += (size_t)n;
  }
  return XB_OK;
}

xb_code xb_read_file(const char *path, const char *where, size_t most, char **bytes, size_t *count, xb_error *err)
{
  struct stat status;
  xb_code code;
  *bytes = NULL;
  *count = 0;
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY); /* a FIFO without a writer would block */
  if (fd < 0 || fstat(fd, &status))
    code = xb_fail(err, XB_INVALID, where, "cannot be opened: %s", strerror(errno));
  else
    code = check_kind(&status, where, most, err);
  if (!code && !(*bytes = malloc((size_t)status.st_size)))
    code = xb_fail(err, XB_NOMEM, where, "out of host memory: it has %llu bytes", (unsigned long long)status.st_size);
  if (!code)
    code = read_bytes(fd, where, *bytes, (size_t)status.st_size, count, err);
  if (fd >= 0)
    close(fd);
  if (code) {
    free(*bytes);
    *bytes = NULL;
  }
  return code;
}
