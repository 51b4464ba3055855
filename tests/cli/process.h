/* Runs a program and captures its output. */
#ifndef XB_PROCESS_H
#define XB_PROCESS_H

#include <stddef.h>

enum { PROCESS_OUTPUT = 1 << 16 };

typedef struct process_result {
  int exit_code; /* 128 + signal if a signal killed it */
  char out[PROCESS_OUTPUT], err[PROCESS_OUTPUT];
} process_result;

/* `arguments` are words separated by blanks; a word in 'quotes' may have blanks. `environment` is "NAME=value
 * NAME=value", added to this process's own. Sends SIGINT once `interrupt_upon` is in stdout; NULL = never. */
void process_run(const char *program, const char *arguments, const char *environment, const char *interrupt_upon,
                 process_result *result);

/* The same; stdout is the descriptor `out`, and `result->out` is empty. */
void process_run_into(const char *program, const char *arguments, int out, process_result *result);

#endif
