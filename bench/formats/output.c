#include "formats/output.h"

#include "base/exit_codes.h"
#include "os/memory_file.h"
#include "os/supervise.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Names of files ---------------------------------------------------------------------------------------------- */

/* True for files in /dev and /proc, which are written in place. */
static bool in_system_folder(const char *path)
{
  return (!strncmp(path, "/dev/", 5) && strncmp(path, "/dev/shm/", 9)) || !strncmp(path, "/proc/", 6);
}

/* The folder of a path, which ends with a slash, and the name in it. */
static int split(const char *path, char folder[PATH_MAX], const char **name)
{
  const char *slash = strrchr(path, '/');
  *name = slash ? slash + 1 : path;
  const int n = snprintf(folder, PATH_MAX, "%.*s", slash ? (int)(slash - path) + 1 : 2, slash ? path : "./");
  return n >= PATH_MAX ? ENAMETOOLONG : **name ? 0 : EISDIR;
}

/* Sets `place` to the path without links. The file need not exist; a link to it may. Returns 0 or an errno. */
static int place_of(const char *path, char place[PATH_MAX])
{
  char folder[PATH_MAX], link[PATH_MAX], target[2 * PATH_MAX];
  const char *name = "";
  if (realpath(path, place))
    return 0;
  int error = errno == ENOENT ? split(path, folder, &name) : errno;
  if (error)
    return error;
  const ssize_t length = readlink(path, link, sizeof link);
  if (length > 0) { /* for a loop of links, realpath returned ELOOP */
    snprintf(target, sizeof target, "%s%.*s", *link == '/' ? "" : folder, (int)length, link);
    return place_of(target, place);
  }
  if (!realpath(folder, place))
    return errno;
  const size_t at = strlen(place);
  const int n = snprintf(place + at, PATH_MAX - at, "%s%s", at > 1 ? "/" : "", name);
  return (size_t)n < PATH_MAX - at ? 0 : ENAMETOOLONG;
}

static bool same_inode(const struct stat *a, const struct stat *b)
{
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool xb_same_file(const char *a, const char *b)
{
  struct stat x, y;
  char places[2][PATH_MAX], folders[2][PATH_MAX];
  const char *names[2];
  const bool has_a = !stat(a, &x), has_b = !stat(b, &y);
  if (has_a || has_b || !strcmp(a, b))
    return !strcmp(a, b) || (has_a && has_b && S_ISREG(x.st_mode) && same_inode(&x, &y));
  for (int i = 0; i < 2; i++)
    if (place_of(i ? b : a, places[i]) || split(places[i], folders[i], &names[i]))
      return false;
  return !strcmp(names[0], names[1]) && !stat(folders[0], &x) && !stat(folders[1], &y) && same_inode(&x, &y);
}

/* What a file has, by its first bytes. */
typedef enum contents {
  CONTENTS_NONE, /* or it is no regular file */
  CONTENTS_RESULTS,
  CONTENTS_OWN,     /* another document of xbench's, a table, a page */
  CONTENTS_FOREIGN, /* such as a source or a manifest */
} contents;

static contents contents_of(const char *path)
{
  char text[128] = "";
  int from = 0, version;
  struct stat status;
  FILE *file = !stat(path, &status) && S_ISREG(status.st_mode) ? fopen(path, "r") : NULL;
  if (!file)
    return CONTENTS_NONE;
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  sscanf(text, " { \"schema\" : \"xbench%n", &from);
  if (from)
    return sscanf(text + from, "/%d", &version) == 1 ? CONTENTS_RESULTS : CONTENTS_OWN;
  const bool own = *text == '<' || !strncmp(text, "benchmark,variant,", 18);
  return !*text ? CONTENTS_NONE : own ? CONTENTS_OWN : CONTENTS_FOREIGN;
}

/* ---- The saves of a file, PLACE.part-PID: each function returns 0 or an errno ------------------------------------ */

enum { NEXT_PATH = PATH_MAX + 64 };

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

/* The text is on the disk when this returns. */
static int write_at(int fd, size_t offset, const char *text, size_t length)
{
  if (lseek(fd, (off_t)offset, SEEK_SET) < 0)
    return errno;
  const int error = write_all(fd, text, length);
  return error ? error : fsync(fd) ? errno : 0;
}

/* Unless it is -1, which it becomes. */
static void close_file(int *fd)
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
    close_file(fd);
    unlink(next);
    errno = EEXIST;
  }
  return errno;
}

/* Checks that a file can be made beside PLACE. */
static int try_part(xb_output *output)
{
  char next[NEXT_PATH];
  int fd;
  const int error = create_next(output, next, &fd);
  if (error)
    return error;
  close_file(&fd);
  return unlink(next) ? errno : 0;
}

/* Updates `text`. */
static int flush(xb_output *output)
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
    close_file(&fd);
    return error;
  }
  close_file(&output->in_part);
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

/* On an error, the part is unchanged. */
static int save_part(xb_output *output)
{
  int error = flush(output);
  if (error || output->length == output->saved)
    return error;
  error = replace_part(output);
  if (output->saved && (error == ENOSPC || error == EDQUOT))
    error = extend_part(output);
  if (!error)
    output->saved = output->length;
  return error;
}

/* A rename is on the disk only after a sync of its folder. If that is not possible, the system syncs it later. */
static void sync_folder(const char *path)
{
  char folder[PATH_MAX];
  snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path) + 1, path);
  const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    return;
  fsync(fd);
  close(fd);
}

/* ---- Opening ---------------------------------------------------------------------------------------------------- */

/* Appends to files of the system, because stdout may be the same file. */
static int open_special(xb_output *output)
{
  const int how = in_system_folder(output->path) ? O_APPEND | O_CREAT : 0;
  output->in_place = open(output->path, O_WRONLY | O_CLOEXEC | how, 0666);
  return output->in_place < 0 ? errno : 0;
}

/* Follows links, so that their target is replaced. Tries whether a file can be made beside it. */
static int open_regular(xb_output *output)
{
  struct stat st;
  int error = place_of(output->path, output->place);
  if (error)
    return error;
  output->in_place = open(output->place, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
  if (output->in_place < 0 && errno != ENOENT)
    return errno;
  if (output->in_place >= 0 && fstat(output->in_place, &st))
    return errno;
  output->mode = output->in_place >= 0 ? st.st_mode & 0777 : 0;
  error = try_part(output);
  if (output->in_place < 0 || (error != EACCES && error != EPERM && error != EROFS))
    return error;
  *output->place = 0;
  return 0;
}

bool xb_output_open(xb_output *output, const char *path, xb_output_kind kind)
{
  struct stat st;
  *output = (xb_output){.path = path, .in_place = -1, .in_part = -1};
  if (!path)
    return true;
  const bool exists = !stat(path, &st);
  if (exists && S_ISDIR(st.st_mode)) {
    xb_report_error(XB_EXIT_USAGE, "%s: is a directory; give the name of a file", path);
    return false;
  }
  const contents there = contents_of(path);
  if (there == CONTENTS_FOREIGN || (there == CONTENTS_RESULTS && kind != XB_OUTPUT_RESULTS)) {
    xb_report_error(XB_EXIT_USAGE, "%s: %s: give another name, or remove it first", path,
                    there == CONTENTS_FOREIGN ? "was not written by xbench" : "has results of 'xbench --json'");
    return false;
  }
  const bool special = in_system_folder(path) || (exists && !S_ISREG(st.st_mode));
  int error = special ? open_special(output) : open_regular(output);
  if (!error) {
    output->file = xb_memory_open(&output->text, &output->length);
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

bool xb_output_save(xb_output *output)
{
  if (!output->file || !*output->place)
    return true;
  const int error = save_part(output);
  if (error)
    tell(output, error, "; later results are not saved until a save succeeds");
  else
    output->reported = false;
  return !error;
}

/* ---- The end ---------------------------------------------------------------------------------------------------- */

static void release(xb_output *output)
{
  if (output->file)
    fclose(output->file);
  close_file(&output->in_place);
  close_file(&output->in_part);
  free(output->text);
  output->file = NULL;
  output->text = NULL;
}

static int write_in_place(xb_output *output)
{
  struct stat st;
  int error = flush(output);
  xb_flush_stdout(); /* stdout may be the same file */
  const bool whole = !in_system_folder(output->path) && !fstat(output->in_place, &st) && S_ISREG(st.st_mode);
  if (!error && whole && ftruncate(output->in_place, 0))
    error = errno;
  const int stream = xb_supervised_stream(output->path);
  if (!error)
    error = stream ? !xb_write_stream(stream, output->text, output->length)
                   : write_all(output->in_place, output->text, output->length);
  if (!error && whole && fsync(output->in_place))
    error = errno;
  if (close(output->in_place) && !error)
    error = errno;
  output->in_place = -1;
  return error;
}

/* True if PLACE is still the file that was opened. It may be a mount, which can be written but not replaced. */
static bool still_there(const xb_output *output)
{
  struct stat opened, there;
  return output->in_place >= 0 && !fstat(output->in_place, &opened) && !stat(output->place, &there) &&
         same_inode(&opened, &there);
}

static int move_into_place(xb_output *output)
{
  int error = save_part(output);
  if (error)
    return error;
  if (!rename(output->part, output->place)) {
    sync_folder(output->place);
    return 0;
  }
  error = errno;
  if (still_there(output))
    error = write_in_place(output);
  if (!error)
    unlink(output->part);
  return error;
}

bool xb_output_commit(xb_output *output)
{
  if (!output->file)
    return true;
  int error = *output->place ? move_into_place(output) : write_in_place(output);
  if (error == EPIPE) /* as on stdout: the reader has read what it wanted */
    error = 0;
  if (error)
    tell(output, error, "");
  output->saved = 0; /* a part that remains must not be removed */
  release(output);
  return !error;
}

void xb_output_abandon(xb_output *output)
{
  release(output);
  if (output->saved)
    unlink(output->part);
}
