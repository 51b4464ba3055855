/* Commands that have a command line of their own; run, compare and list share options.c. */
#ifndef XB_SUBCOMMANDS_H
#define XB_SUBCOMMANDS_H

typedef struct xb_subcommand {
  const char *name;
  int (*run)(int argc, const char **argv); /* argv[0] is the name; returns the exit code */
} xb_subcommand;

/* NULL where there is no such command. */
const xb_subcommand *xb_subcommand_find(const char *word);

int xb_command_diff(int argc, const char **argv);

#endif
