/* The commands of the program. */
#ifndef XB_SUBCOMMANDS_H
#define XB_SUBCOMMANDS_H

#include "base/exit_codes.h"
#include "benchmarks/choice.h"
#include "commands/command_line.h"
#include "formats/formats.h"
#include "machine/choose.h"
#include "measure/cell_groups.h"
#include "measure/sampler.h"
#include "os/memory_file.h"

/* The options of a run or a comparison. */
typedef struct xb_options {
  xb_device_choice devices;
  xb_choice *selection;
  xb_conditions conditions;
  xb_sampling sampling; /* its times and its width; max_time_s 0: the default of the devices */
  double margin;        /* of a comparison; < 0: the device's default */
  bool preset;          /* use configurations that a tuning run saved */
  const char *json, *csv;
  xb_format format;                        /* of stdout */
  bool quiet, published, peaks, all_peaks; /* peaks: a summary comes last, of all: behind the tables */
  uint32_t checks;                         /* xb_checks */
  bool in_child;                           /* a parent process takes the results: no message about an interrupted run */
} xb_options;

enum { XB_FOR_SCALE = 1, XB_FOR_COMPARE = 2, XB_FOR_PAIR = 4 }; /* bits of commands, for xb_option */
/* For a command that makes a benchmark and runs it. Its command line has these options behind its own; they set an
 * xb_invocation. */
extern const xb_option xb_run_options[];

/* A command line that was read, and all that its options set. It must not move. Begin with zeros. */
typedef struct xb_invocation {
  xb_options options; /* of the run. `devices.backend` and `devices.device` are known before the benchmark is */
  xb_choice choice;   /* `options.selection` */
  /* Values that need more parsing than their kind does. */
  struct xb_raw_options {
    const char *sizes, *dtypes, *block, *families, *waves, *placements, *against, *checks;
    xb_text_list at;
    size_t cache, launch, loop, format, preset;
    bool version;
  } raw;
  const struct xb_subcommand *command;
  void *own; /* of the command: what its own table of options sets, and what it keeps */
  char name[32];
  xb_command_line line;
} xb_invocation;

/* For a command that compiles before its other options are complete. False: the mistake was reported. */
bool xb_take_checks(xb_invocation *in);
/* Completes the options for the benchmarks and variants of these words. Returns as xb_complete_options. */
int xb_complete_words(xb_invocation *in, const char *const *words);
/* Completes their values only: of a command that finds its benchmark later. */
int xb_complete_values(xb_invocation *in);
/* What the benchmark says where the command line says nothing; NULL: nothing. */
typedef struct xb_run_defaults {
  const char *benchmark, *sizes, *against;
  xb_dtype dtype;
} xb_run_defaults;
/* Returns -1 on success; otherwise the mistake has been reported and the result is the exit code. The caller may change
 * the options. */
int xb_complete_options(xb_invocation *in, bool compares, const xb_run_defaults *defaults);

/* ---- Commands ---------------------------------------------------------------------------------------------------- */

/* Reads the command line. Returns -1; then xb_run_command runs it, and returns the exit code. Otherwise returns the
 * exit code: help was printed, or a mistake was reported. All options stay valid until the invocation is read again. */
int xb_parse_command(xb_invocation *in, int argc, const char **argv);
int xb_run_command(xb_invocation *in);

/* RUN and COMPARE. Returns the exit code. */
int xb_command_run(const xb_options *options);
int xb_command_occupancy_run(const xb_options *options);

/* `xbench isa --text` of a variant, in its usual groups. */
int xb_command_isa_variant(const xb_variant *variant);
/* The same of a pair whose sources were read, with the options of its command line. `targets` may be NULL. With
 * `results`, a file of a run of the pair: `xbench isa --explain` of it. */
struct xb_pair;
struct xb_pair_manifest;
int xb_command_isa_pair(xb_invocation *in, struct xb_pair *pair, const struct xb_pair_manifest *manifest,
                        const char *targets, const char *results);

/* Runs the pair of a manifest with the options of this command line, and these macros: "BLOCK=256". */
int xb_command_pair_run(xb_invocation *in, const char *path, char **defines, size_t count);
/* For diff --again: a run of a pair whose command line was read, with so much added to the seed, writes its results to
 * a file. */
typedef struct xb_pair_again {
  xb_invocation *in;
  uint64_t more_seed;
} xb_pair_again;
int xb_command_pair_into(const char *path, void *again);

/* A command and its command line (command_line.h), which begins with the name of the command. */
typedef struct xb_subcommand {
  const char *name, *usage;
  const char *where;        /* prefix of error messages about options; NULL: none */
  const xb_option *options; /* members of a struct of `own_bytes`; NULL: it has none of its own */
  size_t own_bytes;
  bool runs;    /* it also takes xb_run_options */
  unsigned bit; /* for xb_option; 0: none */
  /* Gets the words that are not options; returns the same as xb_parse_command. */
  int (*take)(xb_invocation *in, const char *const *words);
  int (*run)(xb_invocation *in);
  void (*end)(void *own); /* frees what it holds, if another command line is read; or NULL */
} xb_subcommand;
extern const xb_subcommand xb_command_main; /* run; has no name */
extern const xb_subcommand xb_command_calc, xb_command_compare, xb_command_diff, xb_command_doctor, xb_command_glossary,
    xb_command_guide, xb_command_isa, xb_command_list, xb_command_pair, xb_command_occupancy, xb_command_peaks,
    xb_command_report, xb_command_scale, xb_command_share, xb_command_show, xb_command_tune;

/* Reads words as those of this command, such as {"-n", "2^20", "reduce"}: a command line within another one. Returns as
 * xb_parse_command. */
int xb_read_words(xb_invocation *in, const xb_subcommand *command, const char *const *words);

/* The names of the commands, in `names`. Returns their number. */
enum { XB_MOST_COMMANDS = 16 };
size_t xb_command_names(const char *names[XB_MOST_COMMANDS]);

/* ---- The selection ----------------------------------------------------------------------------------------------- */

/* The benchmarks that a command line selects: variants, sizes and places on axes. Functions that return a bool return
 * false after they reported a mistake. */

/* `typed` is BENCHMARK, which sets `*v` to NULL, or BENCHMARK/VARIANT. */
bool xb_find_named(const char *typed, const xb_benchmark **benchmark, const xb_variant **v);
/* Adds one variant, or all of a benchmark. */
bool xb_select(xb_choice *what, const char *typed);
/* Sorts the selection, and sets its baseline: a variant, a device or, if `text` is NULL, the first API. */
bool xb_set_against(const char *text, xb_choice *what, xb_device_choice *on);
/* Checks that sizes, types, group size (0: none) and axes are valid for the selected benchmarks. */
bool xb_check_axis_points(const xb_choice *what, uint32_t block);
/* Hints for words that are not benchmarks. The first word may be a mistyped command, or a command behind its options.
 */
bool xb_check_first_word(const char *word);
/* A word may belong elsewhere: "reduce 9", "reduce 2^16", "compare a.json b.json". `before` may be NULL. */
bool xb_check_word(const char *word, const char *before);

/* ---- Parts of a run ---------------------------------------------------------------------------------------------- */

/* A run again, with other orders of threads and blocks, after one that was right. Returns the exit code: XB_EXIT_WRONG
 * if an order gives a wrong result or never ends. */
int xb_check_order(const xb_options *options, int (*run)(const xb_options *options), int code);

/* From its begin on, a crash, most often of a driver, says in one line where the finished results of these files are;
 * then it ends the program as without this. It leaves signals alone that somebody else handles, such as a sanitizer. */
typedef struct xb_crash_record {
  xb_sink sink; /* xb_crash_sink */
  const xb_output *json, *csv;
} xb_crash_record;
extern const xb_sink xb_crash_sink;

/* How many cells were verified: it is printed below a table. */
typedef struct xb_tally {
  xb_sink sink; /* xb_tally_sink */
  bool printed;
  bool any;                     /* a group was shown */
  size_t shown;                 /* requested cells that have a result, or pairs that were compared */
  size_t done, verified, empty; /* cells with a time; of these, those without an output to verify */
  size_t wrong, failed;         /* cells without one */
} xb_tally;
extern const xb_sink xb_tally_sink;

/* What `xbench peaks` ends with: the limits that one looks for first. */
enum { XB_PEAK_LINES = 6 };
typedef struct xb_peaks_summary {
  xb_sink sink; /* xb_peaks_sink, which stands before that of the tables: so it ends behind it */
  struct xb_peak_line {
    const char *title; /* NULL: nobody has measured it */
    char values[XB_MOST_COLUMNS][48];
  } lines[XB_PEAK_LINES];
  char targets[XB_MOST_COLUMNS][32];
  const xb_result_device *on[XB_MOST_COLUMNS];
  size_t target_count;
} xb_peaks_summary;
extern const xb_sink xb_peaks_sink;

#endif
