/* The saves of a file: PLACE.part-PID. */
#include "formats/output_part.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NEXT_PATH = PATH_MAX + 64 };

/* ---- Descriptors: each function returns 0 or an errno ----------------------------------------------------------- */

int xb_write_all(int fd, const char *text, size_t length)
{
  while (length) {
    const ssize_t n = write(fd, text, length);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return n ? errno : ENOSPC;
    text += n;
    length -= (size_t)n;
  }
  return 0;
}

/* The text is on the disk when this returns. */
static int write_at(int fd, size_t offset, const char *text, size_t length)
{
  if (lseek(fd, (off_t)offset, SEEK_SET) < 0)
    return errno;
  const int error = xb_write_all(fd, text, length);
  return error ? error : fsync(fd) ? errno : 0;
}

void xb_close(int *fd)
{
  if (*fd >= 0)
    close(*fd);
  *fd = -1;
}

/* Creates the file that becomes the part. The first call finds unused names: in containers, earlier processes often had
 * the same process id. Existing files are not opened, and links are not followed. A file system without modes may
 * refuse to set one. */
static int create_next(xb_output *output, char next[NEXT_PATH], int *fd)
{
  for (int i = 0; i < 1000; i++) {
    char number[8] = "";
    if (i)
      snprintf(number, sizeof number, "-%d", i);
    if (!output->saved)
      snprintf(output->part, sizeof output->part, "%s.part-%ld%s", output->place, (long)getpid(), number);
    snprintf(next, NEXT_PATH, "%s.new%s", output->part, output->saved ? number : "");
    *fd = open(next, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, output->mode ? output->mode : 0666);
    if (*fd < 0 && errno != EEXIST)
      break;
    if (*fd < 0)
      continue;
    if (output->mode)
      fchmod(*fd, output->mode);
    if (output->saved || access(output->part, F_OK))
      return 0;
    xb_close(fd);
    unlink(next);
    errno = EEXIST;
  }
  return errno;
}

int xb_part_try(xb_output *output)
{
  char next[NEXT_PATH];
  int fd;
  const int error = create_next(output, next, &fd);
  if (error)
    return error;
  xb_close(&fd);
  return unlink(next) ? errno : 0;
}

/* ---- Saving ----------------------------------------------------------------------------------------------------- */

int xb_output_flush(xb_output *output)
{
  if (fflush(output->file) || ferror(output->file))
    output->out_of_memory = true;
  return output->out_of_memory ? ENOMEM : output->length ? 0 : ENODATA; /* nothing would replace what is there */
}

/* Replaces the part by a new file. */
static int replace_part(xb_output *output)
{
  char next[NEXT_PATH];
  int fd;
  int error = create_next(output, next, &fd);
  if (error)
    return error;
  error = write_at(fd, 0, output->text, output->length);
  if (!error && rename(next, output->part))
    error = errno;
  if (error) {
    unlink(next); /* frees its space on a full disk */
    xb_close(&fd);
    return error;
  }
  xb_close(&output->in_part);
  output->in_part = fd;
  return 0;
}

/* Needs room for the added bytes only, and writes these first: if that fails, the part is unchanged. */
static int extend_part(xb_output *output)
{
  int error = write_at(output->in_part, output->saved, output->text + output->saved, output->length - output->saved);
  if (!error)
    return write_at(output->in_part, 0, output->text, output->saved);
  return ftruncate(output->in_part, (off_t)output->saved) ? errno : error;
}

int xb_part_save(xb_output *output)
{
  int error = xb_output_flush(output);
  if (error || output->length == output->saved)
    return error;
  error = replace_part(output);
  if (output->saved && (error == ENOSPC || error == EDQUOT))
    error = extend_part(output);
  if (!error)
    output->saved = output->length;
  return error;
}
