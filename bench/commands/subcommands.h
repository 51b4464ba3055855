/* The subcommands. Each returns the exit code. */
#ifndef XB_SUBCOMMANDS_H
#define XB_SUBCOMMANDS_H

#include "commands/options.h"

/* RUN and COMPARE. */
int xb_command_run(const xb_options *options);
int xb_command_list(const xb_options *options);

/* Those that have a command line of their own; `argv[0]` is the command's name. */
typedef int xb_subcommand(int argc, const char **argv);
xb_subcommand xb_command_diff, xb_command_guide, xb_command_report, xb_command_show;
/* NULL if there is none of that name. */
xb_subcommand *xb_subcommand_find(const char *word);

#endif
