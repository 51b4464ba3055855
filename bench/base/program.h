/* Other programs, such as compilers. */
#ifndef XB_PROGRAM_H
#define XB_PROGRAM_H

#include "base/arena.h"
#include "os/child.h"
#include "xb/error.h"

/* Finds a program as a shell does. NULL if there is none. */
const char *xb_find_program(const char *name, xb_arena *arena);
/* Runs a program that reads nothing. `output` is what it wrote to stdout and stderr. XB_INVALID if it could not start
 * or did not exit with 0. XB_TIMEOUT after 60 s, or what XB_COMPILER_LIMIT_S says. */
xb_code xb_run_program(const char *const *argv, xb_arena *arena, char **output, xb_error *err);

#endif
