#include "base/whole_file.h"

#include "base/safe_text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A pipe is read only as standard input. */
static xb_code check_kind(int fd, const char *where, const struct stat *status, uint64_t most, xb_error *err)
{
  const uint64_t bytes = (uint64_t)status->st_size;
  if (S_ISDIR(status->st_mode))
    return xb_fail(err, XB_INVALID, where, "is a directory: name a file in it");
  if (!S_ISREG(status->st_mode) && fd != STDIN_FILENO)
    return xb_fail(err, XB_INVALID, where,
                   "is not a regular file: save its content to a regular file, and give its name");
  return bytes <= most ? XB_OK
                       : xb_fail(err, XB_INVALID, where, "has %" PRIu64 " bytes, but at most %" PRIu64 " are supported",
                                 bytes, most);
}

static int open_file(const char *path)
{
  return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY); /* a FIFO without a writer would block */
}

xb_code xb_check_readable(const char *path, uint64_t most, xb_error *err)
{
  struct stat status;
  char where[256];
  const int fd = open_file(path);
  const bool open = fd >= 0 && !fstat(fd, &status);
  xb_safe_text(path, where, sizeof where);
  const xb_code code = open ? check_kind(fd, where, &status, most, err)
                            : xb_fail(err, XB_INVALID, where, "cannot be opened: %s", strerror(errno));
  if (fd >= 0)
    close(fd);
  return code;
}

/* Only the bytes that existed when a file was opened: a file that is being written is still the old one, or not yet
 * one. */
xb_code xb_read_open_file(int fd, const char *path, uint64_t most, xb_arena *arena, char **data, size_t *bytes,
                          xb_error *err)
{
  enum { BUFFER = 1 << 16 };
  struct stat status;
  char where[256];
  xb_safe_text(path, where, sizeof where);
  if (fd < 0 || fstat(fd, &status))
    return xb_fail(err, XB_INVALID, where, "cannot be opened: %s", strerror(errno));
  const xb_code code = check_kind(fd, where, &status, most, err);
  if (code)
    return code;
  const bool file = S_ISREG(status.st_mode);
  size_t room = file ? (size_t)status.st_size : BUFFER;
  ssize_t n = 1;
  *bytes = 0;
  *data = xb_arena_take(arena, room + 1, 1);
  while (*data && n && (*bytes < room || !file)) {
    if (*bytes == room) {
      const char *old = *data;
      *data = xb_arena_take(arena, (room *= 2) + 1, 1);
      if (!*data)
        break;
      memcpy(*data, old, *bytes);
    }
    n = file ? pread(fd, *data + *bytes, room - *bytes, (off_t)*bytes) : read(fd, *data + *bytes, room - *bytes);
    if (n < 0 && errno != EINTR)
      return xb_fail(err, XB_INVALID, where, "cannot be read: %s", strerror(errno));
    *bytes += n > 0 ? (size_t)n : 0;
    if (*bytes > most)
      return xb_fail(err, XB_INVALID, where, "has more than %" PRIu64 " bytes", most);
  }
  return *data ? XB_OK : xb_fail(err, XB_NOMEM, where, "out of host memory: it has %zu bytes or more", room);
}

xb_code xb_read_file(const char *path, uint64_t most, xb_arena *arena, char **data, size_t *bytes, xb_error *err)
{
  const int fd = open_file(path);
  const xb_code code = xb_read_open_file(fd, path, most, arena, data, bytes, err);
  if (fd >= 0)
    close(fd);
  return code;
}

xb_code xb_read_whole_file(const char *path, xb_arena *arena, char **data, size_t *bytes, xb_error *err)
{
  return xb_read_file(path, XB_MAX_FILE_BYTES, arena, data, bytes, err);
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
