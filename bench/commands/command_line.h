/* Command lines: each command has a table of options, and one reader, based on popt, reads them all. */
#ifndef XB_COMMAND_LINE_H
#define XB_COMMAND_LINE_H

#include <popt.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/exit_codes.h"
#include "base/word_list.h"
#include "benchmarks/choice.h"
#include "machine/choose.h"

/* The value of an option, and the type of its target. */
typedef enum xb_option_kind {
  XB_OPT_FLAG,          /* nothing; bool */
  XB_OPT_HELP,          /* nothing; no target: the reader prints help and ends the command */
  XB_OPT_TEXT,          /* const char *, NULL if not given */
  XB_OPT_OPTIONAL_TEXT, /* an optional text; xb_optional_text */
  XB_OPT_TEXTS,         /* a text; the option may be repeated; xb_text_list */
  XB_OPT_ORDERED,       /* "NAME VALUE"; options with one target share its list, in the order given; xb_text_list */
  XB_OPT_FILE,          /* the name of an output file; as TEXT */
  XB_OPT_BACKEND,       /* the name of a backend, or all; as TEXT */
  XB_OPT_WORD,          /* one of the words in `value`, "hot|cold"; size_t, its index */
  XB_OPT_COUNT,         /* uint64_t */
  XB_OPT_BYTES,         /* uint64_t */
  XB_OPT_SECONDS,       /* above 0, at most `limit`; double */
  XB_OPT_PERCENT,       /* from `limit` to 100; double, 0.01 for 1% */
} xb_option_kind;

typedef struct xb_option {
  const char *name;
  char letter; /* 0: none */
  xb_option_kind kind;
  size_t target;            /* its offset in the struct of the table */
  const char *help, *value; /* as in --help */
  double otherwise, limit;  /* otherwise: the default of a number or a word */
  unsigned not_for;         /* bits of the commands that do not take it: their help omits it */
  unsigned only_for;        /* bits of the commands whose help lists it as theirs; 0: it is common */
  const char *old;          /* a former name, which still works; NULL: none */
} xb_option;

typedef struct xb_optional_text {
  bool given;
  const char *text;
} xb_optional_text;

enum { XB_MOST_OPTIONS = 64 };

/* A table of options, which ends with an option without a name, and the struct that they set. */
typedef struct xb_option_table {
  const xb_option *options; /* may be NULL */
  void *targets;
} xb_option_table;

/* Do not move it: popt keeps a pointer to the table. All texts stay valid until the same command line is read again. */
typedef struct xb_command_line {
  const char *name, *usage; /* "xbench diff", and the arguments that follow it */
  const char *where;        /* prefix of error messages about options */
  xb_option_table own, run; /* the command's own options, and behind them those of a run */
  unsigned bit;             /* of the command; 0: it takes all of them */
  const char *const *words; /* arguments that are not options; ends with NULL */
  /* Private to the reader. */
  poptContext context;
  struct poptOption table[XB_MOST_OPTIONS + 1];
  xb_text_list given[XB_MOST_OPTIONS];
  bool wide;
  size_t colours;
} xb_command_line;

/* Sets all targets. If an option is given twice, the last one counts. Returns -1 on success; otherwise the mistake has
 * been reported and the result is the exit code. */
int xb_read_command_line(xb_command_line *line, int argc, const char **argv);

/* ---- Values: each function returns false after it reported a mistake, whose prefix is `option` ------------------- */

/* Reports a mistake on the command line and returns false. */
#define xb_usage_error(...) (xb_report_error(XB_EXIT_USAGE, __VA_ARGS__), false)
/* "unknown WHAT 'typed': did you mean 'near'?; there are ..." */
bool xb_unknown_name_error(const char *what, const char *typed, const char *const *names, size_t count);

bool xb_parse_seconds(const char *option, const char *text, double most, double *seconds);
/* "1%", "0.5 %" or "1"; `part` is a fraction: 0.01 for 1%. */
bool xb_parse_percent(const char *option, const char *text, double least, double *part);
bool xb_parse_count(const char *option, const char *text, uint64_t *value);
bool xb_parse_bytes(const char *option, const char *text, uint64_t *bytes);
/* `text` must be one of `count` words; `place` is its index. `what` is its name in messages. */
bool xb_parse_word(const char *what, const char *text, const char *const *words, size_t count, size_t *place);
bool xb_check_backend(const char *text);
/* True for "a.json". `name` may be NULL. */
bool xb_is_json_name(const char *name);
/* Checks the name of an output file. */
bool xb_check_file(const char *option, const char *name);

/* ---- Lists, of a run -------------------------------------------------------------------------------------------- */

/* float32 if `text` is NULL. */
bool xb_parse_dtypes(const char *text, xb_choice *what);
/* "offset=0..32": adds a choice. */
bool xb_parse_at(const char *text, xb_choice *what);
/* "0", "2,0", "all"; the best family of each backend if `text` is NULL. */
bool xb_parse_queue_families(const char *text, xb_device_choice *on);
/* Sizes: 4194304, 2^22, 4Mi, 1e6, 4096x1000, 4096x1000x64, lists 1Ki,1Mi and ranges 2^16..2^28 (doubling). XB_INVALID
 * if the text is invalid; the message says what was expected. */
xb_code xb_parse_sizes(const char *text, xb_size sizes[XB_MAX_SIZES], size_t *count, xb_error *err);

/* What --help prints. */

/* Prints the purpose of a command, two examples and its options. `general` are the options of each command. The options
 * of a run stand there by name only, unless --wide is given. */
void xb_print_help(const xb_command_line *line, const xb_option *general);
/* xbench help measuring: the options of a run in full. */
void xb_print_measuring(void);

#endif
