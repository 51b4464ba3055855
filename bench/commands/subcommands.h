/* The commands of the program. */
#ifndef XB_SUBCOMMANDS_H
#define XB_SUBCOMMANDS_H

#include "commands/command_line.h"
#include "commands/options.h"
#include "exit_codes.h"

/* Reads the command line: -1, and what runs the command and returns the exit code; or the exit code to leave with: help
 * was printed, or the mistake was reported. What was read lives until the next call. */
int xb_parse_command(int argc, const char **argv, int (**run)(void));

/* RUN and COMPARE. Returns the exit code, as the next one does. */
int xb_command_run(const xb_options *options);
int xb_command_list(const xb_options *options);

/* A command with its command line, which begins with its name. */
typedef struct xb_subcommand {
  const char *name;
  xb_command_line *line;
  int (*take)(const char **words); /* what was read; returns as xb_parse_command does */
  int (*run)(void);
} xb_subcommand;
extern const xb_subcommand xb_command_main; /* run, compare and list; has no name */
extern const xb_subcommand xb_command_diff, xb_command_guide, xb_command_report, xb_command_show;

#endif
