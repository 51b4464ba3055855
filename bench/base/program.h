/* Other programs: compilers. */
#ifndef XB_PAIR_PROGRAM_H
#define XB_PAIR_PROGRAM_H

#include "base/arena.h"
#include "xb/error.h"

/* Finds a program as a shell does. NULL if there is none. */
const char *xb_find_program(const char *name, xb_arena *arena);
/* Runs a program to its end. `output` is what it wrote to stdout and stderr. XB_INVALID if it could not start or did
 * not exit with 0. XB_TIMEOUT after 60 s, or as many as XB_COMPILER_LIMIT_S says: it is then ended with all that it
 * started, as it is before SIGINT, SIGTERM or SIGHUP do to this process what they do. */
xb_code xb_run_program(const char *const *argv, xb_arena *arena, char **output, xb_error *err);

#endif
