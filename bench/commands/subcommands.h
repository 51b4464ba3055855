/* The commands of the program. */
#ifndef XB_SUBCOMMANDS_H
#define XB_SUBCOMMANDS_H

#include "base/exit_codes.h"
#include "commands/command_line.h"
#include "commands/options.h"

/* Reads the command line. Returns -1 and sets `run`, which runs the command and returns the exit code. Otherwise
 * returns the exit code: help was printed, or a mistake was reported. All options stay valid until the next call. */
int xb_parse_command(int argc, const char **argv, int (**run)(void));

/* Reads the words of a run, such as {"-n", "2^20", "reduce"}, into `options`. Returns as xb_parse_command. */
int xb_parse_run(const char *const *words, const xb_options **options);

/* RUN and COMPARE. Returns the exit code. */
int xb_command_run(const xb_options *options);

int xb_command_occupancy_run(const xb_options *options);
/* `xbench isa --text` of a pair whose sources were read, with the options of its command line. `targets` may be NULL.
 */
struct xb_pair;
struct xb_pair_manifest;
int xb_command_isa_pair(struct xb_pair *pair, const struct xb_pair_manifest *manifest, const char *targets);

/* Runs the pair of a manifest with the options of the last command line, and these macros: "BLOCK=256". */
int xb_command_pair_run(const char *path, char **defines, size_t count);
/* For diff --again: reads the words behind `pair`; then a run writes its results to a file. */
int xb_command_pair_take(const char *const *words);
int xb_command_pair_into(const char *path, void *seed);

/* A command and its command line, which begins with the name of the command. */
typedef struct xb_subcommand {
  const char *name;
  xb_command_line *line;
  int (*take)(const char *const *words); /* gets the words that are not options; returns the same as xb_parse_command */
  int (*run)(void);
} xb_subcommand;
extern const xb_subcommand xb_command_main; /* run; has no name */
extern const xb_subcommand xb_command_compare, xb_command_diff, xb_command_doctor, xb_command_glossary,
    xb_command_guide, xb_command_isa, xb_command_list, xb_command_pair, xb_command_occupancy, xb_command_peaks,
    xb_command_report, xb_command_scale, xb_command_share, xb_command_show, xb_command_tune;

/* The names of the commands, in `names`. Returns their number. */
enum { XB_MOST_COMMANDS = 16 };
size_t xb_command_names(const char *names[XB_MOST_COMMANDS]);

#endif
