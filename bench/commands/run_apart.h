/* A run in a process of its own. */
#ifndef XB_RUN_APART_H
#define XB_RUN_APART_H

#include "commands/options.h"

/* Runs xb_command_run() in another process, so each run has its own driver and memory. Sets `bytes`, which the caller
 * frees, to the result document. Returns -1 on success; otherwise the error has been reported and this is the exit
 * code. */
int xb_run_apart(const xb_options *options, char **bytes, size_t *count);

#endif
