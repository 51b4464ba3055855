/* A field is one line: the build copies result/tables.c with one line changed, which says that a field of the results
 * is shown everywhere. It must then appear in every output, with its title, unit and value. */
#include "test.h"

#include "diff/diff.h"
#include "formats/formats.h"
#include "report/report.h"
#include "result/document.h"

#include <stdio.h>
#include <string.h>

static const xb_document *document;
static char *text;
static size_t length;
static FILE *out;

static void begin(void)
{
  xb_error err;
  assert_int_equal(xb_document_load(test_arguments[0], &document, &err), XB_OK);
  out = open_memstream(&text, &length);
  assert_non_null(out);
}

/* True if the output so far has the text. Ends the output. */
static void expect(const char *part)
{
  fflush(out);
  if (!strstr(text, part))
    fail_msg("'%s' is not in:\n%s", part, text);
}

static void end(void)
{
  fclose(out);
  free(text);
  xb_document_free(document);
}

static void print(xb_format format)
{
  begin();
  const xb_group group = {
      .benchmark = document->benchmarks, .results = document->results, .count = document->result_count, .begins = true};
  const xb_sink_run run = {.device_count = 0};
  xb_shown shown = {.sink = xb_shown_sink, .format = format, .file = out};
  assert_true(shown.sink.begin(&shown.sink, &run));
  shown.sink.group(&shown.sink, &group);
  assert_int_equal(shown.sink.end(&shown.sink, NULL), 0);
}

TEST(test_table)
{
  print(XB_FORMAT_TABLE);
  expect("most in a group");
  expect("1024 threads");
  end();
}

TEST(test_markdown)
{
  print(XB_FORMAT_MARKDOWN);
  expect("| most in a group |");
  expect("| 1024 threads |");
  end();
}

TEST(test_csv)
{
  print(XB_FORMAT_CSV);
  xb_csv_header(out);
  expect(",emulated,max_group_threads,model,model_value,published\n"); /* of models and figures stay last */
  expect(",1024,,,\n");
  end();
}

TEST(test_gbench)
{
  print(XB_FORMAT_GBENCH);
  expect("\"max_group_threads\": 1024");
  end();
}

TEST(test_diff)
{
  xb_error err;
  begin();
  xb_diff diff = {.base = document, .now = document, .threshold = 0.03, .seed = 1};
  assert_int_equal(xb_diff_conditions(&diff, &err), XB_OK);
  assert_int_equal(xb_diff_match(&diff, &err), XB_OK);
  assert_int_equal(xb_diff_judge(&diff, &err), XB_OK);
  assert_true(xb_diff_json(&diff, out));
  expect("\"max_group_threads\": 1024");
  xb_diff_free(&diff);
  end();
}

TEST(test_report)
{
  xb_view view;
  begin();
  assert_true(xb_view_make(&view, &document, 1));
  assert_int_equal(xb_report_write(out, &view, NULL, NULL, 0), -1);
  expect("most in a group</th>");
  expect("1024 threads</td>");
  xb_view_free(&view);
  end();
}
