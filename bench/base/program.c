#include "base/program.h"

#include "base/whole_file.h"
#include "os/temporary.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static const double LONGEST_S = 60;

const char *xb_find_program(const char *name, xb_arena *arena)
{
  const char *path = strchr(name, '/') ? "" : getenv("PATH");
  while (path) {
    const int length = (int)strcspn(path, XB_PATH_SEPARATOR);
    const char *file = xb_arena_text(arena, "%.*s%s%s%s", length, path, length ? "/" : "", name, XB_PROGRAM_SUFFIX);
    if (file && xb_is_program(file))
      return file;
    path = path[length] ? path + length + 1 : NULL;
  }
  return NULL;
}

static double program_limit_s(void)
{
  const char *text = getenv("XB_COMPILER_LIMIT_S");
  const double given = text ? strtod(text, NULL) : 0;
  return given > 0 ? given : LONGEST_S;
}

xb_code xb_run_program(const char *const *argv, xb_arena *arena, char **output, xb_error *err)
{
  FILE *file = xb_tmpfile(); /* a file, unlike a pipe, takes whatever the program writes */
  int status = 0;
  size_t bytes;
  *output = "";
  if (!file)
    return xb_fail(err, XB_INVALID, argv[0], "cannot run: %s", xb_temporary_why());
  const xb_child child = {
      .argv = argv, .input = -1, .output = fileno(file), .error = fileno(file), .limit_s = program_limit_s()};
  const int error = xb_run_child(&child, &status);
  xb_code code = error && error != ETIMEDOUT
                     ? xb_fail(err, XB_INVALID, argv[0], "cannot run: %s", strerror(error))
                     : xb_read_open_file(fileno(file), argv[0], XB_MAX_FILE_BYTES, arena, output, &bytes, err);
  fclose(file);
  if (!code && error)
    code = xb_fail(err, XB_TIMEOUT, argv[0],
                   "did not end within %g s and was killed (XB_COMPILER_LIMIT_S sets the limit)", program_limit_s());
  else if (!code && WIFSIGNALED(status))
    code = xb_fail(err, XB_INVALID, argv[0], "was ended by signal %d", WTERMSIG(status));
  else if (!code && WEXITSTATUS(status))
    code = xb_fail(err, XB_INVALID, argv[0], "ended with exit code %d", WEXITSTATUS(status));
  return code;
}
