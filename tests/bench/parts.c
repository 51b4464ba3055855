/* Sizes, options, names, the choice of a device, and statistics. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/word_list.h"
#include "benchmarks/input.h"
#include "benchmarks/registry.h"
#include "commands/command_line.h"
#include "commands/subcommands.h"
#include "formats/result_columns.h"
#include "judge/stats.h"
#include "machine/choose.h"
#include "measure/cell.h"
#include "report/charts/chart.h"
#include "table/table.h"
#include "test.h"

TEST(test_sizes)
{
  xb_size sizes[XB_MAX_SIZES];
  size_t count = 0;
  assert_int_equal(xb_parse_sizes("1,2^22,4Mi,3Ki..24Ki,2^60,4Kix1000,1x2^20,4x5x2^3", sizes, &count, NULL), XB_OK);
  const xb_size expected[] = {{0, 1, 0},          {0, 1 << 22, 0},  {0, 4 << 20, 0},  {0, 3 << 10, 0},
                              {0, 6 << 10, 0},    {0, 12 << 10, 0}, {0, 24 << 10, 0}, {0, 1ull << 60, 0},
                              {4 << 10, 1000, 0}, {1, 1 << 20, 0},  {4, 5, 8}};
  assert_int_equal(count, 11);
  assert_memory_equal(sizes, expected, sizeof expected);
  static const char *const bad[] = {
      "",     "0",       "-1",     "+1",      " 1",  "1 ",    "2^61", "2^",
      "^2",   "1Mi2",    "1,,2",   "1..",     "..1", "4..2",  "1e",   "1M",
      "0x10", "17Ti..",  "4G",     "1Ki.2Ki", "4x",  "x4",    "0x4",  "4x0",
      "4x4x", "4x4x4x4", "4x4..8", "4..8x4",  "4X4", "4 x 4", "4x-4", "0e9999999999999999999"};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    count = 0;
    if (!xb_parse_sizes(bad[i], sizes, &count, NULL))
      fail_msg("'%s' was taken", bad[i]);
  }
}

/* Numbers are not quoted, also those that are no doubles. */
TEST(test_csv)
{
  static const struct {
    uint64_t count;
    double part;
    const char *name;
  } row = {128, 0.5, "7"};
#define AT(member) (size_t)((const char *)&row.member - (const char *)&row)
  xb_table s = {XB_ROWS(&row, 1)};
  char *text;
  size_t bytes;
  FILE *file = open_memstream(&text, &bytes);
  xb_table_add(&s, (xb_column){"group", .kind = XB_FIELD_KNOWN, .offset = AT(count)});
  xb_table_add(&s, (xb_column){"part", .format = "%.1f", .offset = AT(part)});
  xb_table_add(&s, (xb_column){"name", .left = true, .kind = XB_FIELD_TEXT, .offset = AT(name)});
#undef AT
  assert_non_null(file);
  xb_table_csv(&s, file);
  fclose(file);
  assert_string_equal(text, "\"group\",\"part\",\"name\"\r\n128,0.5,\"7\"\r\n");
  free(text);
}

static size_t count_of(const char *text, const char *part)
{
  size_t count = 0;
  for (; (text = strstr(text, part)); text++)
    count++;
  return count;
}

/* What is drawn lies where the axes say; what they have no place for is left out. */
TEST(test_chart)
{
  xb_chart chart;
  const xb_pen pen = {XB_COLOUR_SERIES + 2, 2, false};
  xb_chart_begin(&chart, 7);
  xb_chart_size(&chart, 200, 20, 100, 10, 90);
  xb_axis_set(&chart.x, 1, 1000, true);
  xb_axis_set(&chart.y, 0, 10, false);
  xb_draw_point(&chart, pen.colour, 0, 10, 5);
  xb_draw_point(&chart, pen.colour, 0, 10000, 5); /* left out, as the next ones */
  xb_draw_point(&chart, pen.colour, 0, 10, -1);
  xb_draw_point(&chart, pen.colour, 0, 0, 5);
  xb_draw_text(&chart, 10, NAN, (xb_text){.colour = XB_COLOUR_INK}, "nowhere");
  xb_path path = xb_path_begin(&chart, pen, XB_NO_SHAPE);
  xb_path_to(&path, 1, 0);
  xb_path_to(&path, 1000, 20); /* moved to the end of the axis */
  xb_path_to(&path, 10, NAN);
  xb_path_to(&path, 100, 10);
  xb_path_end(&path);
  xb_draw_text(&chart, 1, 10, (xb_text){.characters = 9}, "]]></text>\x1b");
  assert_true(xb_chart_is_whole(&chart));
  const char *lines = chart.layers[XB_LAYER_LINES].text, *points = chart.layers[XB_LAYER_POINTS].text;
  assert_int_equal(count_of(points, "translate("), 1);
  assert_non_null(strstr(points, "translate(120.00,60.00)"));
  assert_non_null(strstr(lines, "d=\"M20.00,110.00L320.00,10.00M220.00,10.00\""));
  assert_non_null(strstr(points, ">]]&gt;&lt;/text\u2026</text>"));
  assert_null(strstr(points, "nowhere"));
  xb_chart_free(&chart);
}

/* Each axis ends, and has marks of different places, for whatever range. */
TEST(test_chart_axes)
{
  static const double ends[][2] = {{0, 1}, {1, 1.0001}, {0, 1e-9}, {0, 5e17}, {9.2e18, 9.2e18 + 4096}, {2, 3}, {0, 31}};
  for (size_t i = 0; i < 2 * sizeof ends / sizeof *ends; i++) {
    const double *end = ends[i / 2], low = end[0] > 0 ? end[0] : end[1] / 10;
    const char axis = i % 2 ? 'x' : 'y';
    for (int kind = 0; kind < 4; kind++) {
      xb_chart chart;
      xb_interval range = {low, end[1]};
      xb_chart_begin(&chart, 1);
      xb_chart_size(&chart, 300, 50, 20, 10, 50);
      if (kind == 0)
        xb_linear_axis(&chart, axis, end[0], end[1], 0);
      else if (kind == 1)
        xb_factor_axis(&chart, axis, &range, true);
      else if (kind == 2)
        xb_decade_axis(&chart, axis, low, end[1]);
      else
        xb_size_axis(&chart, low, end[1]);
      assert_true(xb_chart_is_whole(&chart));
      const char *marks = chart.layers[XB_LAYER_POINTS].text, *grid = chart.layers[XB_LAYER_LINES].text;
      assert_in_range(count_of(marks, "<text"), kind == 0 ? 2 : 0, 32);
      assert_null(strstr(marks, ">-0<"));
      for (int k = 0; k < 2; k++) {
        assert_null(strstr(k ? marks : grid, "nan"));
        assert_null(strstr(k ? marks : grid, "inf"));
      }
      xb_chart_free(&chart);
    }
  }
}

TEST(test_names)
{
  static const char *const names[] = {"reduce", "transpose", "copy"};
  assert_string_equal(xb_nearest("reduec", names, 3), "reduce");
  assert_string_equal(xb_nearest("cpy", names, 3), "copy");
  assert_null(xb_nearest("zzz", names, 3));
  assert_null(xb_nearest("", names, 3));
  char text[16];
  xb_join(names, 3, text, sizeof text);
  assert_string_equal(text, "reduce, tran...");
}

/* A machine with two equal GPUs that both APIs reach, and a CPU device that only the last API reaches. */
static void make_inventory(xb_inventory *inventory)
{
  const size_t last = xb_backend_at(1) ? 1 : 0;
  *inventory = (xb_inventory){.backend_count = last + 1, .gpu_count = 3};
  for (size_t g = 0; g < 3; g++)
    for (size_t b = 0; b <= last; b++) {
      xb_device_info *info = &inventory->infos[b][g];
      if (g == 0 && b != last)
        continue;
      *info = (xb_device_info){.index = (uint32_t)g, .has_uuid = true, .type = g ? XB_DEVICE_DISCRETE : XB_DEVICE_CPU};
      strcpy(info->name, g ? "NVIDIA H200" : "llvmpipe");
      memset(info->uuid, 0xA0 + (int)g, sizeof info->uuid);
      inventory->gpus[g].by_backend[b] = info;
      inventory->gpus[g].any = info;
    }
}

static int choose(const xb_inventory *inventory, const char *device, const xb_gpu **chosen)
{
  return xb_choose_gpu(inventory, &(xb_device_choice){.device = device}, chosen);
}

TEST(test_choice)
{
  static xb_inventory inventory;
  const xb_gpu *chosen;
  make_inventory(&inventory);
  assert_int_equal(choose(&inventory, NULL, &chosen), -1);
  assert_ptr_equal(chosen, &inventory.gpus[1]); /* the first of the fastest kind */
  assert_int_equal(choose(&inventory, "2", &chosen), -1);
  assert_ptr_equal(chosen, &inventory.gpus[2]);
  assert_int_equal(choose(&inventory, "LLVM", &chosen), -1);
  assert_ptr_equal(chosen, &inventory.gpus[0]);
  assert_int_equal(choose(&inventory, "GPU-a2a2a2a2-a2a2", &chosen), -1);
  assert_ptr_equal(chosen, &inventory.gpus[2]);
  assert_int_equal(choose(&inventory, "a2a2a2a2-a2a2-a2a2-a2a2-a2a2a2a2a2a2", &chosen), -1);
  assert_int_equal(choose(&inventory, "H200", &chosen), 2); /* ambiguous: refused */
  assert_int_equal(choose(&inventory, "3", &chosen), 3);
  assert_int_equal(choose(&inventory, "a3a3a3a3", &chosen), 3);
  assert_int_equal(choose(&inventory, "", &chosen), 3);
  if (xb_backend_at(1)) { /* the first backend does not reach the last one's device */
    const xb_device_choice o = {.backend = xb_backend_name(xb_backend_at(0)), .device = "llvmpipe"};
    assert_int_equal(xb_choose_gpu(&inventory, &o, &chosen), 3);
  }
}

/* Direct3D 12 knows no UUID; its devices are found again by the other number that Windows gives to a GPU. */
TEST(test_luid)
{
  const xb_device_info cuda = {.has_uuid = true, .uuid = {1}, .has_luid = true, .luid = {7}};
  const xb_device_info linux_gpu = {.has_uuid = true, .uuid = {2}};
  xb_device_info d3d12 = {.has_luid = true, .luid = {7}}, another = {.has_luid = true, .luid = {8}};
  const xb_device_info unknown = {.name = "nothing is known of it"};
  assert_true(xb_same_gpu(&cuda, &d3d12));
  assert_false(xb_same_gpu(&cuda, &another));
  assert_false(xb_same_gpu(&linux_gpu, &unknown)); /* two LUIDs of zeros are no match */
  xb_complete_info(&d3d12, &cuda);
  assert_true(d3d12.has_uuid && d3d12.uuid[0] == 1);
}

TEST(test_median)
{
  const double samples[] = {5, 10, 1, 9, 4, 7, 2, 8, 3, 6};
  double scratch[10];
  const xb_stats s = xb_statistics(samples, 10, 1, scratch);
  assert_true(s.count == 10 && s.median == 5.5 && s.minimum == 1 && s.maximum == 10);
  assert_true(samples[0] == 5); /* not changed */
  /* Tables of order statistics: of 10, the 2nd and the 9th have 97.9 %, the 3rd and the 8th 89.1 %. */
  assert_true(s.ci95_low > 2 && s.ci95_low < 3 && s.ci95_low + s.ci95_high == 11);
  assert_true(s.autocorrelation == 0 && s.widened == 1); /* high and low in turn */
  assert_true(s.spread == 4.5);
  const xb_stats one = xb_statistics(samples, 1, 1, scratch);
  assert_true(one.median == 5 && one.ci95_low == 5 && one.ci95_high == 5);
  assert_true(xb_statistics(samples, 0, 1, scratch).count == 0);
}

/* The interval contains the true median as often as it claims, or slightly more often. */
TEST(test_coverage)
{
  enum { TRIALS = 20000, N = 25 };
  uint64_t random = 1;
  int held = 0;
  for (int t = 0; t < TRIALS; t++) {
    double samples[N], scratch[N];
    for (int i = 0; i < N; i++)
      samples[i] = (double)(xb_random(&random) >> 11) * 0x1p-53;
    const xb_stats s = xb_statistics(samples, N, 1, scratch);
    held += s.ci95_low <= 0.5 && 0.5 <= s.ci95_high;
  }
  const double coverage = (double)held / TRIALS; /* exactly 95.7 % for n = 25, +- 0.15 % here */
  assert_true(coverage > 0.951 && coverage < 0.963);
}

TEST(test_shuffle)
{
  uint64_t random = 3;
  int first[4] = {0};
  for (int t = 0; t < 4000; t++) {
    size_t items[] = {0, 1, 2, 3};
    xb_shuffle(&random, items, 4);
    assert_int_equal(items[0] + items[1] + items[2] + items[3], 6);
    first[items[0]]++;
  }
  for (int i = 0; i < 4; i++)
    assert_in_range(first[i], 900, 1100);
}

/* Of what is given twice the last one counts, and nothing is left for the next command line. */
TEST(test_options)
{
  static struct got {
    bool flag;
    const char *text, *file;
    xb_optional_text optional;
    xb_text_list texts;
    size_t word;
    uint64_t count, bytes;
    double seconds, percent;
  } got;
  static const xb_option options[] = {
      {"flag", 'f', XB_OPT_FLAG, offsetof(struct got, flag), .help = ""},
      {"text", 't', XB_OPT_TEXT, offsetof(struct got, text), .help = ""},
      {"file", 0, XB_OPT_FILE, offsetof(struct got, file), .help = ""},
      {"optional", 0, XB_OPT_OPTIONAL_TEXT, offsetof(struct got, optional), .help = ""},
      {"texts", 0, XB_OPT_TEXTS, offsetof(struct got, texts), .help = ""},
      {"word", 0, XB_OPT_WORD, offsetof(struct got, word), "", "hot|cold", .otherwise = 9},
      {"count", 0, XB_OPT_COUNT, offsetof(struct got, count), .help = "", .otherwise = 1},
      {"bytes", 0, XB_OPT_BYTES, offsetof(struct got, bytes), .help = ""},
      {"seconds", 0, XB_OPT_SECONDS, offsetof(struct got, seconds), "", .limit = 60, .otherwise = 5},
      {"percent", 0, XB_OPT_PERCENT, offsetof(struct got, percent), "", .otherwise = -1},
      {0}};
  static xb_command_line line = {.name = "test", .usage = "", .where = "", .own = {options, &got}};
  const char *all[] = {"test",         "-f",           "--text=a",    "--text",       "b",           "--file=x",
                       "--file=y",     "--texts=1",    "--texts=2",   "--word=hot",   "--word",      "cold",
                       "--count=2",    "--count=3",    "--bytes=1Ki", "--bytes=4",    "--seconds=1", "--seconds=.5",
                       "--percent=10", "--percent=2%", "--optional",  "--optional=o", "word",        NULL};
  assert_int_equal(xb_read_command_line(&line, sizeof all / sizeof *all - 1, all), -1);
  assert_true(got.flag && got.optional.given);
  assert_string_equal(got.text, "b");
  assert_string_equal(got.file, "y");
  assert_string_equal(got.optional.text, "o");
  assert_string_equal(got.texts.texts[0], "1");
  assert_string_equal(got.texts.texts[1], "2");
  assert_true(got.texts.count == 2 && got.word == 1 && got.count == 3 && got.bytes == 4);
  assert_true(got.seconds == 0.5 && got.percent == 0.02);
  assert_string_equal(line.words[0], "word");
  const char *none[] = {"test", NULL};
  assert_int_equal(xb_read_command_line(&line, 1, none), -1);
  assert_false(got.flag || got.text || got.file || got.optional.given || got.texts.count || *line.words);
  assert_true(got.word == 9 && got.count == 1 && !got.bytes && got.seconds == 5 && got.percent == -1);
}

static uint64_t hash_in_two(const uint32_t *words, uint64_t first, uint64_t count)
{
  xb_output_hash hash = {0};
  xb_output_hash_add(&hash, words, first);
  xb_output_hash_add(&hash, words + first, count - first);
  assert_int_equal(hash.words, count);
  return hash.sum;
}

/* The hash does not depend on how the words are cut into chunks. Each bit, each place and the length count. */
TEST(test_output_hash)
{
  enum { WORDS = 100 };
  uint32_t words[WORDS] = {0};
  for (uint32_t i = 0; i < WORDS / 2; i++) /* the rest are zeros */
    words[i] = i * i;
  const uint64_t hash = hash_in_two(words, 0, WORDS);
  for (uint64_t first = 1; first < WORDS; first++)
    assert_int_equal(hash_in_two(words, first, WORDS), hash);
  for (uint32_t bit = 0; bit < 32 * WORDS; bit++) {
    words[bit / 32] ^= 1u << bit % 32;
    assert_int_not_equal(hash_in_two(words, 0, WORDS), hash);
    words[bit / 32] ^= 1u << bit % 32;
  }
  for (uint32_t i = 1; i < WORDS / 2; i++) {
    words[i] = (i - 1) * (i - 1);
    words[i - 1] = i * i;
    assert_int_not_equal(hash_in_two(words, 0, WORDS), hash);
    words[i] = i * i;
    words[i - 1] = (i - 1) * (i - 1);
  }
  for (uint32_t count = 0; count < WORDS; count++)
    assert_int_not_equal(hash_in_two(words, 0, count), hash);
}

/* ---- Remarks ----------------------------------------------------------------------------------------------------- */

/* Half of an interval that ends at 0 may be more than the time. */
TEST(test_interval_from_0)
{
  static const xb_result_device on = {.backend = "vulkan", .type = "discrete", .timestamp_period_ns = NAN};
  xb_result r = {
      .on = &on, .launch_mode = "graph", .time = {.median_ns = 100, .ci95_ns = {0, 212}, .warm = 1, .restore_ns = NAN}};
  char remarks[XB_TABLE_TEXT];
  xb_format_remarks(&r, false, remarks);
  assert_non_null(strstr(remarks, "interval from 0"));
  assert_true(xb_half_interval(&r) == 106);
  r.time.ci95_ns.low = 1;
  xb_format_remarks(&r, false, remarks);
  assert_null(strstr(remarks, "interval from 0"));
}
