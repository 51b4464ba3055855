#include "commands/command_line.h"

#include "base/fold.h"
#include "base/terminal.h"
#include "base/word_list.h"
#include "core/grow.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Values of options ------------------------------------------------------------------------------------------- */

bool xb_unknown_name_error(const char *what, const char *typed, const char *const *names, size_t count)
{
  enum { SHORT_LIST = 8 }; /* a longer one hides the suggestion */
  char all[512];
  const char *near = xb_nearest(typed, names, count);
  if (near && count > SHORT_LIST)
    return xb_usage_error("unknown %s '%s': did you mean '%s'?", what, typed, near);
  xb_join(names, count, all, sizeof all);
  return xb_usage_error("unknown %s '%s'%s%s%s; there %s %s", what, typed, near ? ": did you mean '" : "",
                        near ? near : "", near ? "'?" : "", count == 1 ? "is" : "are", all);
}

bool xb_parse_seconds(const char *option, const char *text, double most, double *seconds)
{
  char *end;
  *seconds = strtod(text, &end);
  if (end != text && !*end && isfinite(*seconds) && *seconds > 0 && *seconds <= most)
    return true;
  return xb_usage_error("%s: '%s': expected seconds, above 0 and at most %g", option, text, most);
}

bool xb_parse_percent(const char *option, const char *text, double least, double *part)
{
  char *end;
  const double percent = strtod(text, &end);
  const bool number = end != text && strspn(text, "0123456789.") == (size_t)(end - text);
  end += *end == ' ';
  end += *end == '%';
  *part = percent / 100;
  if (number && !*end && percent >= least && percent <= 100)
    return true;
  return xb_usage_error("%s: '%s': expected a percentage from %g to 100, such as 1%%", option, text, least);
}

bool xb_parse_count(const char *option, const char *text, uint64_t *value)
{
  char *end;
  const bool digits = strspn(text, "0123456789") == strlen(text) && *text && strlen(text) < 19;
  *value = strtoull(text, &end, 10);
  return digits || xb_usage_error("%s: '%s': expected a whole number from 0 to 10^18", option, text);
}

bool xb_parse_bytes(const char *option, const char *text, uint64_t *bytes)
{
  xb_size sizes[XB_MAX_SIZES];
  size_t count = 0;
  if (xb_parse_sizes(text, sizes, &count, NULL) || count != 1 || sizes[0].rows)
    return xb_usage_error("%s: '%s': expected bytes, such as 256Mi", option, text);
  *bytes = sizes[0].columns;
  return true;
}

bool xb_parse_word(const char *what, const char *text, const char *const *words, size_t count, size_t *place)
{
  for (size_t i = 0; i < count; i++)
    if (!strcmp(text, words[i])) {
      *place = i;
      return true;
    }
  return xb_unknown_name_error(what, text, words, count);
}

bool xb_check_backend(const char *text)
{
  const char *names[16];
  size_t count = 0, place;
  for (const xb_backend *b; count < 15 && (b = xb_backend_at(count)); count++)
    names[count] = xb_backend_name(b);
  names[count++] = "all";
  return xb_parse_word("backend", text, names, count, &place);
}

bool xb_is_json_name(const char *name)
{
  const size_t length = name ? strlen(name) : 0;
  return length > 5 && !strcmp(name + length - 5, ".json");
}

bool xb_check_file(const char *option, const char *name)
{
  return (*name && strcmp(name, "-") != 0) ||
         xb_usage_error("%s: '%s': expected the name of a file, or /dev/stdout", option, name);
}

/* ---- Lists ------------------------------------------------------------------------------------------------------- */

static bool has_dtype(const xb_choice *what, xb_dtype dtype)
{
  for (size_t i = 0; i < what->dtype_count; i++)
    if (what->dtypes[i] == dtype)
      return true;
  return false;
}

bool xb_parse_dtypes(const char *text, xb_choice *what)
{
  const char *names[XB_DTYPES];
  for (int d = 0; d < XB_DTYPES; d++)
    names[d] = xb_dtype_name((xb_dtype)d);
  if (!text)
    what->dtypes[what->dtype_count++] = XB_FLOAT32;
  while (text && (*text || !what->dtype_count)) {
    char typed[32];
    const int length = (int)strcspn(text, ",");
    size_t d;
    snprintf(typed, sizeof typed, "%.*s", length, text);
    if (!xb_parse_word("element type", typed, names, XB_DTYPES, &d))
      return false;
    if (!has_dtype(what, (xb_dtype)d))
      what->dtypes[what->dtype_count++] = (xb_dtype)d;
    text += length + (text[length] == ',');
  }
  return true;
}

bool xb_parse_at(const char *text, xb_choice *what)
{
  const char *equals = strchr(text, '=');
  xb_axis_choice choice;
  const size_t length = equals ? (size_t)(equals - text) : 0;
  if (!length || length >= sizeof choice.axis || !xb_parse_axis_values(equals + 1, &choice))
    return xb_usage_error(
        "--at: '%s': expected AXIS=VALUES with at most %d values, such as offset=0..32 or stride=1,2,8", text,
        XB_MAX_AT_VALUES);
  snprintf(choice.axis, sizeof choice.axis, "%.*s", (int)length, text);
  for (size_t i = 0; i < what->at_count; i++)
    if (!strcmp(what->at[i].axis, choice.axis))
      return xb_usage_error("--at: the axis %s is named twice: give all values in one list", choice.axis);
  if (what->at_count == XB_MAX_AXES)
    return xb_usage_error("--at: more than %d axes", XB_MAX_AXES);
  what->at[what->at_count++] = choice;
  return true;
}

bool xb_parse_queue_families(const char *text, xb_device_choice *on)
{
  on->all_queue_families = text && !strcmp(text, "all");
  if (!text || on->all_queue_families)
    return true;
  for (const char *p = text; *p; p++) {
    const size_t digits = strspn(p, "0123456789");
    if (!digits || digits > 2 || on->queue_family_count == XB_MAX_QUEUE_FAMILIES)
      break;
    const uint32_t family = (uint32_t)atoi(p);
    for (size_t i = 0; i < on->queue_family_count; i++)
      if (on->queue_families[i] == family)
        return xb_usage_error("--queue-family: %u is named twice: name each family once", family);
    on->queue_families[on->queue_family_count++] = family;
    p += digits;
    if (!*p)
      return true;
    if (*p != ',')
      break;
  }
  return xb_usage_error(
      "--queue-family: '%s': expected up to %d indices, such as 0 or 2,0, or all; 'xbench list devices' "
      "shows them",
      text, XB_MAX_QUEUE_FAMILIES);
}

/* Every command has these, too: members of its xb_command_line. */
static const xb_option shared[] = {
    {"color", 0, XB_OPT_WORD, offsetof(xb_command_line, colours), "use colours (default: on a terminal)",
     .value = "auto|always|never"},
    {"wide", 0, XB_OPT_FLAG, offsetof(xb_command_line, wide), .help = "show all columns, however wide the terminal is"},
    {"help", '?', XB_OPT_HELP, .help = "print this help; with --wide, all options in full"},
    {"usage", 0, XB_OPT_HELP, .help = "print a short summary of the options"},
    {0}};

static size_t count(const xb_option *table)
{
  size_t n = 0;
  while (table && table[n].name)
    n++;
  return n;
}

/* Has no name past the last one. `targets`, which may be NULL, becomes the struct that it sets. */
static const xb_option *option_in(const xb_command_line *line, size_t i, char **targets)
{
  const xb_option_table tables[] = {line->own, line->run, {shared, (void *)(uintptr_t)line}};
  size_t t = 0;
  for (; t < 2 && i >= count(tables[t].options); t++)
    i -= count(tables[t].options);
  if (targets)
    *targets = tables[t].targets;
  return &tables[t].options[i];
}

static const xb_option *option_at(const xb_command_line *line, size_t i)
{
  return option_in(line, i, NULL);
}

static void *target_of(const xb_command_line *line, size_t i)
{
  char *targets;
  const xb_option *o = option_in(line, i, &targets);
  return targets + o->target;
}

static bool is_for(const xb_command_line *line, const xb_option *o)
{
  return !(o->not_for & line->bit);
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

/* Not POPT_AUTOHELP, which ends the program: it would not say that the help could not be written. */
enum { HELP = XB_MOST_OPTIONS + 1, USAGE };

static void make_table(xb_command_line *line)
{
  size_t rows = 0;
  const xb_option *o;
  for (size_t i = 0; (o = option_at(line, i))->name; i++) {
    const unsigned takes = o->kind == XB_OPT_FLAG || o->kind == XB_OPT_HELP ? POPT_ARG_NONE
                           : o->kind == XB_OPT_OPTIONAL_TEXT                ? POPT_ARG_STRING | POPT_ARGFLAG_OPTIONAL
                           : o->kind == XB_OPT_TEXTS || o->kind == XB_OPT_ORDERED ? POPT_ARG_ARGV
                                                                                  : POPT_ARG_STRING;
    const unsigned shown = is_for(line, o) ? 0 : POPT_ARGFLAG_DOC_HIDDEN;
    const int id = o->kind != XB_OPT_HELP ? (int)i + 1 : o->letter ? HELP : USAGE;
    line->table[rows++] = (struct poptOption){o->name, o->letter, takes | shown, NULL, id, o->help, o->value};
    if (o->old)
      line->table[rows++] = (struct poptOption){o->old, 0, takes | POPT_ARGFLAG_DOC_HIDDEN, NULL, id, NULL, NULL};
  }
  line->table[rows] = (struct poptOption)POPT_TABLEEND;
}

/* The first option with the target of option i, an ORDERED one. */
static size_t first_of_target(const xb_command_line *line, size_t i)
{
  size_t first = 0;
  while (option_at(line, first)->kind != XB_OPT_ORDERED || target_of(line, first) != target_of(line, i))
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

static int print_help(const xb_command_line *line, bool in_full, int argc, const char **argv)
{
  bool all = false;
  for (int i = 1; i < argc; i++)
    all |= !strcmp(argv[i], "--wide");
  xb_terminal_set(all, XB_COLOURS_AUTO);
  if (in_full)
    xb_print_help(line, shared);
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
static bool set(const xb_option *o, void *target, const xb_text_list *given)
{
  const char *text = given->count ? given->texts[given->count - 1] : NULL;
  char name[32];
  snprintf(name, sizeof name, "--%s", o->name);
  switch (o->kind) {
  case XB_OPT_HELP: return true;
  case XB_OPT_FLAG: *(bool *)target = given->count > 0; return true;
  case XB_OPT_OPTIONAL_TEXT: *(xb_optional_text *)target = (xb_optional_text){given->count > 0, text}; return true;
  case XB_OPT_TEXTS:
  case XB_OPT_ORDERED: *(xb_text_list *)target = *given; return true;
  case XB_OPT_TEXT: *(const char **)target = text; return true;
  case XB_OPT_FILE: *(const char **)target = text; return !text || xb_check_file(name, text);
  case XB_OPT_BACKEND: *(const char **)target = text; return !text || xb_check_backend(text);
  case XB_OPT_WORD: *(size_t *)target = (size_t)o->otherwise; break;
  case XB_OPT_COUNT:
  case XB_OPT_BYTES: *(uint64_t *)target = (uint64_t)o->otherwise; break;
  case XB_OPT_SECONDS:
  case XB_OPT_PERCENT: *(double *)target = o->otherwise; break;
  }
  return !text || (o->kind == XB_OPT_WORD      ? parse_word(name, text, o->value, target)
                   : o->kind == XB_OPT_COUNT   ? xb_parse_count(name, text, target)
                   : o->kind == XB_OPT_BYTES   ? xb_parse_bytes(name, text, target)
                   : o->kind == XB_OPT_SECONDS ? xb_parse_seconds(name, text, o->limit, target)
                                               : xb_parse_percent(name, text, o->limit, target));
}

/* A bad option: popt's reason and, for an unknown option, a near one. */
static int refuse_option(const xb_command_line *line, int rc)
{
  const char *names[XB_MOST_OPTIONS], *bad = poptBadOption(line->context, 0), *near = NULL;
  char typed[64];
  size_t count = 0;
  for (size_t i = 0; option_at(line, i)->name; i++)
    if (is_for(line, option_at(line, i)))
      names[count++] = option_at(line, i)->name;
  snprintf(typed, sizeof typed, "%.*s", (int)strcspn(bad, "="), bad);
  if (rc == POPT_ERROR_BADOPT && !strncmp(typed, "--", 2))
    near = xb_nearest(typed + 2, names, count);
  return xb_report_error(XB_EXIT_USAGE, "%s%s: %s%s%s%s; '%s --help' lists the options", line->where, bad,
                         poptStrerror(rc), near ? ": did you mean '--" : "", near ? near : "", near ? "'?" : "",
                         line->name);
}

int xb_read_command_line(xb_command_line *line, int argc, const char **argv)
{
  static const char *const none[] = {NULL};
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
    return rc > 0 ? print_help(line, rc == HELP, argc, argv) : refuse_option(line, rc);
  bool good = true;
  for (size_t i = 0; option_at(line, i)->name && good; i++)
    good = is_for(line, option_at(line, i)) || !line->given[i].count ||
           xb_usage_error("--%s: '%s' does not take it: leave it out", option_at(line, i)->name, line->name);
  for (size_t i = 0; option_at(line, i)->name; i++) /* after the first mistake, all other options get their defaults */
    if (option_at(line, i)->kind != XB_OPT_ORDERED || first_of_target(line, i) == i) /* it has the list */
      good = set(option_at(line, i), target_of(line, i), good ? &line->given[i] : &(xb_text_list){0}) && good;
  xb_terminal_set(line->wide, (xb_colours)line->colours);
  const char **words = poptGetArgs(line->context);
  line->words = words ? words : none;
  return good ? -1 : XB_EXIT_USAGE;
}
