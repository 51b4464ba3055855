/* What the parsers of all command lines share. */
#ifndef XB_COMMAND_LINE_H
#define XB_COMMAND_LINE_H

#include <popt.h>
#include <stdbool.h>

#include "exit_codes.h"

/* Tells a mistake on the command line; false. */
#define xb_mistake(...) (xb_complain(XB_EXIT_USAGE, __VA_ARGS__), false)

/* Rows of popt's table. */
#define XB_TEXT(name, letter, target, help, value)                                                                     \
  {                                                                                                                    \
    name, letter, POPT_ARG_STRING, &(target), 0, help, value                                                           \
  }
#define XB_FLAG(name, letter, target, help)                                                                            \
  {                                                                                                                    \
    name, letter, POPT_ARG_NONE, &(target), 0, help, NULL                                                              \
  }

/* Static, for popt keeps its table, and what was read lives until the next command line of this kind. */
typedef struct xb_command_line {
  const char *name, *usage; /* "xbench diff", and what --help shows behind it */
  const char *where;        /* what mistakes in options begin with */
  const struct poptOption *options;
  poptContext context;
  const char **words; /* what is no option; ends with NULL */
  int value;          /* of the last option that has one; 0: there was none */
} xb_command_line;

/* Sets what the table points to: texts, flags and lists are cleared first. -1, or the exit code after the mistake was
 * told. */
int xb_read_command_line(xb_command_line *line, int argc, const char **argv);
/* A file to be written; NULL is none. */
bool xb_check_file(const char *option, const char *name);

#endif
