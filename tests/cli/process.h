/* Runs a program and keeps what it printed. */
#ifndef XB_PROCESS_H
#define XB_PROCESS_H

#include <stddef.h>

enum { PROCESS_OUTPUT = 1 << 16 };

typedef struct process_result {
  int exit_code; /* 128 + signal for one that was killed */
  char out[PROCESS_OUTPUT], err[PROCESS_OUTPUT];
  double seconds;
} process_result;

/* `arguments` are words apart; 'quotes' keep blanks together. `environment` is "NAME=value NAME=value", added to ours.
 * `interrupt_after` seconds send SIGINT; 0 = never. */
void process_run(const char *program, const char *arguments, const char *environment, double interrupt_after,
                 process_result *result);

#endif
