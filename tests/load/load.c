/* load RESULTS_FOLDER: valid documents are read completely; others are refused, with a message of one line without
 * control characters. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glob.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/safe_text.h"
#include "load/sample.h"
#include "result/document.h"
#include "result/fields.h"
#include "test.h"

static const char *results_folder;
static char folder[] = "/tmp/xbench-load-XXXXXX";

/* ---- Valid documents -------------------------------------------------------------------------------------------- */

static const xb_document *parse(const char *text)
{
  xb_error error;
  const xb_document *document;
  if (xb_document_parse("a file", text, strlen(text), &document, &error))
    fail_msg("%s", error.message);
  return document;
}

TEST(test_parts)
{
  const xb_document *d = parse(SAMPLE);
  assert_string_equal(d->path, "a file");
  assert_string_equal(d->host.cpu, "A CPU");
  assert_null(d->host.kernel);
  assert_null(d->host.cuda_compiler);
  assert_int_equal(d->device_count, 1);
  assert_string_equal(d->devices[0].name, "A GPU");
  assert_int_equal(d->devices[0].memory_bytes, 1024);
  assert_int_equal(d->devices[0].cache_bytes, 0);
  assert_int_equal(d->devices[0].queue_family, 0);
  assert_int_equal(d->devices[0].queue_family_graphics, XB_UNKNOWN);
  assert_int_equal(d->devices[0].robust_buffer_access, 0);
  assert_int_equal(d->sampling.min_rounds, 20);
  assert_int_equal(d->comparison_count, 1);
  assert_ptr_equal(d->comparisons[0].subject, &d->results[0]);
  assert_ptr_equal(d->comparisons[0].base, &d->results[1]);
  assert_null(d->comparisons[0].verdict);
  assert_true(isnan(d->comparisons[0].ratio));
  assert_int_equal(d->mean_count, 1);
  assert_string_equal(d->means[0].base.launch_mode, "command_buffer");
  assert_null(d->means[0].base.variant);
  assert_int_equal(d->means[0].of, 1);
  xb_document_free(d);
}

TEST(test_results)
{
  const xb_document *d = parse(SAMPLE);
  const xb_result *r = &d->results[0], *failed = &d->results[1];
  assert_int_equal(d->result_count, 2);
  assert_int_equal(r->variant_number, 9);
  assert_string_equal(r->variant_name, "single_pass");
  assert_ptr_equal(r->on, &d->devices[0]);
  assert_int_equal(r->work.size, 1000);
  assert_int_equal(r->work.rows, 0);
  assert_int_equal(r->time.samples_ns.count, 4);
  assert_true(r->time.samples_ns.values[0] == 10 && r->time.samples_ns.values[1] == 12.5);
  assert_int_equal(r->time.host_samples_ns.count, 4);
  assert_true(r->time.median_ns == 11.375 && r->time.ci95_ns.low == -1.5 && r->time.ci95_ns.high == 24);
  assert_true(isnan(r->time.floor_ns));
  assert_int_equal(r->time.outliers, 0);
  assert_int_equal(r->time.warm_up_rounds, XB_UNKNOWN);
  assert_int_equal(r->check.verified, 1);
  assert_int_equal(r->time.warm, XB_UNKNOWN);
  assert_null(r->check.error);
  assert_int_equal(r->outcome, XB_CELL_OK);
  assert_int_equal(r->throttling.throttle.count, 1);
  assert_string_equal(r->throttling.throttle.values[0], "power");
  assert_int_equal(r->throttling.gpu_state.before.clock_mhz, 0);
  assert_int_equal(r->throttling.gpu_state.lowest.clock_mhz, 1980);
  assert_true(r->throttling.gpu_state.lowest.power_w == 310.5 && isnan(r->throttling.gpu_state.after.power_w));
  assert_int_equal(failed->outcome, XB_CELL_FAILED);
  assert_string_equal(failed->check.error, "reduce/8: the sum is 41");
  assert_true(isnan(failed->time.median_ns) && !failed->time.samples_ns.count);
  xb_document_free(d);
}

/* Documents from before the field `outcome`, with it, and from later versions that add fields. */
TEST(test_outcomes)
{
  static const struct {
    const char *find, *replacement;
    xb_outcome outcome;
  } cases[] = {
      {"\"error\": \"reduce/8: the sum is 41\"", "\"error\": null", XB_CELL_INTERRUPTED},
      {"\"error\": \"reduce/8", "\"outcome\": \"wrong\", \"error\": \"reduce/8", XB_CELL_WRONG},
      {"\"error\": \"reduce/8", "\"outcome\": \"unsupported\", \"error\": \"reduce/8", XB_CELL_UNSUPPORTED},
      {"\"error\": \"reduce/8", "\"of_a_later_version\": [{}], \"error\": \"reduce/8", XB_CELL_FAILED},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char *text = sample_with(cases[i].find, cases[i].replacement);
    const xb_document *d = parse(text);
    assert_int_equal(d->results[1].outcome, cases[i].outcome);
    xb_document_free(d);
    free(text);
  }
}

/* Names are read unchanged; they are only made safe for printing. */
TEST(test_names_are_kept)
{
  char safe[64];
  char *text = sample_with("A GPU", "A \\u001b[31mGPU");
  const xb_document *d = parse(text);
  assert_string_equal(d->devices[0].name, "A \x1b[31mGPU");
  assert_string_equal(xb_safe_text(d->devices[0].name, safe, sizeof safe), "A ?[31mGPU");
  xb_document_free(d);
  free(text);
}

/* Reads every document of the source tree. */
TEST(test_real_ones)
{
  glob_t found;
  char pattern[512];
  size_t measured = 0, compared = 0;
  snprintf(pattern, sizeof pattern, "%s/*/*.json", results_folder);
  assert_int_equal(glob(pattern, 0, NULL, &found), 0);
  assert_true(found.gl_pathc >= 7);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    xb_error error;
    const xb_document *d;
    if (xb_document_load(found.gl_pathv[i], &d, &error))
      fail_msg("%s", error.message);
    for (size_t k = 0; k < d->result_count; k++) {
      const xb_result *r = &d->results[k];
      const bool timed = r->outcome == XB_CELL_OK;
      assert_true(timed ? r->time.samples_ns.count >= 10 && r->time.median_ns > 0 && r->time.placements
                        : r->check.error != NULL || r->check.reason != NULL);
      assert_string_equal(r->on->name, "NVIDIA H200");
      measured += timed;
    }
    compared += d->comparison_count;
    xb_document_free(d);
  }
  globfree(&found);
  assert_true(measured > 200 && compared > 50);
}

/* ---- Invalid documents ------------------------------------------------------------------------------------------ */

static void assert_one_safe_line(const char *message)
{
  for (const unsigned char *c = (const unsigned char *)message; *c; c++)
    if (*c < 0x20 || *c == 0x7F)
      fail_msg("byte %02x in: %s", *c, message);
}

static void refuse(const char *text, size_t count, xb_code code, const char *expected)
{
  xb_error error;
  const xb_document *document = (const xb_document *)text;
  assert_int_equal(xb_document_parse("a file", text, count, &document, &error), code);
  assert_null(document);
  assert_one_safe_line(error.message);
  if (strncmp(error.message, "a file: ", 8) || !strstr(error.message, expected))
    fail_msg("expected '%s' in: %s", expected, error.message);
}

typedef struct bad_case {
  const char *find, *replacement, *expected;
} bad_case;

static const bad_case bad[] = {
    {"xbench/1", "xbench/3", "is of version 'xbench/3', but xbench 0."},
    {"xbench/1", "xbench/\\u001b[2J", "is of version 'xbench/?[2J'"},
    {"xbench/1", "benchmark/1", "is not a result document"},
    {"\"xbench/1\"", "1", "is not a result document"},
    {"\"host\"", "\"guest\"", "host: expected an object"},
    {"\"sampling\": {", "\"sampling\": 3, \"x\": {", "sampling: expected an object"},
    {"\"min_rounds\": 20", "\"min_rounds\": -20", "sampling.min_rounds: expected a whole number"},
    {"\"devices\": [{", "\"devices\": [], \"x\": [{", "devices: expected at least one"},
    {"\"devices\": [{", "\"devices\": [3, {", "devices[0]: expected an object"},
    {"\"devices\": [{", "\"devices\": {\"a\": [{", "line "},
    {"\"name\": \"A GPU\"", "\"name\": null", "devices[0].name: expected text"},
    {"\"memory_bytes\": 1024", "\"memory_bytes\": 0", "devices[0].memory_bytes: expected a whole number, 1 or more"},
    {"\"memory_bytes\": 1024", "\"memory_bytes\": 1e400", "real number overflow"},
    {"\"memory_bytes\": 1024", "\"memory_bytes\": 99999999999999999999", "too big integer"},
    {"false}],", "false}, {\"name\": 3}],", "devices[1].backend: expected text"},
    {"\"benchmark\": \"reduce\", \"variant\"", "\"variant\"", "results[0].benchmark: expected text"},
    {"9_single_pass", "single_pass", "results[0].variant: expected a number and a name"},
    {"9_single_pass", "9_", "results[0].variant: expected a number and a name"},
    {"9_single_pass", "9999999999_a", "results[0].variant: expected a number and a name"},
    {"\"title\": \"one\", \"backend\": \"vulkan\"", "\"backend\": \"cuda\"", "results[0].device: expected one of"},
    {"\"size\": 1000", "\"size\": 0", "results[0].size: expected"},
    {"\"size\": 1000", "\"size\": 1000.0", "results[0].size: expected a whole number"},
    {"\"size\": 1000", "\"size\": \"1000\"", "results[0].size: expected a whole number"},
    {"\"size\": 1000", "\"size\": null", "results[0].size: expected a whole number"},
    {"\"size\": 1000", "\"size\": 1000, \"size\": 1000", "duplicate object key"},
    {"\"yardstick\": false", "\"yardstick\": 0", "results[0].yardstick: expected true or false"},
    {"[10, 12.5", "[-10, 12.5", "results[0].samples_ns: expected a list of numbers"},
    {"[10, 12.5", "[null, 12.5", "results[0].samples_ns: expected a list of numbers"},
    {"[10, 12.5", "[1e19, 12.5", "results[0].samples_ns: expected a list of numbers"},
    {"[10, 12.5", "[NaN, 12.5", "is not valid JSON, line 1"},
    {"[10, 12.5", "[Infinity, 12.5", "is not valid JSON, line 1"},
    {"[10, 12.5", "[[10], 12.5", "results[0].samples_ns: expected a list of numbers"},
    {"[10, 12.5, 11.0, 12.0]", "[]", "results[0].samples_ns: expected samples"},
    {"[10, 12.5, 11.0, 12.0]", "{}", "results[0].samples_ns: expected a list"},
    {"[20, 22, 21, 20]", "[20, 22]", "results[0].host_samples_ns: expected as many"},
    {"\"placements\": 2", "\"placements\": 65", "results[0].placements: expected at most 64"},
    {"\"verified\": true", "\"verified\": false",
     "results[0].verified: expected true or null, because there is a median"},
    {"\"median_ns\": 11.375", "\"median_ns\": -1", "results[0].median_ns: expected a number"},
    {"\"median_ns\": 11.375", "\"median_ns\": 1e-31", "results[0].median_ns: expected a number, 0 or from 10^-30"},
    {"\"median_ns\": 11.375", "\"median_ns\": true", "results[0].median_ns: expected a number"},
    {"[-1.5, 24]", "[24, -1.5]", "results[0].ci95_ns: expected two numbers"},
    {"[-1.5, 24]", "[-1e-300, 24]", "results[0].ci95_ns: expected two numbers"},
    {"[-1.5, 24]", "[-1.5]", "results[0].ci95_ns: expected two numbers"},
    {"[-1.5, 24]", "{\"0\": 1, \"1\": 2}", "results[0].ci95_ns: expected two numbers"},
    {"\"outliers\": 0", "\"outcome\": \"wrong\"", "results[0].outcome: expected 'ok'"},
    {"\"outliers\": 0", "\"outcome\": 3", "results[0].outcome: expected text"},
    {"\"error\": \"reduce/8", "\"outcome\": \"ok\", \"error\": \"reduce/8", "results[1].outcome: expected wrong"},
    {"[\"power\"]", "[7]", "results[0].throttle: expected a list of texts"},
    {"[\"power\"]", "\"power\"", "results[0].throttle: expected a list of texts"},
    {"\"clock_mhz\": 1980", "\"clock_mhz\": \"1980\"",
     "results[0].gpu_state.lowest.clock_mhz: expected a whole number"},
    {"\"before\": null", "\"before\": 3", "results[0].gpu_state.before: expected an object"},
    {"\"subject\": {\"result\": 0}", "\"subject\": null", "comparisons[0].subject: expected an object"},
    {"\"result\": 1}", "\"result\": 2}", "comparisons[0].base: expected the index"},
    {"\"result\": 1}", "\"result\": -1}", "comparisons[0].base.result: expected a whole number"},
    {"\"result\": 1}", "\"result\": \"1\"}", "comparisons[0].base.result: expected a whole number"},
    {"\"verdict\": null", "\"verdict\": \"faster\"", "comparisons[0].verdict: expected none"},
    {"\"compared\": 0", "\"compared\": 0.5", "geometric_means[0].compared: expected a whole number"},
    {"\"geometric_means\": [{\"benchmark\": \"reduce\",", "\"geometric_means\": [{", "geometric_means[0].benchmark"},
    {"A GPU", "A \\u0000 GPU", "\\u0000 is not allowed"},
    {"A GPU", "A \xC0\xAF GPU", "unable to decode byte 0xc0"},
    {"A GPU", "A \x1B[2J GPU", "control character 0x1b"},
    {"A GPU", "A \\ud800 GPU", "invalid Unicode"},
    {"\"of\": 1}]}", "\"of\": 1}]} {}", "end of file expected"},
    {"{\"schema\"", "\xEF\xBB\xBF{\"schema\"", "is not valid JSON, line 1"},
    {"{\"schema\"", "\xFD\x37zXZ{\"schema\"", "is compressed: unpack it first, with 'xz -dk'"},
    {"{\"schema\"", "\x1F\x8B{\"schema\"", "is compressed: unpack it first, with 'gzip -dk'"},
};

static void test_bad(void **state)
{
  const bad_case *c = *state;
  char *text = sample_with(c->find, c->replacement);
  refuse(text, strlen(text), XB_INVALID, c->expected);
  free(text);
}

TEST(test_embedded_nul)
{
  const size_t count = strlen(SAMPLE);
  char *text = strdup(SAMPLE);
  assert_non_null(text);
  *strchr(text, 'A') = 0;
  refuse(text, count, XB_INVALID, "is not valid JSON, line 2");
  free(text);
}

/* A document that is truncated anywhere is refused. The closing brace is the last byte that is required. */
TEST(test_cut_short)
{
  for (size_t count = 0; count < strlen(SAMPLE) - 1; count++)
    refuse(SAMPLE, count, XB_INVALID, "incomplete");
}

TEST(test_deep)
{
  enum { DEPTH = 1000000 };
  char *text = malloc(DEPTH);
  assert_non_null(text);
  memset(text, '[', DEPTH);
  refuse(text, DEPTH, XB_INVALID, "more than 64 deep");
  free(text);
}

/* Documents that are small as text and large in memory. */
TEST(test_counts)
{
  static const struct {
    const char *unit;
    size_t count;
  } cases[] = {{"0,", XB_MAX_DOCUMENT_VALUES}, {"[],", XB_MAX_DOCUMENT_CONTAINERS}};
  for (size_t i = 0; i < 2; i++) {
    const size_t bytes = strlen(cases[i].unit), all = bytes * cases[i].count;
    char *text = malloc(all + 3);
    assert_non_null(text);
    text[0] = '[';
    for (size_t k = 0; k < cases[i].count; k++)
      memcpy(text + 1 + k * bytes, cases[i].unit, bytes);
    text[all] = ']';
    refuse(text, all + 1, XB_INVALID, "has more than 16777216 values");
    free(text);
  }
}

TEST(test_long_text)
{
  char *name = calloc(1, XB_MAX_DOCUMENT_TEXT + 2);
  assert_non_null(name);
  memset(name, 'x', XB_MAX_DOCUMENT_TEXT + 1);
  char *text = sample_with("A GPU", name);
  refuse(text, strlen(text), XB_INVALID, "devices[0].name: expected text of at most 65536 bytes");
  free(text);
  free(name);
}

/* ---- Files ------------------------------------------------------------------------------------------------------ */

static void refuse_file(const char *path, const char *expected)
{
  xb_error error;
  const xb_document *document = (const xb_document *)path;
  assert_int_equal(xb_document_load(path, &document, &error), XB_INVALID);
  assert_null(document);
  assert_one_safe_line(error.message);
  if (!strstr(error.message, expected))
    fail_msg("expected '%s' in: %s", expected, error.message);
}

static void write_file(const char *path, const char *text)
{
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  assert_true(fputs(text, file) >= 0 && !fclose(file));
}

TEST(test_files)
{
  char path[128], link[128];
  xb_error error;
  const xb_document *document;
  snprintf(path, sizeof path, "%s/\x1b]0;a file", folder);
  refuse_file(path, "?]0;a file: cannot be opened: No such file");
  refuse_file("", "cannot be opened");
  refuse_file(folder, "is a directory");
  refuse_file("/dev/null", "is not a regular file");
  write_file(path, "");
  refuse_file(path, "is empty");
  write_file(path, SAMPLE);
  snprintf(link, sizeof link, "%s/link", folder);
  assert_int_equal(symlink(path, link), 0);
  assert_int_equal(xb_document_load(link, &document, &error), XB_OK);
  assert_string_equal(document->path, link);
  xb_document_free(document);
  assert_int_equal(truncate(path, XB_MAX_DOCUMENT_BYTES + 1L), 0);
  refuse_file(path, "has 268435457 bytes, but at most 268435456 are supported");
  chmod(path, 0);
  if (geteuid()) /* root can read all files */
    refuse_file(path, "cannot be opened: Permission denied");
  unlink(path);
  unlink(link);
}

TEST(test_fifo)
{
  char path[128];
  snprintf(path, sizeof path, "%s/fifo", folder);
  assert_int_equal(mkfifo(path, 0600), 0);
  refuse_file(path, "is not a regular file");
  unlink(path);
}

/* ---- Text for a terminal ---------------------------------------------------------------------------------------- */

TEST(test_safe_text)
{
  static const struct {
    const char *text, *safe;
  } cases[] = {
      {"", ""},
      {"H200, 80 %", "H200, 80 %"},
      {"\x1b[31mred\x07\r\n\t", "?[31mred????"},
      {"\x7f", "?"},
      {"\xC2\x9B"
       "31m",
       "?31m"},
      {"Gr\xC3\xBC\xC3\x9F \xE2\x82\xAC \xF0\x9F\x98\x80", "Gr\xC3\xBC\xC3\x9F \xE2\x82\xAC \xF0\x9F\x98\x80"},
      {"\xE2\x80\xAE"
       "abc\xE2\x80\xA8",
       "?abc?"},
      {"\xC0\xAF\xED\xA0\x80\xF5\x80\x80\x80\xE2\x82", "???????????"},
      {"\xE2", "?"},
  };
  char out[64];
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char *printed = NULL;
    size_t length;
    FILE *file = open_memstream(&printed, &length);
    assert_string_equal(xb_safe_text(cases[i].text, out, sizeof out), cases[i].safe);
    assert_true(xb_print_safe(file, cases[i].text));
    fclose(file);
    assert_string_equal(printed, cases[i].safe);
    free(printed);
  }
  assert_string_equal(xb_safe_text("1234567", out, 8), "1234567");
  assert_string_equal(xb_safe_text("12345678", out, 8), "1234...");
  assert_string_equal(xb_safe_text("123\xE2\x82\xAC"
                                   "5678",
                                   out, 8),
                      "123...");
}

static int begin(void)
{
  if (test_argument_count != 1 || !mkdtemp(folder)) {
    printf("FAILED: the argument is FOLDER, with results, and one in /tmp is made\n");
    return 2;
  }
  results_folder = test_arguments[0];
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    test_add(bad[i].replacement, test_bad, NULL, &bad[i]);
  return 0;
}

static int end(void)
{
  rmdir(folder);
  return 0;
}

TEST_SOURCE(.begin = begin, .end = end);
