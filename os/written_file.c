#include "os/written_file.h"

#include "os/supervise.h"

#include <errno.h>
#include <fcntl.h>
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

/* ---- The part ---------------------------------------------------------------------------------------------------- */

enum { NEXT_PATH = sizeof(((xb_written *)0)->part) };

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

static int write_at(const xb_written *w, int fd, size_t offset, const char *text, size_t length)
{
  if (lseek(fd, (off_t)offset, SEEK_SET) < 0)
    return errno;
  const int error = write_all(fd, text, length);
  return error ? error : w->synced && fsync(fd) ? errno : 0;
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
static int create_next(xb_written *w, char next[NEXT_PATH], int *fd)
{
  for (int i = 0; i < 1000; i++) {
    char number[8] = "";
    if (i)
      snprintf(number, sizeof number, "-%d", i);
    if (w->in_part < 0)
      snprintf(w->part, sizeof w->part, "%s.part-%ld%s", w->place, (long)getpid(), number);
    if (snprintf(next, NEXT_PATH, "%s.new%s", w->part, w->in_part < 0 ? "" : number) >= NEXT_PATH)
      return ENAMETOOLONG;
    *fd = open(next, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, w->mode ? w->mode : 0666);
    if (*fd < 0 && errno != EEXIST)
      break;
    if (*fd < 0)
      continue;
    if (w->mode)
      fchmod(*fd, w->mode);
    if (w->in_part >= 0 || access(w->part, F_OK))
      return 0;
    close_file(fd);
    unlink(next);
    errno = EEXIST;
  }
  return errno;
}

/* Replaces the part by a new file. */
static int replace_part(xb_written *w, const char *text, size_t length)
{
  char next[NEXT_PATH];
  int fd;
  int error = create_next(w, next, &fd);
  if (error)
    return error;
  error = write_at(w, fd, 0, text, length);
  if (!error && rename(next, w->part))
    error = errno;
  if (error) {
    unlink(next); /* frees its space on a full disk */
    close_file(&fd);
    return error;
  }
  close_file(&w->in_part);
  w->in_part = fd;
  return 0;
}

/* Needs room for the added bytes only, and writes these first: if that fails, the part is unchanged. */
static int extend_part(xb_written *w, const char *text, size_t length)
{
  int error = write_at(w, w->in_part, w->saved, text + w->saved, length - w->saved);
  if (!error)
    return write_at(w, w->in_part, 0, text, w->saved);
  return ftruncate(w->in_part, (off_t)w->saved) ? errno : error;
}

int xb_written_save(xb_written *w, const char *text, size_t length)
{
  if (w->in_part >= 0 && length == w->saved)
    return 0;
  int error = replace_part(w, text, length);
  if (w->in_part >= 0 && (error == ENOSPC || error == EDQUOT))
    error = extend_part(w, text, length);
  if (!error)
    w->saved = length;
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
static int open_special(xb_written *w)
{
  const int how = in_system_folder(w->path) ? O_APPEND | O_CREAT : 0;
  w->in_place = open(w->path, O_WRONLY | O_CLOEXEC | how, 0666);
  return w->in_place < 0 ? errno : 0;
}

/* Follows links, so that their target is replaced. `fd` and `next` are of the file that becomes the part. */
static int open_regular(xb_written *w, char next[NEXT_PATH], int *fd)
{
  struct stat st;
  int error = place_of(w->path, w->place);
  if (error)
    return error;
  w->in_place = open(w->place, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
  if (w->in_place < 0 && errno != ENOENT)
    return errno;
  if (w->in_place >= 0 && fstat(w->in_place, &st))
    return errno;
  w->mode = w->in_place >= 0 ? st.st_mode & 0777 : 0;
  error = create_next(w, next, fd);
  if (w->in_place < 0 || (error != EACCES && error != EPERM && error != EROFS))
    return error;
  *w->place = 0;
  return 0;
}

/* `fd` is -1 if the file is written in place. */
static int open_file(xb_written *w, const char *path, char next[NEXT_PATH], int *fd)
{
  struct stat st;
  *w = (xb_written){.path = path, .in_place = -1, .in_part = -1, .synced = true};
  *fd = -1;
  const bool exists = !stat(path, &st);
  return in_system_folder(path) || (exists && !S_ISREG(st.st_mode)) ? open_special(w) : open_regular(w, next, fd);
}

int xb_written_open(xb_written *w, const char *path)
{
  char next[NEXT_PATH];
  int fd;
  const int error = open_file(w, path, next, &fd);
  if (error || fd < 0)
    return error;
  close_file(&fd);
  return unlink(next) ? errno : 0;
}

/* ---- The end ---------------------------------------------------------------------------------------------------- */

/* Empties a regular file. */
static int empty_in_place(const xb_written *w, bool *whole)
{
  struct stat st;
  *whole = !in_system_folder(w->path) && !fstat(w->in_place, &st) && S_ISREG(st.st_mode);
  return *whole && ftruncate(w->in_place, 0) ? errno : 0;
}

static int write_in_place(xb_written *w, const char *text, size_t length)
{
  bool whole;
  int error = empty_in_place(w, &whole);
  const int stream = xb_supervised_stream(w->path);
  if (!error)
    error = stream ? !xb_write_stream(stream, text, length) : write_all(w->in_place, text, length);
  if (!error && whole && fsync(w->in_place))
    error = errno;
  if (close(w->in_place) && !error)
    error = errno;
  w->in_place = -1;
  return error;
}

/* True if PLACE is still the file that was opened. It may be a mount, which can be written but not replaced. */
static bool still_there(const xb_written *w)
{
  struct stat opened, there;
  return w->in_place >= 0 && !fstat(w->in_place, &opened) && !stat(w->place, &there) && same_inode(&opened, &there);
}

int xb_written_commit(xb_written *w, const char *text, size_t length)
{
  if (!*w->place)
    return write_in_place(w, text, length);
  int error = xb_written_save(w, text, length);
  if (error)
    return error;
  if (!rename(w->part, w->place)) {
    close_file(&w->in_part);
    if (w->synced)
      sync_folder(w->place);
    return 0;
  }
  error = errno;
  if (still_there(w))
    error = write_in_place(w, text, length);
  if (!error)
    unlink(w->part);
  return error;
}

void xb_written_close(xb_written *w)
{
  close_file(&w->in_place);
  close_file(&w->in_part);
}

void xb_written_abandon(xb_written *w)
{
  if (w->in_part >= 0)
    unlink(w->part);
  xb_written_close(w);
}

/* ---- In one step, and as a stream -------------------------------------------------------------------------------- */

static bool write_once(const char *path, const void *data, size_t bytes, bool is_private)
{
  xb_written w;
  int error = xb_written_open(&w, path);
  w.synced = false; /* a cache or a file to be compiled: made again if the machine stops */
  if (is_private)
    w.mode = 0600;
  if (!error)
    error = xb_written_commit(&w, data, bytes);
  xb_written_abandon(&w);
  errno = error;
  return !error;
}

bool xb_write_whole_file(const char *path, const void *data, size_t bytes)
{
  return write_once(path, data, bytes, false);
}

bool xb_write_private(const char *path, const void *data, size_t bytes)
{
  return write_once(path, data, bytes, true);
}

FILE *xb_written_begin(xb_written *w, const char *path)
{
  char next[NEXT_PATH];
  bool whole;
  int error = open_file(w, path, next, &w->in_part);
  if (!error && w->in_part < 0)
    error = empty_in_place(w, &whole);
  if (w->in_part >= 0)
    memcpy(w->part, next, sizeof next);
  int *const fd = w->in_part < 0 ? &w->in_place : &w->in_part;
  w->stream = error ? NULL : fdopen(*fd, "wb");
  if (w->stream) {
    *fd = -1; /* the stream closes it */
    xb_written_close(w);
    return w->stream;
  }
  error = error ? error : errno;
  xb_written_abandon(w);
  errno = error;
  return NULL;
}

int xb_written_end(xb_written *w, bool good)
{
  int error = good ? 0 : errno;
  if (!w->stream)
    return 0;
  if (fclose(w->stream) && good)
    error = errno;
  w->stream = NULL;
  if (*w->place && good && !error && rename(w->part, w->place))
    error = errno;
  if (*w->place && (error || !good))
    unlink(w->part);
  return error;
}
