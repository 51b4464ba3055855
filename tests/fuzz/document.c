/* Reads one result document, or two with a 0 byte between them; compares them, or the one with itself; and prints them
 * in each format. Their texts must reach a terminal or a page without control characters or tags, and charts must have
 * numbers. */
#include "base/safe_text.h"
#include "diff/diff.h"
#include "report/report.h"
#include "result/result.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

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
  FILE *before = stdout;
  stdout = file;
  xb_diff_table(diff, false);
  xb_diff_markdown(diff);
  stdout = before;
  fflush(file);
  check_shown(text);
  if (!xb_diff_json(diff, file)) /* data, which may contain DEL */
    abort();
  fclose(file);
  free(text);
}

static void check_differences(const xb_diff *diff)
{
  for (size_t i = 0; i < diff->difference_count && i < XB_MAX_DIFFERENCES; i++) {
    check_shown(diff->differences[i].base);
    check_shown(diff->differences[i].now);
  }
}

static void compare(const xb_document *base, const xb_document *now)
{
  xb_error error;
  xb_diff *diff = calloc(1, sizeof *diff);
  if (!diff)
    return;
  *diff = (xb_diff){.base = base, .now = now, .threshold = 0.03, .seed = 1};
  if (!xb_diff_conditions(diff, &error) && !xb_diff_match(diff, &error) && !xb_diff_judge(diff, &error)) {
    if (base == now && (diff->difference_count || diff->counts[XB_CHANGE_NEW] || diff->counts[XB_CHANGE_MISSING]))
      abort(); /* a file is comparable with itself, and has the same cells */
    check_differences(diff);
    show(diff);
  }
  xb_diff_free(diff);
  free(diff);
}

/* No text of a document is in these tags. */
static void check_shape(const char *tag, const char *end)
{
  static const char *const shapes[] = {"<path ", "<rect ", "<text ", "<svg "};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    for (const char *c = tag; !strncmp(tag, shapes[i], strlen(shapes[i])) && c < end; c++)
      if (!strncmp(c, "nan", 3) || !strncmp(c, "inf", 3))
        abort();
}

/* Returns the end of the tag that begins at `c`: a name, and attributes in quotes. */
static const char *past_tag(const char *c)
{
  const char *tag = c;
  char quote = 0;
  if (!isalpha((unsigned char)c[1]) && c[1] != '/' && c[1] != '!')
    abort();
  for (c++; *c && (quote || *c != '>'); c++) {
    if (*c == '<')
      abort();
    if (*c == '"' || *c == '\'')
      quote = !quote ? *c : quote == *c ? 0 : quote;
  }
  if (!*c)
    abort();
  check_shape(tag, c);
  return c + 1;
}

/* Every tag must be one that the page uses; everything else must be text. */
static void check_page(const char *page)
{
  check_shown(page);
  for (const char *c = page; *c;)
    if (!strncmp(c, "<style>", 7)) {
      c = strstr(c, "</style>");
    } else if (*c == '<') {
      c = past_tag(c);
    } else if (*c++ == '>') {
      abort();
    }
}

/* Writes all but the frame and the sources. */
static int write_sections(FILE *file, const xb_view *view)
{
  xb_report page = {.out = file, .view = view, .code = -1};
  xb_report_summary(&page);
  for (size_t b = 0; b < view->benchmark_count; b++)
    xb_report_benchmark(&page, view->benchmarks[b], b + 1);
  xb_report_gpus(&page);
  xb_report_cells(&page);
  xb_report_devices(&page);
  xb_report_files(&page);
  return page.code;
}

static void report(const xb_document *const *documents, size_t count, bool whole)
{
  xb_view view;
  char *text = NULL;
  size_t length;
  FILE *file = open_memstream(&text, &length);
  if (!file)
    return;
  if (xb_view_make(&view, documents, count)) {
    if ((whole ? xb_report_write(file, &view, NULL, NULL, 0) : write_sections(file, &view)) >= 0)
      abort();
    xb_view_free(&view);
  }
  fclose(file);
  check_page(text);
  free(text);
}

static const xb_document *read(const char *text, size_t bytes)
{
  xb_error error = {0};
  const xb_document *document;
  xb_document_parse("fuzz", text, bytes, &document, &error);
  check_shown(error.message);
  return document;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const char *text = (const char *)data, *zero = size ? memchr(text, 0, size) : NULL;
  const size_t first = zero ? (size_t)(zero - text) : size;
  const xb_document *documents[2] = {read(text, first)};
  documents[1] = documents[0] && zero ? read(zero + 1, size - first - 1) : NULL;
  if (documents[0]) {
    compare(documents[0], documents[1] ? documents[1] : documents[0]);
    report(documents, documents[1] ? 2 : 1, size % 64 == 0); /* the whole page takes longer */
  }
  xb_document_free(documents[0]);
  xb_document_free(documents[1]);
  return 0;
}
