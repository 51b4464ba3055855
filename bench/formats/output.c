#include "exit_codes.h"
#include "formats/formats.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Descriptors: each function returns 0 or an errno ----------------------------------------------------------- */

static int write_all(int fd, const char *text, size_t length)
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

static int write_file(const char *path, const char *text, size_t length)
{
  const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0)
    return errno;
  int error = write_all(fd, text, length);
  if (!error && fsync(fd))
    error = errno;
  if (close(fd) && !error)
    error = errno;
  return error;
}

/* A rename is on the disk only after a sync of its folder. If that is not possible, the system syncs it later. */
static void sync_folder(const char *path)
{
  char folder[PATH_MAX];
  const char *slash = strrchr(path, '/');
  snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
  const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    return;
  fsync(fd);
  close(fd);
}

/* ---- Opening ---------------------------------------------------------------------------------------------------- */

static bool in_system_folder(const char *path)
{
  return (!strncmp(path, "/dev/", 5) && strncmp(path, "/dev/shm/", 9)) || !strncmp(path, "/proc/", 6);
}

/* True if the file can be replaced. Links are followed, so that their target is replaced. Files that are not regular,
 * and files in /dev and /proc, are written in place. */
static bool replaceable(const char *path, char place[PATH_MAX])
{
  struct stat st;
  if (in_system_folder(path))
    return false;
  if (realpath(path, place))
    return !stat(place, &st) && S_ISREG(st.st_mode);
  if (errno != ENOENT || !lstat(path, &st)) /* a link whose target does not exist */
    return false;
  const int n = snprintf(place, PATH_MAX, "%s", path);
  return n > 0 && n < PATH_MAX;
}

/* Finds unused names for the part. In containers, earlier processes often had the same process id. */
static int claim_part(xb_output *output)
{
  for (int i = 0; i < 1000; i++) {
    const int n = snprintf(output->part, sizeof output->part, "%s.part-%ld", output->place, (long)getpid());
    if (i)
      snprintf(output->part + n, sizeof output->part - (size_t)n, "-%d", i);
    snprintf(output->next, sizeof output->next, "%s.new", output->part);
    const int fd = open(output->next, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 && errno != EEXIST)
      break;
    if (fd < 0)
      continue;
    close(fd);
    if (access(output->part, F_OK))
      return 0;
    unlink(output->next);
    errno = EEXIST;
  }
  *output->next = 0; /* another process' file: do not remove it */
  return errno;
}

/* Appends to files of the system, because stdout may be the same file. */
static int open_in_place(xb_output *output)
{
  const int how = in_system_folder(output->path) ? O_APPEND : O_TRUNC;
  *output->place = 0;
  output->in_place = open(output->path, O_WRONLY | O_CREAT | O_CLOEXEC | how, 0666);
  return output->in_place < 0 ? errno : 0;
}

bool xb_output_open(xb_output *output, const char *path)
{
  struct stat st;
  *output = (xb_output){.path = path, .in_place = -1};
  if (!path)
    return true;
  if (!stat(path, &st) && S_ISDIR(st.st_mode)) {
    xb_report_error(XB_EXIT_USAGE, "%s: is a directory; give the name of a file", path);
    return false;
  }
  int error = replaceable(path, output->place) ? claim_part(output) : open_in_place(output);
  if (!error) {
    output->file = open_memstream(&output->text, &output->length);
    error = output->file ? 0 : errno;
  }
  if (!error)
    return true;
  xb_report_error(XB_EXIT_USAGE, "%s: cannot be written: %s; nothing was done", path, strerror(error));
  xb_output_abandon(output);
  return false;
}

/* ---- Saving ----------------------------------------------------------------------------------------------------- */

static void tell(xb_output *output, int error, const char *and_then)
{
  if (!output->reported)
    xb_report_error(XB_EXIT_USAGE, "%s: cannot be written: %s%s%s%s", output->path, strerror(error),
                    output->saved ? "; the last good save is in " : "", output->saved ? output->part : "", and_then);
  output->reported = true;
}

/* Updates `text`. */
static int flush_text(xb_output *output)
{
  if (fflush(output->file) || ferror(output->file))
    output->out_of_memory = true;
  return output->out_of_memory ? ENOMEM : 0;
}

static int save(xb_output *output)
{
  int error = flush_text(output);
  if (error || output->length == output->saved)
    return error;
  error = write_file(output->next, output->text, output->length);
  if (!error && rename(output->next, output->part))
    error = errno;
  if (!error)
    output->saved = output->length;
  else
    unlink(output->next); /* frees its space on a full disk */
  return error;
}

bool xb_output_save(xb_output *output)
{
  if (!output->file || !*output->place)
    return true;
  const int error = save(output);
  if (error)
    tell(output, error, "; the program tries again at the end of the run");
  return !error;
}

/* ---- The end ---------------------------------------------------------------------------------------------------- */

static void release(xb_output *output)
{
  if (output->file)
    fclose(output->file);
  if (output->in_place >= 0)
    close(output->in_place);
  free(output->text);
  output->file = NULL;
  output->text = NULL;
  output->in_place = -1;
}

static int write_in_place(xb_output *output)
{
  int error = flush_text(output);
  fflush(stdout); /* stdout may be the same file */
  if (!error)
    error = write_all(output->in_place, output->text, output->length);
  if (close(output->in_place) && !error)
    error = errno;
  output->in_place = -1;
  return error;
}

static int move_into_place(xb_output *output)
{
  const int error = save(output);
  if (error)
    return error;
  if (rename(output->part, output->place))
    return errno;
  sync_folder(output->place);
  return 0;
}

bool xb_output_commit(xb_output *output)
{
  if (!output->file)
    return true;
  const int error = *output->place ? move_into_place(output) : write_in_place(output);
  if (error)
    tell(output, error, "");
  release(output);
  return !error;
}

void xb_output_abandon(xb_output *output)
{
  release(output);
  if (*output->next)
    unlink(output->next);
  if (output->saved)
    unlink(output->part);
}
