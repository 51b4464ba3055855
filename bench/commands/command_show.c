/* xbench show: the sources of a pair, side by side. */
#include "base/terminal.h"
#include "base/whole_file.h"
#include "commands/command_line.h"
#include "commands/subcommands.h"
#include "formats/output.h"
#include "show/view.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- Finding a pair of sources by name -------------------------------------------------------------------------- */

/* Finds a pair in a folder of `count` pairs that is not a benchmark. */
static bool find_in_folder(const char *typed, const char *folder, char (*copies)[96], size_t count, xb_twins *pair)
{
  const char *names[64], *slash = strchr(typed, '/');
  char what[80];
  if (slash && xb_twins_of_files(folder, slash + 1, pair))
    return true;
  for (size_t i = 0; i < count; i++)
    names[i] = copies[i];
  snprintf(what, sizeof what, "pair of %s", folder);
  return xb_unknown_name_error(what, slash ? slash + 1 : "", names, count);
}

/* `typed` is BENCHMARK/VARIANT or FOLDER/PAIR. */
static bool find_pair(const char *typed, xb_twins *pair)
{
  char copies[64][96];
  const xb_benchmark *benchmark;
  const xb_variant *v;
  char folder[64];
  snprintf(folder, sizeof folder, "%.*s", (int)strcspn(typed, "/"), typed);
  const size_t count = xb_benchmark_find(folder) ? 0 : xb_twins_names(folder, copies, 64);
  if (count)
    return find_in_folder(typed, folder, copies, count, pair);
  const char *slash = strchr(typed, '/');
  if (slash && !xb_variant_find(folder, slash + 1) && xb_twins_of_files(folder, slash + 1, pair))
    return true; /* a part of a benchmark */
  if (!xb_find_named(typed, &benchmark, &v))
    return false;
  if (!v)
    return xb_usage_error("show: '%s': name one variant of it, such as %s/1; 'xbench list' shows them", typed, typed);
  xb_twins_of_variant(v, pair);
  return true;
}

/* Finds the nearest row above that has another kernel. */
static bool find_step_before(const xb_twins *pair, xb_twins *before)
{
  const xb_variant *v = pair->variant ? xb_variant_of_kernel(pair->variant) : NULL, *row = v;
  if (!v)
    return xb_usage_error("--diff: %s is not a variant of a benchmark: name a pair to compare it with", pair->name);
  do {
    if (row-- == v->benchmark->variants)
      return xb_usage_error("--diff: %s has no previous variant: name a variant to compare it with", pair->name);
  } while (row->source != KERNEL);
  xb_twins_of_variant(row, before);
  return true;
}

static bool check_pair(const xb_twins *pair)
{
  return (*pair->path[0] && *pair->path[1]) || xb_usage_error("--diff: %s is not a pair of kernels: %s", pair->name,
                                                              pair->reason ? pair->reason : "a source is missing");
}

/* Finds the pair to compare `pair` with: "reduce/6", or "6" of the same benchmark; NULL means the previous step. */
static bool find_before(const char *typed, const xb_twins *pair, xb_twins *before)
{
  char name[256];
  if (!check_pair(pair))
    return false;
  if (!typed)
    return find_step_before(pair, before);
  const bool whole = strchr(typed, '/');
  snprintf(name, sizeof name, "%.*s%s", whole ? 0 : (int)strcspn(pair->name, "/") + 1, pair->name, typed);
  return find_pair(name, before) && check_pair(before);
}

/* ---- Command line ----------------------------------------------------------------------------------------------- */

typedef struct show_command {
  const char *backend, *columns, *html;
  xb_optional_text diff;
  bool host, headers, whole, text;
  xb_twins pair, before; /* `before` with --diff */
  xb_show_view view;
} show_command;

static const xb_option options[] = {
    {"backend", 'b', XB_OPT_BACKEND, offsetof(show_command, backend),
     "show only this side (default: both; with --host: all)", .value = xb_language_backends},
    {"columns", 0, XB_OPT_TEXT, offsetof(show_command, columns),
     "show the sides one above the other (1) or side by side (2; default if the terminal has 40 columns for each)",
     .value = "1|2"},
    {"diff", 0, XB_OPT_OPTIONAL_TEXT, offsetof(show_command, diff),
     "show the changes since this variant (default: the previous one), in each language", .value = "VARIANT"},
    {"headers", 0, XB_OPT_FLAG, offsetof(show_command, headers),
     .help = "also show the headers that both sources include"},
    {"host", 0, XB_OPT_FLAG, offsetof(show_command, host),
     .help = "show the host code: the plan's calls, and those of each API"},
    {"html", 0, XB_OPT_FILE, offsetof(show_command, html), "write an HTML page instead of text", .value = "FILE"},
    {"text", 0, XB_OPT_FLAG, offsetof(show_command, text),
     .help = "show registers, spills and machine code instead of the sources, as 'xbench isa --text' does"},
    {"whole", 0, XB_OPT_FLAG, offsetof(show_command, whole),
     .help = "with --host: show whole functions, not only calls"},
    {0}};

static bool is_file(const char *word)
{
  return strchr(word, '.') && !access(word, R_OK);
}

static bool take_files(show_command *given, const char *const *words)
{
  if (given->host || given->diff.given)
    return xb_usage_error("--%s: %s is a file, not a variant of a benchmark", given->host ? "host" : "diff", words[0]);
  if (words[1] && (!is_file(words[1]) || words[2]))
    return xb_usage_error("show: expected one file or two, not also '%s'", words[2] ? words[2] : words[1]);
  xb_error error;
  for (int i = 0; i < 2 && words[i]; i++)
    if (xb_report_refusal(xb_check_readable(words[i], XB_MAX_SOURCE_BYTES, &error), &error) >= 0)
      return false;
  return xb_twins_of_paths(words[0], words[1], &given->pair) || xb_usage_error("show: the name of a file is too long");
}

/* In `xbench show --diff reduce/7`, popt gives the only word to --diff, whose value is optional. */
static bool take_word(show_command *given, const char *const *words, const char **name, const char **against)
{
  if (words[0] && words[1])
    return xb_usage_error("show: expected one pair, not also '%s'", words[1]);
  *name = words[0] ? words[0] : given->diff.text;
  *against = words[0] ? given->diff.text : NULL;
  return *name || xb_usage_error("show: no BENCHMARK/VARIANT named: try 'xbench show reduce/7'");
}

static bool check(show_command *given)
{
  if (given->columns && strcmp(given->columns, "1") != 0 && strcmp(given->columns, "2") != 0)
    return xb_usage_error("--columns: '%s': expected 1, one above the other, or 2, side by side", given->columns);
  if (given->whole && !given->host)
    return xb_usage_error("--whole: needs --host");
  if (given->host + given->diff.given + given->headers > 1)
    return xb_usage_error("--diff, --headers and --host exclude each other: give one of them");
  if (given->text && (given->host || given->diff.given || given->headers || given->html))
    return xb_usage_error("--text: not with --diff, --headers, --host or --html, which show sources");
  return true;
}

static int take(xb_invocation *in, const char *const *words)
{
  show_command *given = in->own;
  const char *name = NULL, *against = NULL;
  if (words[0] && is_file(words[0]))
    return check(given) && take_files(given, words) ? -1 : XB_EXIT_USAGE;
  if (!take_word(given, words, &name, &against) || !check(given) || !find_pair(name, &given->pair) ||
      (given->diff.given && !find_before(against, &given->pair, &given->before)))
    return XB_EXIT_USAGE;
  if (!given->backend || !strcmp(given->backend, "all"))
    return -1;
  if (!xb_twins_keep(&given->pair, given->backend) ||
      (given->diff.given && !xb_twins_keep(&given->before, given->backend)))
    return xb_report_error(XB_EXIT_UNAVAILABLE, "show: backend %s has no kernel sources", given->backend);
  return -1;
}

/* ---- Showing it ------------------------------------------------------------------------------------------------- */

static int print_text(show_command *given, const xb_show_view *view)
{
  xb_text_style style = {.width = xb_terminal_width(), .colours = xb_terminal_colours()};
  style.stacked =
      given->columns ? *given->columns == '1' : style.width < XB_COLUMN_FROM * (size_t)xb_show_view_columns(view);
  xb_show_view_text(view, &style, stdout);
  return XB_EXIT_OK;
}

static int write_page(show_command *given, const xb_show_view *view)
{
  xb_output output;
  if (!xb_output_open(&output, given->html, XB_OUTPUT_OTHER))
    return XB_EXIT_USAGE;
  xb_html_page(view, output.file);
  return xb_output_commit(&output) ? XB_EXIT_OK : XB_EXIT_USAGE;
}

static int run(xb_invocation *in)
{
  show_command *given = in->own;
  const xb_show_view_options wanted = {.headers = given->headers,
                                       .host = given->host,
                                       .whole = given->whole,
                                       .before = given->diff.given ? &given->before : NULL};
  int code;
  if (given->text && !given->pair.variant)
    return xb_usage_error("--text: %s is not a variant of a benchmark: 'xbench pair --text' shows the code of a pair",
                          given->pair.name)
               ? XB_EXIT_OK
               : XB_EXIT_USAGE;
  if (given->text)
    return xb_command_isa_variant(xb_variant_of_kernel(given->pair.variant));
  if (!xb_show_view_make(&given->view, &given->pair, &wanted))
    code = xb_report_error(XB_EXIT_DEVICE, "out of host memory");
  else if (!given->view.shown[0] && !given->view.shown[1])
    code = xb_report_error(XB_EXIT_UNAVAILABLE, "%s: no source on this side: %s", given->pair.name, given->pair.reason);
  else
    code = given->html ? write_page(given, &given->view) : print_text(given, &given->view);
  xb_show_view_free(&given->view);
  return code;
}

const xb_subcommand xb_command_show = {.name = "show",
                                       .usage = "[OPTION...] BENCHMARK/VARIANT | FILE [FILE]",
                                       .where = "show: ",
                                       .options = options,
                                       .own_bytes = sizeof(show_command),
                                       .take = take,
                                       .run = run};
