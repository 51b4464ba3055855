/* The subcommands. Each returns the exit code. */
#ifndef XB_COMMANDS_H
#define XB_COMMANDS_H

#include "commands/options.h"

/* RUN and COMPARE. */
int xb_command_run(const xb_options *options);
int xb_command_list(const xb_options *options);

#endif
