#include "exit_codes.h"
#include "report/results.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Links are followed, so that the file they lead to is replaced and not they. What is no regular file, and what the
 * system keeps under /dev and /proc, is written in place. */
static bool replaceable(const char *path, char resolved[PATH_MAX])
{
  struct stat st;
  if (!strncmp(path, "/dev/", 5) || !strncmp(path, "/proc/", 6))
    return false;
  if (realpath(path, resolved))
    return !stat(resolved, &st) && S_ISREG(st.st_mode);
  if (errno != ENOENT || !lstat(path, &st)) /* a link that leads nowhere yet */
    return false;
  const int n = snprintf(resolved, PATH_MAX, "%s", path);
  return n > 0 && n < PATH_MAX;
}

bool xb_output_open(xb_output *output, const char *path)
{
  struct stat st;
  *output = (xb_output){.path = path};
  if (!path)
    return true;
  if (!stat(path, &st) && S_ISDIR(st.st_mode)) {
    xb_complain(XB_EXIT_USAGE, "%s: is a directory; give the name of a file", path);
    return false;
  }
  if (replaceable(path, output->resolved)) {
    const int n =
        snprintf(output->temporary, sizeof output->temporary, "%s.part-%ld", output->resolved, (long)getpid());
    const bool fits = n > 0 && (size_t)n < sizeof output->temporary;
    const int fd = fits ? open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : -1;
    output->file = fd < 0 ? NULL : fdopen(fd, "w");
    if (!fits)
      errno = ENAMETOOLONG;
  } else {
    output->file = fopen(path, "w");
  }
  if (output->file)
    return true;
  xb_complain(XB_EXIT_USAGE, "%s: cannot be written: %s; nothing was measured", path, strerror(errno));
  return false;
}

bool xb_output_commit(xb_output *output)
{
  if (!output->file)
    return true;
  bool good = !fflush(output->file) && !ferror(output->file);
  good = (!*output->temporary || !fsync(fileno(output->file))) && good;
  good = !fclose(output->file) && good;
  output->file = NULL;
  if (good && *output->temporary)
    good = !rename(output->temporary, output->resolved);
  if (good)
    return true;
  xb_complain(XB_EXIT_USAGE, "%s: cannot be written: %s", output->path, strerror(errno));
  if (*output->temporary)
    unlink(output->temporary);
  return false;
}

void xb_output_abandon(xb_output *output)
{
  if (!output->file)
    return;
  fclose(output->file);
  output->file = NULL;
  if (*output->temporary)
    unlink(output->temporary);
}
