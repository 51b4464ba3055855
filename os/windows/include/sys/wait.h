/* What xb_run_child() says of a program's end. There is no fork(), so there is nothing else to wait for. */
#pragma once

#include <sys/types.h>

#define WIFEXITED(status) ((void)(status), 1)
#define WEXITSTATUS(status) (status)
#define WIFSIGNALED(status) ((void)(status), 0)
#define WTERMSIG(status) ((void)(status), 0)

pid_t waitpid(pid_t pid, int *status, int options);
