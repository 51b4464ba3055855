#include "base/exit_codes.h"
#include "formats/output_part.h"
#include "formats/output_path.h"
#include "os/memory_file.h"
#include "os/supervise.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
  const int how = xb_in_system_folder(output->path) ? O_APPEND | O_CREAT : 0;
  output->in_place = open(output->path, O_WRONLY | O_CLOEXEC | how, 0666);
  return output->in_place < 0 ? errno : 0;
}

/* Follows links, so that their target is replaced. Tries whether a file can be made beside it. */
static int open_regular(xb_output *output)
{
  struct stat st;
  int error = xb_output_place(output->path, output->place);
  if (error)
    return error;
  output->in_place = open(output->place, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
  if (output->in_place < 0 && errno != ENOENT)
    return errno;
  if (output->in_place >= 0 && fstat(output->in_place, &st))
    return errno;
  output->mode = output->in_place >= 0 ? st.st_mode & 0777 : 0;
  error = xb_part_try(output);
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
  const xb_contents contents = xb_contents_of(path);
  if (contents == XB_CONTENTS_FOREIGN || (contents == XB_CONTENTS_RESULTS && kind != XB_OUTPUT_RESULTS)) {
    xb_report_error(XB_EXIT_USAGE, "%s: %s: give another name, or remove it first", path,
                    contents == XB_CONTENTS_FOREIGN ? "was not written by xbench" : "has results of 'xbench --json'");
    return false;
  }
  const bool special = xb_in_system_folder(path) || (exists && !S_ISREG(st.st_mode));
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
  const int error = xb_part_save(output);
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
  xb_close(&output->in_place);
  xb_close(&output->in_part);
  free(output->text);
  output->file = NULL;
  output->text = NULL;
}

static int write_in_place(xb_output *output)
{
  struct stat st;
  int error = xb_output_flush(output);
  xb_flush_stdout(); /* stdout may be the same file */
  const bool whole = !xb_in_system_folder(output->path) && !fstat(output->in_place, &st) && S_ISREG(st.st_mode);
  if (!error && whole && ftruncate(output->in_place, 0))
    error = errno;
  const int stream = xb_supervised_stream(output->path);
  if (!error)
    error = stream ? !xb_write_stream(stream, output->text, output->length)
                   : xb_write_all(output->in_place, output->text, output->length);
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
         opened.st_dev == there.st_dev && opened.st_ino == there.st_ino;
}

static int move_into_place(xb_output *output)
{
  int error = xb_part_save(output);
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
