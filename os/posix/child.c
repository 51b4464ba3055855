#define _GNU_SOURCE /* syscall */
#include "os/child.h"

#include "os/signals.h"
#include "os/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

bool xb_is_program(const char *file)
{
  struct stat status;
  return !access(file, X_OK) && !stat(file, &status) && S_ISREG(status.st_mode);
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

static int spawn(const xb_child *child, pid_t *pid)
{
  const int files[] = {child->input, child->output, child->error};
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  int error = set_attributes(&attributes);
  for (int fd = 0; fd < 3 && !error; fd++)
    error = files[fd] < 0 ? posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0)
                          : posix_spawn_file_actions_adddup2(&actions, files[fd], fd);
  char *const *environment = child->environment ? (char *const *)(uintptr_t)child->environment : environ;
  if (!error)
    error =
        posix_spawnp(pid, child->argv[0], &actions, &attributes, (char *const *)(uintptr_t)child->argv, environment);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error;
}

/* ---- Signals ---------------------------------------------------------------------------------------------------- */

/* While a program runs, it has to end before this process does. */
static volatile sig_atomic_t asked_to_end;

static void on_end(int number)
{
  asked_to_end = number;
}

/* What was asked for meanwhile happens now. */
static void give_signals_back(const struct sigaction before[XB_ENDINGS])
{
  for (int i = 0; i < XB_ENDINGS; i++)
    sigaction(xb_endings[i], &before[i], NULL);
  if (asked_to_end) {
    xb_temporary_remove_all();
    raise(asked_to_end);
  }
}

/* ---- The end ---------------------------------------------------------------------------------------------------- */

/* Waits a little; no longer than the program runs, where the kernel tells its end (Linux 5.3). */
static void pause_for(int ended)
{
  struct pollfd fd = {ended, POLLIN, 0};
  poll(&fd, 1, ended < 0 ? 1 : 20);
}

/* Ends the program, with those that it started, after the time limit or a signal. Returns as xb_run_child. */
static int await(const xb_child *child, pid_t pid, int *status)
{
  struct timespec now, begin;
  const int end = (int)syscall(SYS_pidfd_open, pid, 0);
  int error = 0;
  pid_t ended;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  while (!(ended = waitpid(pid, status, WNOHANG)) || (ended < 0 && errno == EINTR)) {
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double spent_s = (double)(now.tv_sec - begin.tv_sec) + (double)(now.tv_nsec - begin.tv_nsec) * 1e-9;
    error = spent_s > child->limit_s ? ETIMEDOUT : 0;
    if (error || asked_to_end) {
      kill(-pid, SIGKILL);
      while ((ended = waitpid(pid, status, 0)) < 0 && errno == EINTR)
        ;
      break;
    }
    pause_for(end);
  }
  error = ended == pid ? error : errno;
  if (end >= 0)
    close(end);
  return error;
}

int xb_run_child(const xb_child *child, int *status)
{
  struct sigaction before[XB_ENDINGS];
  pid_t pid;
  *status = 0;
  asked_to_end = 0;
  xb_handle_endings(on_end, 0, before);
  int error = spawn(child, &pid);
  error = error ? error : await(child, pid, status);
  give_signals_back(before);
  return error;
}

/* ---- Copies ----------------------------------------------------------------------------------------------------- */

bool xb_copy_start(xb_copy *copy, int (*run)(FILE *to, void *user), void *user)
{
  int ends[2];
  fflush(NULL);
  if (pipe(ends))
    return false;
  copy->process = fork();
  const bool here = copy->process != 0;
  close(ends[!here ? 0 : 1]);
  FILE *file = copy->process < 0 ? NULL : fdopen(ends[!here], here ? "r" : "w");
  if (!here) {
    const int code = file ? run(file, user) : 1;
    _exit(file && fflush(file) && !code ? 1 : code); /* what else is open here is the other's to close */
  }
  copy->from = file;
  if (file)
    return true;
  close(ends[0]); /* a copy that was started ends: nobody reads what it writes */
  if (copy->process > 0)
    waitpid(copy->process, NULL, 0);
  return false;
}

int xb_copy_end(xb_copy *copy)
{
  int status = 0;
  fclose(copy->from);
  while (waitpid(copy->process, &status, 0) < 0 && errno == EINTR)
    ;
  return status;
}
