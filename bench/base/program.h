/* Other programs: compilers, and what draws charts. */
#ifndef XB_PROGRAM_H
#define XB_PROGRAM_H

#include <stdint.h>

#include "base/arena.h"
#include "xb/error.h"

/* Finds a program as a shell does. NULL if there is none. */
const char *xb_find_program(const char *name, xb_arena *arena);
/* A program that is run to its end. */
typedef struct xb_child {
  const char *const *argv;
  const char *const *environment; /* NULL: that of this process */
  int input, output, error;       /* descriptors of files; -1: /dev/null */
  uint64_t most_bytes;            /* of output; 0: any number */
} xb_child;

/* Returns 0, and what waitpid says; or an error number: ETIMEDOUT after xb_program_limit_s, EFBIG after too much
 * output. Then, and before SIGINT, SIGTERM or SIGHUP do to this process what they do, the program is ended with all
 * that it started. */
int xb_run_child(const xb_child *child, int *status);
double xb_program_limit_s(void); /* 60, or what XB_COMPILER_LIMIT_S says */
/* Runs a program that reads nothing. `output` is what it wrote to stdout and stderr. XB_INVALID if it could not start
 * or did not exit with 0. XB_TIMEOUT after the time limit. */
xb_code xb_run_program(const char *const *argv, xb_arena *arena, char **output, xb_error *err);

#endif
