/* The commands that have a command line of their own; run, compare and list share options.c. */
#ifndef XB_SUBCOMMANDS_H
#define XB_SUBCOMMANDS_H

/* `argv[0]` is the command's name. Returns the exit code. */
typedef struct xb_subcommand {
  const char *name;
  int (*run)(int argc, const char **argv);
} xb_subcommand;

/* NULL if there is none of that name. */
const xb_subcommand *xb_subcommand_find(const char *word);

int xb_command_diff(int argc, const char **argv);
int xb_command_guide(int argc, const char **argv);
int xb_command_report(int argc, const char **argv);
int xb_command_show(int argc, const char **argv);

#endif
