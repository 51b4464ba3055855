/* Another program, run to its end; and copies of this process. */
#ifndef XB_CHILD_H
#define XB_CHILD_H

#include <stdbool.h>
#include <stdio.h>
#ifndef _WIN32
#include <pthread.h>
#endif

/* XB_TO_GET_IT: advice for a program that is missing. */
#ifdef _WIN32
#define XB_PATH_SEPARATOR ";" /* of the variable PATH */
#define XB_PROGRAM_SUFFIX ".exe"
enum { XB_HAS_FORK = false };
static inline void xb_watch_forks(void (*in_child)(void))
{
  (void)in_child;
}
#define XB_TO_GET_IT(linux) "install it, and name its folder in PATH"
#else
#define XB_PATH_SEPARATOR ":"
#define XB_PROGRAM_SUFFIX ""
enum { XB_HAS_FORK = true };
/* Calls `in_child` in each process that is forked from this one, and in their children. */
static inline void xb_watch_forks(void (*in_child)(void))
{
  pthread_atfork(NULL, NULL, in_child);
}
#define XB_TO_GET_IT(linux) linux
#endif

/* True for a file that can be started. */
bool xb_is_program(const char *file);

typedef struct xb_child {
  const char *const *argv;
  const char *const *environment; /* NULL: that of this process */
  int input, output, error;       /* descriptors of files; -1: /dev/null */
  double limit_s;
} xb_child;

/* Returns 0, and what waitpid says; or an error number: ETIMEDOUT after the limit. Then, and before SIGINT, SIGTERM or
 * SIGHUP do to this process what they do, the program is ended with all that it started. */
int xb_run_child(const xb_child *child, int *status);

/* A process that is forked from this one, for work that may crash. */
typedef struct xb_copy {
  int process;
  FILE *from; /* what it writes to `to` */
} xb_copy;
/* Calls `run` in a copy, which then exits with its result. False: no process can be started. */
bool xb_copy_start(xb_copy *copy, int (*run)(FILE *to, void *user), void *user);
/* Closes `from`, and returns what waitpid says of the copy's end. */
int xb_copy_end(xb_copy *copy);

#endif
