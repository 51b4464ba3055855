/* The commands that have a command line of their own. */
#ifndef XB_SUBCOMMANDS_H
#define XB_SUBCOMMANDS_H

typedef struct xb_subcommand {
  const char *name;
  /* argv[0] is the name. Returns the exit code. */
  int (*run)(int argc, const char **argv);
} xb_subcommand;

/* NULL: no such command. */
const xb_subcommand *xb_subcommand_find(const char *word);

int xb_command_report(int argc, const char **argv);

#endif
