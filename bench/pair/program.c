#include "pair/program.h"

#include "whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

const char *xb_find_program(const char *name, xb_arena *arena)
{
  const char *path = strchr(name, '/') ? "" : getenv("PATH");
  while (path) {
    const int length = (int)strcspn(path, ":");
    const char *file = xb_arena_text(arena, "%.*s%s%s", length, path, length ? "/" : "", name);
    struct stat status;
    if (file && !access(file, X_OK) && !stat(file, &status) && S_ISREG(status.st_mode))
      return file;
    path = path[length] ? path + length + 1 : NULL;
  }
  return NULL;
}

static int spawn(const char *const *argv, int output, pid_t *pid)
{
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  int error = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  for (int fd = 1; fd <= 2 && !error; fd++)
    error = posix_spawn_file_actions_adddup2(&actions, output, fd);
  if (!error)
    error = posix_spawnp(pid, argv[0], &actions, NULL, (char *const *)(uintptr_t)argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

xb_code xb_run_program(const char *const *argv, xb_arena *arena, char **output, xb_error *err)
{
  FILE *file = tmpfile(); /* a file, unlike a pipe, takes whatever the program writes */
  pid_t pid;
  int status = 0;
  size_t bytes;
  *output = "";
  if (!file)
    return xb_fail(err, XB_INVALID, argv[0], "cannot run: no temporary file: %s", strerror(errno));
  const int error = spawn(argv, fileno(file), &pid);
  while (!error && waitpid(pid, &status, 0) < 0 && errno == EINTR)
    ;
  xb_code code = error ? xb_fail(err, XB_INVALID, argv[0], "cannot run: %s", strerror(error))
                       : xb_read_open_file(fileno(file), argv[0], arena, output, &bytes, err);
  fclose(file);
  if (!code && WIFSIGNALED(status))
    code = xb_fail(err, XB_INVALID, argv[0], "was ended by signal %d", WTERMSIG(status));
  else if (!code && WEXITSTATUS(status))
    code = xb_fail(err, XB_INVALID, argv[0], "ended with exit code %d", WEXITSTATUS(status));
  return code;
}
