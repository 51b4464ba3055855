/* What xb_run_child() says of a program's end. */
#pragma once

#include <sys/types.h>

/* An exception ends a program with its code, as 0xc0000005. */
#define WIFEXITED(status) ((unsigned)(status) < 0xc0000000u)
#define WEXITSTATUS(status) (status)
#define WIFSIGNALED(status) (!WIFEXITED(status))
#define WTERMSIG(status) ((unsigned)(status) == 0xc0000005u ? 11 : 22) /* SIGSEGV, SIGABRT */
