/* xbench report: result files to a page. */
#include "commands/report_options.h"
#include "commands/subcommands.h"
#include "exit_codes.h"
#include "report/html/page.h"
#include "report/results.h"
#include "result/result.h"

#include <stdlib.h>

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
static int write_page(const xb_report_options *o, const xb_view *view)
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

static int report(const xb_report_options *o)
{
  const xb_document *documents[XB_MOST_REPORT_FILES] = {NULL};
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
  static xb_report_options options;
  const int code = xb_parse_report(argc, argv, &options);
  return code < 0 ? report(&options) : code;
}
