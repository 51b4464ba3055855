#include "commands/names.h"
#include "commands/options.h"
#include "commands/subcommands.h"
#include "commands/values.h"
#include "exit_codes.h"
#include "report/results.h"
#include "show/html.h"
#include "show/terminal.h"
#include "show/text.h"

#include <popt.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

typedef struct show_options {
  char *backend, *columns, *before, *html;
  int diff, host, headers;
  const char *word; /* BENCHMARK/VARIANT */
} show_options;

static const char USAGE[] = "[OPTION...] BENCHMARK/VARIANT";

/* ---- Names ------------------------------------------------------------------------------------------------------ */

/* A folder of pairs that is no benchmark. -1: it is none. */
static int find_in_folder(const char *typed, xb_twins *pair, bool *found)
{
  static char copies[64][96];
  const char *names[64];
  char folder[64], what[80];
  const char *slash = strchr(typed, '/');
  snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - typed) : (int)strlen(typed), typed);
  if (xb_entry_find(folder))
    return -1;
  const size_t count = xb_twins_names(folder, copies, 64);
  *found = slash && xb_twins_of_files(folder, slash + 1, pair);
  if (*found || !count)
    return -1;
  for (size_t i = 0; i < count; i++)
    names[i] = copies[i];
  snprintf(what, sizeof what, "pair of %s", folder);
  return xb_complain_unknown(what, slash ? slash + 1 : "", names, count);
}

static int find_pair(const char *typed, xb_twins *pair)
{
  const xb_entry *entry;
  const xb_variant *v;
  bool found = false;
  int code = find_in_folder(typed, pair, &found);
  if (code >= 0 || found)
    return code;
  code = xb_find_named(typed, &entry, &v);
  if (code >= 0)
    return code;
  if (!v)
    return xb_complain(XB_EXIT_USAGE, "show: '%s': name one variant of it, such as %s/1; 'xbench list' has them", typed,
                       typed);
  xb_twins_of_variant(v, pair);
  return -1;
}

/* The nearest row above with another kernel. */
static int find_rung_before(const xb_twins *pair, xb_twins *before)
{
  const xb_variant *v = pair->variant ? xb_variant_of_kernel(pair->variant) : NULL, *row = v;
  if (!v)
    return xb_complain(XB_EXIT_USAGE, "--diff: %s is no rung of a ladder: name what to hold it against", pair->name);
  do {
    if (row == xb_variant_at(0) || strcmp((--row)->benchmark, v->benchmark) != 0)
      return xb_complain(XB_EXIT_USAGE, "--diff: %s is the first of its kernels: name what to hold it against",
                         pair->name);
  } while (row->source != KERNEL);
  xb_twins_of_variant(row, before);
  return -1;
}

/* "reduce/6", or "6", of the same benchmark. */
static int find_before(const show_options *o, const xb_twins *pair, xb_twins *before)
{
  char typed[256];
  if (!*pair->path[XB_CUDA_SIDE] || !*pair->path[XB_VULKAN_SIDE])
    return xb_complain(XB_EXIT_USAGE, "--diff: %s is no pair of kernels: %s", pair->name,
                       pair->reason ? pair->reason : "a source is missing");
  if (!o->before)
    return find_rung_before(pair, before);
  const bool whole = strchr(o->before, '/');
  snprintf(typed, sizeof typed, "%.*s%s", whole ? 0 : (int)strcspn(pair->name, "/") + 1, pair->name, o->before);
  const int code = find_pair(typed, before);
  if (code < 0 && (!*before->path[XB_CUDA_SIDE] || !*before->path[XB_VULKAN_SIDE]))
    return xb_complain(XB_EXIT_USAGE, "--diff: %s is no pair of kernels: %s", before->name,
                       before->reason ? before->reason : "a source is missing");
  return code;
}

/* ---- Options ---------------------------------------------------------------------------------------------------- */

/* `xbench show --diff reduce/7`: the word behind an option that may do without is the only one there is. */
static int take_word(show_options *o, const char **words)
{
  if (words && words[0] && words[1])
    return xb_complain(XB_EXIT_USAGE, "show: one pair at a time, not also '%s'", words[1]);
  o->word = words ? words[0] : NULL;
  if (!o->word && o->before) {
    o->word = o->before;
    o->before = NULL;
  }
  if (!o->word)
    return xb_complain(XB_EXIT_USAGE, "show: no BENCHMARK/VARIANT named: try 'xbench show reduce/7'");
  return -1;
}

static int check(const show_options *o)
{
  static const char *const sides[] = {"cuda", "vulkan", "all"};
  bool known = !o->backend;
  for (int i = 0; i < 3 && !known; i++)
    known = !strcmp(o->backend, sides[i]);
  if (!known)
    return xb_complain_unknown("backend", o->backend, sides, 3);
  if (o->columns && strcmp(o->columns, "1") != 0 && strcmp(o->columns, "2") != 0)
    return xb_complain(XB_EXIT_USAGE, "--columns: '%s': expected 1, one above the other, or 2, side by side",
                       o->columns);
  if (o->html && (!*o->html || !strcmp(o->html, "-")))
    return xb_complain(XB_EXIT_USAGE, "--html: '%s': expected the name of a file (/dev/stdout is one)", o->html);
  if (o->host + o->diff + o->headers > 1)
    return xb_complain(XB_EXIT_USAGE, "--diff, --headers and --host show different things: give one of them");
  return -1;
}

/* -1: go on. */
static int parse(int argc, const char **argv, show_options *o)
{
  /* Values and words belong to these, for as long as the program runs. */
  static show_options raw;
  static poptContext context;
  const struct poptOption table[] = {
      {"backend", 'b', POPT_ARG_STRING, &raw.backend, 0, "only this side (default: both)", "cuda|vulkan"},
      {"columns", 0, POPT_ARG_STRING, &raw.columns, 0,
       "sides beside each other, or one above the other (default: 2 where the terminal has 80 columns)", "1|2"},
      {"diff", 0, POPT_ARG_STRING | POPT_ARGFLAG_OPTIONAL, &raw.before, 'd',
       "what it changed against this variant (default: the rung before), in each language", "VARIANT"},
      {"headers", 0, POPT_ARG_NONE, &raw.headers, 0, "also the headers that the two include", NULL},
      {"host", 0, POPT_ARG_NONE, &raw.host, 0, "how the host sets the work up: the plan, and what each API makes of it",
       NULL},
      {"html", 0, POPT_ARG_STRING, &raw.html, 0, "write a page instead of text", "FILE"},
      POPT_AUTOHELP POPT_TABLEEND};
  argv[0] = "xbench show"; /* popt's usage line takes the name from here */
  context = poptGetContext("xbench show", argc, argv, table, 0);
  poptSetOtherOptionHelp(context, USAGE);
  int rc;
  while ((rc = poptGetNextOpt(context)) > 0)
    raw.diff = 1;
  if (rc < -1)
    return xb_complain(XB_EXIT_USAGE, "show: %s: %s; 'xbench show --help' lists the options", poptBadOption(context, 0),
                       poptStrerror(rc));
  const int code = take_word(&raw, poptGetArgs(context));
  *o = raw;
  return code < 0 ? check(o) : code;
}

/* ---- Output ----------------------------------------------------------------------------------------------------- */

static int print_text(const show_options *o, const xb_show_view *view)
{
  xb_text_style style = {.width = xb_terminal_width(), .colours = xb_terminal_colours()};
  style.stacked = o->columns ? *o->columns == '1' : style.width < XB_TWO_COLUMNS_FROM;
  signal(SIGPIPE, SIG_DFL); /* a reader that has seen enough is no failure, and no file is at stake */
  xb_show_view_text(view, &style, stdout);
  return XB_EXIT_OK;
}

static int write_page(const show_options *o, const xb_show_view *view)
{
  xb_output output;
  if (!xb_output_open(&output, o->html))
    return XB_EXIT_USAGE;
  xb_html_page(view, output.file);
  return xb_output_commit(&output) ? XB_EXIT_OK : XB_EXIT_USAGE;
}

int xb_command_show(int argc, const char **argv)
{
  static xb_show_view view;
  show_options o = {.word = NULL};
  xb_twins pair, before;
  int code = parse(argc, argv, &o);
  if (code < 0)
    code = find_pair(o.word, &pair);
  if (code < 0 && o.diff)
    code = find_before(&o, &pair, &before);
  if (code >= 0)
    return code;
  xb_show_view_options wanted = {.headers = o.headers, .host = o.host, .before = o.diff ? &before : NULL};
  for (int side = 0; side < XB_SIDES; side++)
    wanted.shown[side] = o.backend && !strcmp(o.backend, xb_side_name(side));
  if (!xb_show_view_make(&view, &pair, &wanted))
    code = xb_complain(XB_EXIT_DEVICE, "out of host memory");
  else if (!view.shown[XB_CUDA_SIDE] && !view.shown[XB_VULKAN_SIDE])
    code = xb_complain(XB_EXIT_UNAVAILABLE, "%s: nothing on this side: %s", pair.name, pair.reason);
  else
    code = o.html ? write_page(&o, &view) : print_text(&o, &view);
  xb_show_view_free(&view);
  return code;
}
