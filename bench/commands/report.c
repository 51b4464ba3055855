/* xbench report: result files to a page. */
#include "commands/subcommands.h"
#include "exit_codes.h"
#include "load/document.h"
#include "report/html/page.h"
#include "report/results.h"
#include "safe_text.h"

#include <popt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_FILES = 256 };

typedef struct report_options {
  const char *output;
  const char *files[MOST_FILES];
  size_t count;
} report_options;

/* ---- The command line ------------------------------------------------------------------------------------------- */

static bool same_file(const char *a, const char *b)
{
  struct stat x, y;
  return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static int check(const report_options *o)
{
  char name[256];
  if (!o->count)
    return xb_complain(XB_EXIT_USAGE, "report: no result file named: give what 'xbench --json FILE' wrote");
  if (!o->output || !*o->output || !strcmp(o->output, "-"))
    return xb_complain(XB_EXIT_USAGE, "report: no page named: give -o report.html (/dev/stdout is one)");
  for (size_t i = 0; i < o->count; i++)
    if (same_file(o->files[i], o->output))
      return xb_complain(XB_EXIT_USAGE, "report: %s: would be overwritten by its own report: give -o another name",
                         xb_safe_text(o->files[i], name, sizeof name));
  return -1;
}

/* `output` is what the option's argument goes to. */
static int parse(poptContext context, char **output, report_options *o)
{
  char bad[256];
  const int rc = poptGetNextOpt(context);
  if (rc < -1)
    return xb_complain(XB_EXIT_USAGE, "report: %s: %s; 'xbench report --help' lists the options",
                       xb_safe_text(poptBadOption(context, 0), bad, sizeof bad), poptStrerror(rc));
  for (const char *word = poptGetArg(context); word; word = poptGetArg(context)) {
    if (o->count == MOST_FILES)
      return xb_complain(XB_EXIT_USAGE, "report: more than %d files named", MOST_FILES);
    o->files[o->count++] = word;
  }
  o->output = *output;
  return check(o);
}

/* ---- The page --------------------------------------------------------------------------------------------------- */

static int check_size(const xb_document *const *documents, size_t count)
{
  size_t cells = 0;
  for (size_t i = 0; i < count; i++)
    cells += documents[i]->result_count;
  if (cells <= XB_VIEW_MOST_CELLS)
    return -1;
  return xb_complain(XB_EXIT_USAGE, "report: %zu cells are too many for one page (most: %d): give it fewer files",
                     cells, XB_VIEW_MOST_CELLS);
}

/* In memory first: where gnuplot fails, no file was touched. */
static int write_page(const report_options *o, const xb_view *view)
{
  char *text = NULL;
  size_t length = 0;
  xb_output output;
  FILE *memory = open_memstream(&text, &length);
  if (!memory)
    return xb_complain(XB_EXIT_DEVICE, "report: out of host memory");
  int code = xb_page_write(memory, view);
  const bool whole = !ferror(memory);
  if ((fclose(memory) || !whole) && code < 0)
    code = xb_complain(XB_EXIT_DEVICE, "report: out of host memory");
  if (code < 0)
    code = xb_output_open(&output, o->output) ? -1 : XB_EXIT_USAGE;
  if (code < 0) {
    fwrite(text, 1, length, output.file);
    code = xb_output_commit(&output) ? XB_EXIT_OK : XB_EXIT_USAGE;
  }
  free(text);
  return code;
}

static int report(const report_options *o)
{
  const xb_document *documents[MOST_FILES] = {NULL};
  xb_view view = {0};
  xb_error error;
  int code = -1;
  for (size_t i = 0; i < o->count && code < 0; i++) {
    const xb_code failed = xb_document_load(o->files[i], &documents[i], &error);
    if (failed)
      code = xb_complain(failed == XB_NOMEM ? XB_EXIT_DEVICE : XB_EXIT_USAGE, "%s", error.message);
  }
  if (code < 0)
    code = check_size(documents, o->count);
  if (code < 0 && !xb_view_make(&view, documents, o->count))
    code = xb_complain(XB_EXIT_DEVICE, "report: out of host memory");
  if (code < 0)
    code = write_page(o, &view);
  xb_view_free(&view);
  for (size_t i = 0; i < o->count; i++)
    xb_document_free(documents[i]);
  return code;
}

int xb_command_report(int argc, const char **argv)
{
  report_options options = {0};
  char *output = NULL;
  const struct poptOption table[] = {{"output", 'o', POPT_ARG_STRING, &output, 0, "write the page there", "FILE"},
                                     POPT_AUTOHELP POPT_TABLEEND};
  argv[0] = "xbench report"; /* what --help calls it */
  poptContext context = poptGetContext("xbench report", argc, argv, table, 0);
  if (!context)
    return xb_complain(XB_EXIT_DEVICE, "report: out of host memory");
  poptSetOtherOptionHelp(context, "FILE... -o report.html");
  int code = parse(context, &output, &options);
  if (code < 0)
    code = report(&options);
  free(output);
  poptFreeContext(context);
  return code;
}
