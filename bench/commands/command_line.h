/* Command lines: a table of options for each command, and the one reader of all tables, over popt. */
#ifndef XB_COMMAND_LINE_H
#define XB_COMMAND_LINE_H

#include <popt.h>
#include <stdbool.h>
#include <stddef.h>

/* What an option takes, and the type of its target. */
typedef enum xb_option_kind {
  XB_OPT_FLAG,          /* nothing; bool */
  XB_OPT_TEXT,          /* const char *, NULL where it is not given */
  XB_OPT_OPTIONAL_TEXT, /* a text or nothing; xb_optional_text */
  XB_OPT_TEXTS,         /* a text, as often as it is given; xb_text_list */
  XB_OPT_FILE,          /* the name of a file to be written; as TEXT */
  XB_OPT_BACKEND,       /* the name of a backend, or all; as TEXT */
  XB_OPT_WORD,          /* one of those in `value`, "hot|cold"; size_t, its index */
  XB_OPT_COUNT,         /* uint64_t */
  XB_OPT_BYTES,         /* uint64_t */
  XB_OPT_SECONDS,       /* above 0, at most `limit`; double */
  XB_OPT_PERCENT,       /* from `limit` to 100; double, 0.01 for 1% */
} xb_option_kind;

typedef struct xb_option {
  const char *name;
  char letter; /* 0: none */
  xb_option_kind kind;
  void *target;
  const char *help, *value; /* as --help shows them */
  double otherwise, limit;  /* otherwise: the target of a number or a word where the option is not given */
} xb_option;

typedef struct xb_optional_text {
  bool given;
  const char *text;
} xb_optional_text;

typedef struct xb_text_list {
  char **texts;
  size_t count, capacity;
} xb_text_list;

enum { XB_MOST_OPTIONS = 32 };

/* Static: popt keeps its table, and what was read lives until the next command line of this kind. */
typedef struct xb_command_line {
  const char *name, *usage; /* "xbench diff", and what --help shows behind it */
  const char *where;        /* what mistakes in options begin with */
  const xb_option *options; /* the last one has no name */
  const char **words;       /* what is no option; ends with NULL */
  /* For the reader alone. */
  poptContext context;
  struct poptOption table[XB_MOST_OPTIONS + 2];
  xb_text_list given[XB_MOST_OPTIONS];
} xb_command_line;

/* Sets all targets. Of an option that is given twice the last one counts. -1, or the exit code after the mistake was
 * reported. */
int xb_read_command_line(xb_command_line *line, int argc, const char **argv);

#endif
