#include "exit_codes.h"
#include "report/results.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool xb_output_open(xb_output *output, const char *path)
{
  struct stat st;
  *output = (xb_output){.path = path};
  if (!path)
    return true;
  if (!stat(path, &st) && !S_ISREG(st.st_mode)) {
    if (S_ISDIR(st.st_mode)) {
      xb_complain(XB_EXIT_USAGE, "%s: is a directory; give the name of a file", path);
      return false;
    }
    output->file = fopen(path, "w"); /* a pipe or a device: nothing to rename */
  } else {
    const int n = snprintf(output->temporary, sizeof output->temporary, "%s.part-%ld", path, (long)getpid());
    const bool fits = n > 0 && (size_t)n < sizeof output->temporary;
    const int fd = fits ? open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : -1;
    output->file = fd < 0 ? NULL : fdopen(fd, "w");
    if (!fits)
      errno = ENAMETOOLONG;
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
    good = !rename(output->temporary, output->path);
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
