#include "commands/command_line.h"

#include "base/fold.h"
#include "base/nearest.h"
#include "base/terminal.h"
#include "commands/values.h"
#include "core/grow.h"

#include <stdio.h>

static bool wide;
static size_t colours;

/* Every command has these, too. */
static const xb_option shared[] = {
    {"color", 0, XB_OPT_WORD, &colours, "use colours (default: on a terminal)", .value = "auto|always|never"},
    {"wide", 0, XB_OPT_FLAG, &wide, .help = "show all columns, however wide the terminal is"},
    {0}};

static size_t count(const xb_option *table)
{
  size_t n = 0;
  while (table[n].name)
    n++;
  return n;
}

/* Has no name past the last one. */
static const xb_option *option_at(const xb_command_line *line, size_t i)
{
  static const xb_option none[] = {{0}};
  const xb_option *const tables[] = {line->options, line->more ? line->more : none, shared};
  size_t t = 0;
  for (; t < 2 && i >= count(tables[t]); t++)
    i -= count(tables[t]);
  return &tables[t][i];
}

/* ---- popt ------------------------------------------------------------------------------------------------------- */

static void release(xb_command_line *line)
{
  for (size_t i = 0; i < XB_MOST_OPTIONS; i++) {
    for (size_t k = 0; k < line->given[i].count; k++)
      free(line->given[i].texts[k]);
    free(line->given[i].texts);
    line->given[i] = (xb_text_list){0};
  }
  poptFreeContext(line->context);
}

/* As POPT_AUTOHELP, whose options end the program: it would not say that the help could not be written. */
enum { HELP = XB_MOST_OPTIONS + 1, USAGE };
static struct poptOption help_options[] = {
    {"help", '?', POPT_ARG_NONE, NULL, HELP, "Show this help message", NULL},
    {"usage", 0, POPT_ARG_NONE, NULL, USAGE, "Display brief usage message", NULL},
    POPT_TABLEEND};

static void make_table(xb_command_line *line)
{
  static const struct poptOption end[] = {{NULL, 0, POPT_ARG_INCLUDE_TABLE, help_options, 0, "Help options:", NULL},
                                          POPT_TABLEEND};
  size_t i = 0;
  for (const xb_option *o; (o = option_at(line, i))->name; i++) {
    const unsigned takes = o->kind == XB_OPT_FLAG            ? POPT_ARG_NONE
                           : o->kind == XB_OPT_OPTIONAL_TEXT ? POPT_ARG_STRING | POPT_ARGFLAG_OPTIONAL
                           : o->kind == XB_OPT_TEXTS || o->kind == XB_OPT_ORDERED ? POPT_ARG_ARGV
                                                                                  : POPT_ARG_STRING;
    line->table[i] = (struct poptOption){o->name, o->letter, takes, NULL, (int)i + 1, o->help, o->value};
  }
  memcpy(&line->table[i], end, sizeof end);
}

/* The first option with the target of option i. */
static size_t first_of_target(const xb_command_line *line, size_t i)
{
  size_t first = 0;
  while (option_at(line, first)->target != option_at(line, i)->target)
    first++;
  return first;
}

/* "NAME VALUE"; NULL: out of memory. Frees `text`. */
static char *with_name(const char *name, char *text)
{
  const size_t bytes = strlen(name) + strlen(text) + 2;
  char *both = malloc(bytes);
  if (both)
    snprintf(both, bytes, "%s %s", name, text);
  free(text);
  return both;
}

/* Keeps all texts: popt would lose the first one of an option that is given twice. Returns 0, popt's error, or HELP or
 * USAGE as soon as one of these is met. */
static int read_texts(xb_command_line *line)
{
  int rc;
  while ((rc = poptGetNextOpt(line->context)) > 0 && rc < HELP) {
    const xb_option *option = option_at(line, (size_t)rc - 1);
    const xb_option_kind kind = option->kind;
    char *text = poptGetOptArg(line->context);
    if (kind == XB_OPT_ORDERED && text)
      text = with_name(option->name, text);
    xb_text_list *given = &line->given[kind == XB_OPT_ORDERED ? first_of_target(line, (size_t)rc - 1) : (size_t)rc - 1];
    const bool lost = !text && kind != XB_OPT_FLAG && kind != XB_OPT_OPTIONAL_TEXT; /* popt could not copy it */
    if (lost || !xb_grow(&given->texts, &given->capacity, given->count, sizeof *given->texts)) {
      free(text);
      return POPT_ERROR_MALLOC;
    }
    given->texts[given->count++] = text;
  }
  return rc == -1 ? 0 : rc;
}

static int print_help(const xb_command_line *line, bool in_full)
{
  if (in_full)
    poptPrintHelp(line->context, stdout, 0);
  else
    poptPrintUsage(line->context, stdout, 0);
  return XB_EXIT_OK;
}

/* ---- Values ----------------------------------------------------------------------------------------------------- */

/* Finds `text` among words such as "hot|cold"; `place` is its index. */
static bool parse_word(const char *option, const char *text, const char *all, size_t *place)
{
  char copy[64], *rest = copy;
  const char *words[8];
  size_t count = 0;
  snprintf(copy, sizeof copy, "%s", all);
  for (char *word; (word = strtok_r(rest, "|", &rest));)
    words[count++] = word;
  return xb_parse_word(option, text, words, count, place);
}

/* An option that was not given sets its target to the default. */
static bool set(const xb_option *o, const xb_text_list *given)
{
  const char *text = given->count ? given->texts[given->count - 1] : NULL;
  char name[32];
  snprintf(name, sizeof name, "--%s", o->name);
  switch (o->kind) {
  case XB_OPT_FLAG: *(bool *)o->target = given->count > 0; return true;
  case XB_OPT_OPTIONAL_TEXT: *(xb_optional_text *)o->target = (xb_optional_text){given->count > 0, text}; return true;
  case XB_OPT_TEXTS:
  case XB_OPT_ORDERED: *(xb_text_list *)o->target = *given; return true;
  case XB_OPT_TEXT: *(const char **)o->target = text; return true;
  case XB_OPT_FILE: *(const char **)o->target = text; return !text || xb_check_file(name, text);
  case XB_OPT_BACKEND: *(const char **)o->target = text; return !text || xb_check_backend(text);
  case XB_OPT_WORD: *(size_t *)o->target = (size_t)o->otherwise; break;
  case XB_OPT_COUNT:
  case XB_OPT_BYTES: *(uint64_t *)o->target = (uint64_t)o->otherwise; break;
  case XB_OPT_SECONDS:
  case XB_OPT_PERCENT: *(double *)o->target = o->otherwise; break;
  }
  return !text || (o->kind == XB_OPT_WORD      ? parse_word(name, text, o->value, o->target)
                   : o->kind == XB_OPT_COUNT   ? xb_parse_count(name, text, o->target)
                   : o->kind == XB_OPT_BYTES   ? xb_parse_bytes(name, text, o->target)
                   : o->kind == XB_OPT_SECONDS ? xb_parse_seconds(name, text, o->limit, o->target)
                                               : xb_parse_percent(name, text, o->limit, o->target));
}

/* A bad option: popt's reason and, for an unknown option, a near one. */
static int refuse_option(const xb_command_line *line, int rc)
{
  const char *names[XB_MOST_OPTIONS], *bad = poptBadOption(line->context, 0), *near = NULL;
  char typed[64];
  size_t count = 0;
  for (; option_at(line, count)->name; count++)
    names[count] = option_at(line, count)->name;
  snprintf(typed, sizeof typed, "%.*s", (int)strcspn(bad, "="), bad);
  if (rc == POPT_ERROR_BADOPT && !strncmp(typed, "--", 2))
    near = xb_nearest(typed + 2, names, count);
  return xb_report_error(XB_EXIT_USAGE, "%s%s: %s%s%s%s; '%s --help' lists the options", line->where, bad,
                         poptStrerror(rc), near ? ": did you mean '--" : "", near ? near : "", near ? "'?" : "",
                         line->name);
}

/* popt's help has lines of up to 79 columns. On a narrower terminal, the text of an option is below its name. */
static bool print_narrow_help(const xb_command_line *line, int argc, const char **argv)
{
  bool asked = false;
  for (int i = 1; i < argc; i++)
    asked |= !strcmp(argv[i], "--help") || !strcmp(argv[i], "-?");
  if (!asked || xb_terminal_limit() >= XB_DEFAULT_WIDTH)
    return false;
  xb_fold_stdout();
  printf("Usage: %s %s\n", line->name, line->usage);
  for (size_t i = 0; option_at(line, i)->name; i++) {
    const xb_option *o = option_at(line, i);
    const char letter[] = {'-', o->letter, ',', ' ', 0};
    printf("  %s--%s%s%s\n      %s\n", o->letter ? letter : "", o->name, o->value ? "=" : "", o->value ? o->value : "",
           o->help);
  }
  return true;
}

int xb_read_command_line(xb_command_line *line, int argc, const char **argv)
{
  static const char *const none[] = {NULL};
  if (print_narrow_help(line, argc, argv))
    return XB_EXIT_OK;
  release(line);
  make_table(line);
  if (strchr(line->name, ' '))
    argv[0] = line->name; /* the name that --help shows */
  line->context = poptGetContext(line->name, argc, argv, line->table, 0);
  if (!line->context)
    return xb_report_error(XB_EXIT_DEVICE, "%sout of host memory", line->where);
  poptSetOtherOptionHelp(line->context, line->usage);
  const int rc = read_texts(line);
  if (rc)
    return rc > 0 ? print_help(line, rc == HELP) : refuse_option(line, rc);
  bool good = true;
  for (size_t i = 0; option_at(line, i)->name; i++) /* after the first mistake, all other options get their defaults */
    if (option_at(line, i)->kind != XB_OPT_ORDERED || first_of_target(line, i) == i) /* it has the list */
      good = set(option_at(line, i), good ? &line->given[i] : &(xb_text_list){0}) && good;
  xb_terminal_set(wide, (xb_colours)colours);
  const char **words = poptGetArgs(line->context);
  line->words = words ? words : none;
  return good ? -1 : XB_EXIT_USAGE;
}

int xb_read_words(xb_command_line *line, const char *const *words)
{
  enum { MOST_WORDS = 256 };
  const char *argv[MOST_WORDS + 1] = {line->name};
  int argc = 1;
  for (; *words && argc < MOST_WORDS; words++)
    argv[argc++] = *words;
  return *words ? xb_report_error(XB_EXIT_USAGE, "more than %d words after --", MOST_WORDS - 1)
                : xb_read_command_line(line, argc, argv);
}
