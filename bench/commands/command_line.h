/* Command lines: each command has a table of options, and one reader, based on popt, reads them all. */
#ifndef XB_COMMAND_LINE_H
#define XB_COMMAND_LINE_H

#include "base/text_list.h"

#include <popt.h>
#include <stdbool.h>

/* The value of an option, and the type of its target. */
typedef enum xb_option_kind {
  XB_OPT_FLAG,          /* nothing; bool */
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
  void *target;
  const char *help, *value; /* as in --help */
  double otherwise, limit;  /* otherwise: the default of a number or a word */
} xb_option;

typedef struct xb_optional_text {
  bool given;
  const char *text;
} xb_optional_text;

enum { XB_MOST_OPTIONS = 64 };

/* Must have static storage: popt keeps a pointer to the table. All texts stay valid until the same command line is read
 * again. */
typedef struct xb_command_line {
  const char *name, *usage; /* "xbench diff", and the usage text that --help shows after it */
  const char *where;        /* prefix of error messages about options */
  const xb_option *options; /* ends with an option without a name */
  const xb_option *more;    /* likewise, behind these; may be NULL */
  const char *const *words; /* arguments that are not options; ends with NULL */
  /* Private to the reader. */
  poptContext context;
  struct poptOption table[XB_MOST_OPTIONS + 2];
  xb_text_list given[XB_MOST_OPTIONS];
} xb_command_line;

/* Sets all targets. If an option is given twice, the last one counts. Returns -1 on success; otherwise the mistake has
 * been reported and the result is the exit code. */
int xb_read_command_line(xb_command_line *line, int argc, const char **argv);
/* The same of words, which end with NULL. */
int xb_read_words(xb_command_line *line, const char *const *words);

#endif
