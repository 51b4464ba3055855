#define _GNU_SOURCE /* syscall */
#include "base/program.h"

#include "base/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static const double LONGEST_S = 60;

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

/* ---- Start ------------------------------------------------------------------------------------------------------ */

/* In a process group of its own, with the signal handling of a shell's programs. */
static int set_attributes(posix_spawnattr_t *attributes)
{
  sigset_t defaults, none;
  sigemptyset(&none);
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  sigaddset(&defaults, SIGXFSZ);
  sigaddset(&defaults, SIGCHLD);
  const int error = posix_spawnattr_setsigdefault(attributes, &defaults);
  if (error || posix_spawnattr_setsigmask(attributes, &none) || posix_spawnattr_setpgroup(attributes, 0))
    return error ? error : EINVAL;
  return posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
}

static int spawn(const char *const *argv, int output, pid_t *pid)
{
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  int error = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  for (int fd = 1; fd <= 2 && !error; fd++)
    error = posix_spawn_file_actions_adddup2(&actions, output, fd);
  error = error ? error : set_attributes(&attributes);
  if (!error)
    error = posix_spawnp(pid, argv[0], &actions, &attributes, (char *const *)(uintptr_t)argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error;
}

/* ---- Signals ---------------------------------------------------------------------------------------------------- */

/* While a program runs, it has to end before this process does. */
static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
enum { ENDING = sizeof ending / sizeof *ending };
static volatile sig_atomic_t asked_to_end;

static void on_end(int number)
{
  asked_to_end = number;
}

/* A signal that is ignored stays ignored. */
static void take_signals(struct sigaction before[ENDING])
{
  asked_to_end = 0;
  for (size_t i = 0; i < ENDING; i++)
    if (!sigaction(ending[i], NULL, &before[i]) && before[i].sa_handler != SIG_IGN)
      sigaction(ending[i], &(struct sigaction){.sa_handler = on_end}, NULL);
}

/* What was asked for meanwhile happens now. */
static void give_signals_back(const struct sigaction before[ENDING])
{
  for (size_t i = 0; i < ENDING; i++)
    sigaction(ending[i], &before[i], NULL);
  if (asked_to_end)
    raise(asked_to_end);
}

/* ---- The end ---------------------------------------------------------------------------------------------------- */

static double longest_s(void)
{
  const char *text = getenv("XB_COMPILER_LIMIT_S");
  const double given = text ? strtod(text, NULL) : 0;
  return given > 0 ? given : LONGEST_S;
}

/* Waits a little; no longer than the program runs, where the kernel tells its end (Linux 5.3). */
static void pause_for(int ended)
{
  struct pollfd fd = {ended, POLLIN, 0};
  poll(&fd, 1, ended < 0 ? 1 : 20);
}

/* Ends the program, with those that it started, after the time limit or a signal. Returns an error of waitpid, or 0. */
static int await(pid_t pid, int *status, bool *late)
{
  struct timespec now, begin;
  const double limit_s = longest_s();
  const int end = (int)syscall(SYS_pidfd_open, pid, 0);
  pid_t ended;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  while (!(ended = waitpid(pid, status, WNOHANG)) || (ended < 0 && errno == EINTR)) {
    clock_gettime(CLOCK_MONOTONIC, &now);
    *late = (double)(now.tv_sec - begin.tv_sec) + (double)(now.tv_nsec - begin.tv_nsec) * 1e-9 > limit_s;
    if (*late || asked_to_end) {
      kill(-pid, SIGKILL);
      while ((ended = waitpid(pid, status, 0)) < 0 && errno == EINTR)
        ;
      break;
    }
    pause_for(end);
  }
  const int error = ended == pid ? 0 : errno;
  if (end >= 0)
    close(end);
  return error;
}

xb_code xb_run_program(const char *const *argv, xb_arena *arena, char **output, xb_error *err)
{
  FILE *file = tmpfile(); /* a file, unlike a pipe, takes whatever the program writes */
  struct sigaction before[ENDING];
  pid_t pid;
  int status = 0;
  bool late = false;
  size_t bytes;
  *output = "";
  if (!file)
    return xb_fail(err, XB_INVALID, argv[0], "cannot run: no temporary file: %s", strerror(errno));
  take_signals(before);
  int error = spawn(argv, fileno(file), &pid);
  error = error ? error : await(pid, &status, &late);
  give_signals_back(before);
  xb_code code = error ? xb_fail(err, XB_INVALID, argv[0], "cannot run: %s", strerror(error))
                       : xb_read_open_file(fileno(file), argv[0], arena, output, &bytes, err);
  fclose(file);
  if (!code && late)
    code = xb_fail(err, XB_TIMEOUT, argv[0], "did not end within %g s, and was ended (XB_COMPILER_LIMIT_S: the limit)",
                   longest_s());
  else if (!code && WIFSIGNALED(status))
    code = xb_fail(err, XB_INVALID, argv[0], "was ended by signal %d", WTERMSIG(status));
  else if (!code && WEXITSTATUS(status))
    code = xb_fail(err, XB_INVALID, argv[0], "ended with exit code %d", WEXITSTATUS(status));
  return code;
}
