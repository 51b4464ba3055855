/* A result document: read, held against itself, and shown in each way; of a report all but the charts, which gnuplot
 * draws. What it holds never reaches a terminal or a page as control. */
#include "load/document.h"
#include "diff/diff.h"
#include "report/html/page.h"
#include "safe_text.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_shown(const char *text)
{
  for (const unsigned char *c = (const unsigned char *)text; *c; c++)
    if ((*c < 0x20 && *c != '\n') || *c == 0x7F)
      abort();
}

static void show(const xb_diff *diff)
{
  char *text = NULL;
  size_t length;
  FILE *file = open_memstream(&text, &length);
  if (!file)
    return;
  xb_diff_table(diff, file, false);
  xb_diff_markdown(diff, file);
  fflush(file);
  check_shown(text);
  if (!xb_diff_json(diff, file)) /* which is data, and may hold DEL */
    abort();
  fclose(file);
  free(text);
}

static void compare(const xb_document *document)
{
  xb_error error;
  xb_diff *diff = calloc(1, sizeof *diff);
  if (!diff)
    return;
  *diff = (xb_diff){.base = document, .now = document, .threshold = 0.03, .seed = 1};
  if (!xb_diff_conditions(diff, &error) && !xb_diff_match(diff, &error) && !xb_diff_judge(diff, &error)) {
    if (diff->difference_count || diff->counts[XB_CHANGE_NEW] || diff->counts[XB_CHANGE_MISSING])
      abort(); /* the same file is measured alike, and has the same cells */
    show(diff);
  }
  xb_diff_free(diff);
  free(diff);
}

static void report(const xb_document *document)
{
  xb_view view;
  char *text = NULL;
  size_t length;
  FILE *file = open_memstream(&text, &length);
  if (!file)
    return;
  if (document->result_count <= XB_VIEW_MOST_CELLS && xb_view_make(&view, &document, 1)) {
    xb_page page = {.out = file, .view = &view, .code = -1};
    xb_page_cells(&page);
    xb_page_devices(&page);
    xb_page_files(&page);
    xb_view_free(&view);
  }
  fclose(file);
  check_shown(text);
  free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  xb_error error = {0};
  const xb_document *document;
  if (!xb_document_parse("fuzz", (const char *)data, size, &document, &error)) {
    compare(document);
    report(document);
  }
  check_shown(error.message);
  xb_document_free(document);
  return 0;
}
