/* What --help prints. */
#ifndef XB_HELP_H
#define XB_HELP_H

#include "commands/command_line.h"

/* Prints the purpose of a command, two examples and its options. `general` are the options of each command. The options
 * of a run stand there by name only, unless --wide is given. */
void xb_print_help(const xb_command_line *line, const xb_option *general);
/* xbench help measuring: the options of a run in full. */
void xb_print_measuring(void);

#endif
