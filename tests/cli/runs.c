/* Whole runs of the program: what they write, and how they end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>
#include <unistd.h>

#include "cli.h"
#include "test.h"

static void run(const char *format, ...)
{
  char arguments[1024];
  va_list list;
  va_start(list, format);
  vsnprintf(arguments, sizeof arguments, format, list);
  va_end(list);
  process_run(xbench, arguments, NULL, NULL, &result);
}

TEST(test_no_loader)
{
  char environment[512];
  snprintf(environment, sizeof environment, "LD_LIBRARY_PATH=%s", no_loader);
  process_run(xbench, "reduce", environment, NULL, &result);
  assert_int_equal(result.exit_code, 3);
  assert_pattern("stderr", result.err, "libvulkan.so.1.*apt-get install libvulkan1");
  process_run(xbench, "list", environment, NULL, &result);
  assert_int_equal(result.exit_code, 3);
  assert_pattern("stdout", result.out, "vulkan: .*libvulkan1.*\n  reduce ");
  process_run(xbench, "list devices --backend vulkan", environment, NULL, &result);
  assert_int_equal(result.exit_code, 3);
  assert_pattern("stderr", result.err, "^xbench: vulkan: [^\n]*libvulkan1[^\n]*\n$");
}

static json_t *load(const char *name)
{
  char path[512];
  json_error_t error;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  json_t *root = json_load_file(path, 0, &error);
  if (!root)
    fail_msg("%s: %s", path, error.text);
  return root;
}

static void assert_results(const char *name, size_t count)
{
  json_t *root = load(name);
  assert_int_equal(json_array_size(json_object_get(root, "results")), count);
  json_decref(root);
}

/* The message has the needed and the available memory; the other size still runs. */
TEST(test_too_large)
{
  run(SHORT "-n 2^50,1000 --json %s/large.json reduce/1 reduce/2", folder);
  assert_int_equal(result.exit_code, 4);
  assert_pattern("stdout", result.out,
                 "all 2: FAILED: --size: 1125899906842624 elements need 4096 TiB, but the device has only .*GiB");
  assert_pattern("stderr", result.err, "^xbench: reduce/1 on vulkan: --size: [^\n]* need [^\n]* \\(and 1 more\\)\n$");
  assert_pattern("stdout", result.out, " 1000 float32 +1_interleaved_divergent +interleaved[^\n]* % ");
  assert_results("large.json", 2 + 5); /* no yardsticks for the size that is too large */
}

/* A short time limit shortens the samples, too. */
TEST(test_max_time)
{
  static const char *const limits[] = {"0.0001", "0.6"};
  json_int_t batches[2];
  for (size_t i = 0; i < 2; i++) {
    run("--min-time 0.0001 --max-time %s -n 1 --json %s/short.json reduce/1", limits[i], folder);
    assert_int_equal(result.exit_code, 0);
    json_t *root = load("short.json");
    const json_t *r = json_array_get(json_object_get(root, "results"), 0);
    batches[i] = json_integer_value(json_object_get(r, "batch"));
    assert_true(json_array_size(json_object_get(r, "samples_ns")) >= 10);
    json_decref(root);
  }
  if (batches[1] <= batches[0]) /* a sample of 10 us has few runs of some us, one of 5 ms many */
    fail_msg("batches of %d and %d", (int)batches[0], (int)batches[1]);
}

/* The floor is not measured a second time. */
TEST(test_selected_floor)
{
  run(SHORT "--json %s/floor.json launch/1", folder);
  assert_int_equal(result.exit_code, 0);
  assert_results("floor.json", 1);
  run(SHORT "-n 1000 --json %s/floor.json launch/1", folder);
  assert_results("floor.json", 2);
}

TEST(test_json_matrix)
{
  run(SHORT "-n 30x50 --json %s/m.json transpose/7", folder);
  assert_int_equal(result.exit_code, 0);
  json_t *root = load("m.json");
  json_t *results = json_object_get(root, "results");
  assert_int_equal(json_array_size(results), 4); /* the two copies and the floor */
  json_t *r = json_array_get(results, 0);
  assert_int_equal(json_integer_value(json_object_get(r, "rows")), 30);
  assert_int_equal(json_integer_value(json_object_get(r, "columns")), 50);
  assert_int_equal(json_integer_value(json_object_get(r, "size")), 1500);
  r = json_array_get(results, 1); /* a copy of the same number of elements */
  assert_int_equal(json_integer_value(json_object_get(r, "size")), 1500);
  assert_true(json_is_null(json_object_get(r, "rows")) && json_is_null(json_object_get(r, "columns")));
  json_decref(root);
}

TEST(test_json)
{
  static const char *const fields[] = {
      "benchmark",   "variant",      "backend",         "device",          "dtype",   "size",       "block",
      "rows",        "columns",      "windows",         "bytes",           "flops",   "cache",      "seed",
      "launch_mode", "queue_family", "subgroup_size",   "batch",           "error",   "samples_ns", "median_ns",
      "ci95_ns",     "host_ns",      "percent_of_peak", "percent_of_copy", "metrics", "verified",   "code_hash"};
  run(SHORT "-n 100000 --seed 42 --json %s/a.json --csv %s/a.csv reduce/3 reduce/9", folder, folder);
  assert_int_equal(result.exit_code, 0);
  json_t *root = load("a.json");
  assert_string_equal(json_string_value(json_object_get(root, "schema")), "xbench/2");
  assert_int_equal(json_array_size(json_object_get(root, "devices")), 1);
  json_t *results = json_object_get(root, "results");
  assert_int_equal(json_array_size(results), 5); /* two rungs, the two copies and the floor */
  for (size_t i = 0; i < 4; i++) {
    json_t *r = json_array_get(results, i);
    for (size_t f = 0; f < sizeof fields / sizeof fields[0]; f++)
      if (!json_object_get(r, fields[f]))
        fail_msg("result %zu lacks %s", i, fields[f]);
    assert_true(json_is_true(json_object_get(r, "verified")));
    assert_true(json_is_null(json_object_get(r, "percent_of_peak"))); /* unknown is null */
    assert_int_equal(json_integer_value(json_object_get(r, "seed")), 42);
    const double median = json_number_value(json_object_get(r, "median_ns"));
    const double bytes = json_number_value(json_object_get(r, "bytes"));
    assert_true(median > 0);
    assert_float_equal(json_number_value(json_object_get(json_array_get(json_object_get(r, "metrics"), 0), "value")),
                       bytes / median, 1e-9);
    assert_true(json_array_size(json_object_get(r, "samples_ns")) >= 10);
  }
  json_decref(root);

  char path[512], line[4096];
  int lines = 0;
  snprintf(path, sizeof path, "%s/a.csv", folder);
  FILE *csv = fopen(path, "r");
  assert_non_null(csv);
  while (fgets(line, sizeof line, csv))
    lines++;
  fclose(csv);
  assert_int_equal(lines, 6);
}

/* The old file stays until the new one is complete. No other file is left. */
TEST(test_output_replaced)
{
  char path[512], command[1024];
  snprintf(path, sizeof path, "%s/b.json", folder);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs("<old>", file);
  fclose(file);
  run(SHORT "-n 1000 --json %s reduce/1", path);
  assert_int_equal(result.exit_code, 0);
  json_decref(load("b.json"));
  snprintf(command, sizeof command, "test -z \"$(ls %s | grep part)\"", folder);
  assert_int_equal(system(command), 0);
}

TEST(test_interrupt)
{
  char arguments[1024];
  int length =
      snprintf(arguments, sizeof arguments, "--max-time 0.5 --min-time 0.1 --json %s/c.json reduce/9 -n 1000", folder);
  for (int n = 1001; n < 1064; n++) /* half a minute, which the test does not wait for */
    length += snprintf(arguments + length, sizeof arguments - (size_t)length, ",%d", n);
  process_run(xbench, arguments, NULL, " 1000 float32 ", &result);
  assert_int_equal(result.exit_code, 130);
  assert_pattern("stderr", result.err, "interrupted; finished results are shown and saved\n$");
  assert_pattern("stdout", result.out, " 1000 float32 +9_single_pass +one dispatch[^\n]* % ");
  json_t *root = load("c.json");
  assert_true(json_array_size(json_object_get(root, "results")) >= 3);
  json_decref(root);
}

/* The second size exceeds the limit: the device is abandoned, finished cells are saved, and the program exits. How
 * short the limit has to be depends on the device. */
TEST(test_wait_limit)
{
  static const char *const limits[] = {"2", "0.3", "0.1", "0.03"};
  char text[96];
  for (size_t i = 0; i < sizeof limits / sizeof limits[0] && (!i || !result.exit_code); i++) {
    run(SHORT "-n 64,4096 --wait-limit %s --json %s/d.json matmul/1", limits[i], folder);
    snprintf(text, sizeof text, "FAILED: the work did not finish within %s s", limits[i]);
  }
  assert_int_equal(result.exit_code, 4);
  assert_pattern("stdout", result.out, text);
  assert_pattern("stderr", result.err, "^xbench: matmul/1 on [^\n]*; give a smaller --size, or a longer --wait-limit");
  json_t *root = load("d.json");
  json_t *results = json_object_get(root, "results");
  assert_true(json_array_size(results) >= 3);
  assert_true(json_is_true(json_object_get(json_array_get(results, 0), "verified")));
  json_decref(root);
}

/* Links are followed. The file is complete even if stdout is full or closed; a full stdout is reported. */
TEST(test_odd_outputs)
{
  char command[1024];
  snprintf(command, sizeof command,
           "cd %s && ln -s there.json link.json && echo '<old>' >there.json && %s -q " SHORT
           "-n 9 --json link.json reduce/1 >/dev/null "
           "&& test -L link.json && ! grep -q old there.json",
           folder, xbench);
  assert_int_equal(system(command), 0);
  json_decref(load("there.json"));
  snprintf(command, sizeof command, "cd %s && %s -q " SHORT "-n 9 --json closed.json reduce/1 >&-", folder, xbench);
  assert_int_equal(system(command), 0);
  json_decref(load("closed.json"));
  snprintf(command, sizeof command,
           "cd %s && %s -q " SHORT "-n 9 --json full.json reduce/1 >/dev/full 2>full.txt; test $? -eq 2", folder,
           xbench);
  assert_int_equal(system(command), 0);
  json_decref(load("full.json"));
  snprintf(command, sizeof command, "cd %s && grep -q 'stdout: cannot be written: No space' full.txt", folder);
  assert_int_equal(system(command), 0);
  snprintf(command, sizeof command,
           "cd %s && { { %s -q -n 2^20 --max-time 3600 --min-time 3600 --json term.json reduce/9 & "
           "until grep -q 'SigCgt.*[4-7c-f]...$' /proc/$!/status || ! kill -0 $!; do sleep 0.1; done; " /* it handles
                                                                                                           SIGTERM */
           "kill $!; wait $!; } | head -1; } >/dev/null 2>&1; ! ls | grep -q part",
           folder, xbench);
  assert_int_equal(system(command), 0);
  json_decref(load("term.json"));
}

/* A UUID from the list selects the device, in full or by its first digits. */
TEST(test_uuid)
{
  run("list devices");
  const char *uuid = strstr(result.out, "uuid ");
  assert_non_null(uuid);
  char full[37], first[9];
  snprintf(full, sizeof full, "%.36s", uuid + 5);
  snprintf(first, sizeof first, "%.8s", uuid + 5);
  run(SHORT "-n 1000 --device %s reduce/1", full);
  assert_int_equal(result.exit_code, 0);
  run(SHORT "-n 1000 --device GPU-%s reduce/1", full);
  assert_int_equal(result.exit_code, 0);
  run(SHORT "-n 1000 --device %s reduce/1", first);
  assert_int_equal(result.exit_code, 0);
}

/* A counting kernel tells a number for each size; others only what their kernels need. */
TEST(test_occupancy)
{
  run("occupancy --backend vulkan --block 100 resident/plain");
  assert_int_equal(result.exit_code, 0);
  assert_pattern("stdout", result.out, "vulkan +100 .* [1-9][0-9.]* +- +1 plain\n$");
  run("occupancy --backend vulkan reduce/9 copy/1");
  assert_int_equal(result.exit_code, 2);
  assert_pattern("stderr", result.err, "occupancy: name variants of one benchmark: reduce or copy");
  run("occupancy --backend vulkan reduce/3 --csv o.csv");
  assert_int_equal(result.exit_code, 2);
  assert_pattern("stderr", result.err, "occupancy: --csv: expected --format table, csv or markdown");
  run("occupancy --backend vulkan --format csv resident/plain");
  assert_int_equal(result.exit_code, 0);
  assert_pattern("stdout", result.out, "^\"API\",\"group\",.*,\"kernel\",\"error\"\r\n\"vulkan\",[0-9]+,");
  run("occupancy --backend vulkan --format markdown resident/plain");
  assert_pattern("stdout", result.out, "^\\| API \\| group \\|.*\n\\| vulkan \\| [0-9]+ \\|");
  run("occupancy --backend vulkan copy/1");
  assert_int_equal(result.exit_code, 2);
  assert_string_equal(result.out, "");
  assert_string_equal(result.err, "xbench: occupancy: copy/1 has no kernel: name one that has\n");
  run("occupancy --backend vulkan startup");
  assert_int_equal(result.exit_code, 2);
  assert_string_equal(result.err, "xbench: occupancy: startup has no kernels: name another benchmark\n");
}

/* Numbers that one types in: two figures of documents, three curves, and what is wrong with others. */
TEST(test_occupancy_of_numbers)
{
  run("occupancy --registers 20 --shared 68 --block 192 --for sm_10");
  assert_int_equal(result.exit_code, 0);
  assert_pattern("stdout", result.out, "threads +4\n +registers +2  <- the limit\n +shared memory +32\n");
  assert_pattern("stdout", result.out, "\noccupancy 50.0 %: 2 groups, 12 of 24 waves\n");
  assert_pattern("stdout", result.out, "\ngroup +192 +2 +12 +50.0 % #{20} <- typed\n");
  run("occupancy --for sm_70 --registers 37 --block 320 --format csv");
  assert_int_equal(result.exit_code, 0);
  assert_pattern(
      "stdout", result.out,
      "^\"over\",\"value\",\"groups\",\"waves\",\"percent\"\r\n\"group\",32,.*\n\"group\",320,4,40,62.5\r\n");
  assert_pattern(
      "stdout", result.out,
      "\n\"registers\",37,4,40,62.5\r\n.*\n\"shared B\",0,4,40,62.5\r\n.*\n\"shared B\",98304,1,10,15.625\r\n$");
  run("occupancy --registers 37");
  assert_int_equal(result.exit_code, 2);
  assert_pattern("stderr", result.err, "name the GPU that these numbers are for: --for sm_90");
  run("occupancy --for sm_90 --registers 256");
  assert_string_equal(result.err, "xbench: occupancy: --registers: sm_90 gives a thread at most 255, not 256\n");
  run("occupancy --for sm_90 reduce");
  assert_string_equal(result.err, "xbench: occupancy: 'reduce': name kernels, or give numbers: not both\n");
  run("list capabilities");
  assert_int_equal(result.exit_code, 0);
  assert_pattern("stdout", result.out, "\n +9.0 Hopper +2048 +32 +65536 +228 .* 128 +256 a wave ");
}

/* `xbench glossary` knows the words that tables print, also inside of a remark or a name. */
TEST(test_glossary_of_tables)
{
  static const char *const words[] = {
      "settled",       "placed once", "outliers",  "autocorrelated", "overhead",   "variant",     "n",
      "dtype",         "group",       "other GPU", "time",           "+-95 %",     "GB/s",        "G/s",
      "GFLOP/s",       "Gop/s",       "ns",        "of copy",        "of peak",    "step",        "cumulative",
      "host time",     "samples",     "ratio",     "of base",        "model",      "this / base", "base's time",
      "95 % interval", "verdict",     "same bits", "less overhead",  "regression", "improvement", "unclear",
      "unchanged",     "missing",     "new",       "failing",        "fixed",      "certainly",   "cell",
      "kernel",        "API",         "registers", "scalar",         "spilled",    "local B",     "shared B",
      "spill B",       "code B",      "instr.",    "waves/SIMD",     "groups/SM",  "wave",        "by threads",
      "by registers",  "by shared",   "computed",  "told",           "counted",    "occupancy",   "shared",
      "spills",        "code",        "faster",    "eff.%",          "start us",   "comb.us",     "slowest"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    run("glossary %s", words[i]);
    if (result.exit_code)
      fail_msg("glossary does not know '%s'", words[i]);
  }
}

TEST(test_peaks)
{
  run("peaks reduce");
  assert_int_equal(result.exit_code, 2);
  assert_pattern("stderr", result.err, "peaks: 'reduce': it takes no names");
  run("peaks --backend vulkan --quiet -n 64 " SHORT);
  assert_int_equal(result.exit_code, 0);
  assert_pattern(
      "stdout", result.out,
      "^\nvulkan [^\n]+\n\npeak +vulkan\nmemory, by a copy kernel +[0-9.]+ GB/s \\+-[0-9.]+ %\n([^\n]+\n){4,5}\n"
      "[0-9]+ cells, ");
  run("peaks --long --backend vulkan --quiet -n 64 " SHORT);
  assert_pattern("stdout", result.out,
                 "latency: .*instructions: .*\npeak +vulkan\nmemory, by a copy kernel +[0-9.]+ GB/s");
}

/* What each command prints, on a full disk, and into a pipe whose reader is gone. */
TEST(test_lost_output)
{
  static const char *const commands[] = {"--help",
                                         "--usage",
                                         "--version",
                                         "help tune",
                                         "tune --help",
                                         "list",
                                         "list devices",
                                         "list benchmarks",
                                         "list sources",
                                         "list reduce",
                                         "help measuring",
                                         "guide",
                                         "guide --list",
                                         "guide __shfl_sync",
                                         "guide --backend vulkan wave",
                                         "show reduce/7",
                                         "show reduce/7 --html /dev/stdout",
                                         "doctor",
                                         "occupancy --backend vulkan reduce/9",
                                         "scale --assess 0.5 4",
                                         "scale " SHORT "--backend vulkan -n 1000 copy/2",
                                         SHORT "-n 1000 reduce/1",
                                         SHORT "-n 1000 --format csv reduce/1",
                                         SHORT "-n 1000 --format markdown reduce/1",
                                         SHORT "-n 1000 --format gbench reduce/1",
                                         "compare " SHORT "-n 1000 reduce/1 --against reduce/1",
                                         "tune " SHORT "--backend vulkan -n 1000 --runs 3 --max-candidates 1 reduce/7",
                                         "diff lost.json lost.json",
                                         "diff --markdown lost.json lost.json",
                                         "diff --json /dev/stdout lost.json lost.json",
                                         "report lost.json -o /dev/stdout"};
  int closed[2];
  FILE *full = fopen("/dev/full", "w");
  assert_non_null(full);
  assert_false(pipe(closed));
  close(closed[0]);
  assert_false(chdir(folder));
  run(SHORT "-n 1000 --json lost.json reduce/1");
  for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
    const char *arguments = commands[i];
    process_run(xbench, arguments, NULL, NULL, &result);
    const int code = result.exit_code;
    if (!*result.out)
      fail_msg("xbench %s printed nothing: %s", arguments, result.err);
    process_run_into(xbench, arguments, closed[1], &result);
    if (result.exit_code != code || (!code && *result.err))
      fail_msg("xbench %s without a reader: exit code %d, expected %d: %s", arguments, result.exit_code, code,
               result.err);
    process_run_into(xbench, arguments, fileno(full), &result);
    const char *said = strstr(result.err, "cannot be written: ");
    if (result.exit_code != (code ? code : 2) || !said || strncmp(result.err, "xbench: ", 8) != 0 ||
        strcmp(strchr(said, '\n'), "\n") != 0)
      fail_msg("xbench %s on a full disk: exit code %d: %s", arguments, result.exit_code, result.err);
  }
  fclose(full);
  close(closed[1]);
}

TEST_SOURCE(.begin = cli_begin, .end = cli_end);
