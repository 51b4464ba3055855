/* Tests the search, and the verdict by simulation. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <math.h>
#include <stdio.h>

#include "commands/tuning_run.h"
#include "judge/stats.h"
#include "test.h"
#include "tune/tune.h"

static xb_space two_parameters(void)
{
  xb_space s = {.count = 2};
  s.parameters[0] = (xb_tuned){.name = "A", .values = {1, 2, 4, 8, 16}, .count = 5, .standard = 0};
  s.parameters[1] = (xb_tuned){.name = "B", .values = {10, 20, 30, 40}, .count = 4, .standard = 1};
  return s;
}

/* ---- The space -------------------------------------------------------------------------------------------------- */

TEST(test_space)
{
  xb_space s = two_parameters();
  char text[64];
  xb_error error;
  assert_int_equal(xb_space_size(&s), 20);
  assert_int_equal(xb_space_standard(&s), 1);
  assert_string_equal(xb_space_text(&s, 19, text, sizeof text), "A=16 B=40");
  for (size_t c = 0; c < 20; c++)
    for (size_t p = 0; p < 2; p++)
      for (size_t place = 0; place < s.parameters[p].count; place++) {
        const size_t moved = xb_space_moved(&s, c, p, place);
        assert_int_equal(xb_space_place(&s, moved, p), place);
        assert_int_equal(xb_space_place(&s, moved, 1 - p), xb_space_place(&s, c, 1 - p));
      }
  s.conditions[s.condition_count++] = "A * B <= 160";
  s.conditions[s.condition_count++] = "B % 20 == 0";
  assert_int_equal(xb_space_check(&s, 1, &error), XB_OK);
  assert_int_equal(xb_space_check(&s, 0, &error), XB_UNSUPPORTED);
  assert_string_equal(error.message, "condition: B % 20 == 0 does not hold");
  assert_int_equal(xb_space_check(&s, 17, &error), XB_UNSUPPORTED);
  s.conditions[s.condition_count++] = "A + B";
  assert_int_equal(xb_space_check(&s, 1, &error), XB_INVALID);
}

static xb_error error_of_read;

static xb_code read(const char *text, xb_space *space)
{
  static json_t *root;
  json_decref(root);
  root = text ? json_loads(text, 0, NULL) : NULL;
  return text ? xb_space_read(root, "m.json", space, &error_of_read) : XB_OK;
}

#define SPACE(parameters) "{\"ConfigurationSpace\": {\"TuningParameters\": [" parameters "]}}"

TEST(test_read)
{
  xb_space s;
  assert_int_equal(read(SPACE("{\"Name\": \"A\", \"Values\": [1, 2], \"Default\": 2}"), &s), XB_OK);
  assert_int_equal(s.parameters[0].standard, 1);
  /* As Kernel Tuner's T1 has it. */
  assert_int_equal(
      read(SPACE("{\"Name\": \"A\", \"Type\": \"int\", \"Values\": \"[16, 32,64]\", \"Default\": \"32\"}"), &s), XB_OK);
  assert_int_equal(s.parameters[0].count, 3);
  assert_int_equal(s.parameters[0].standard, 1);
  assert_int_equal(read(SPACE("{\"Name\": \"A\", \"Values\": [1], \"Default\": 3}"), &s), XB_INVALID);
  assert_int_equal(read(SPACE("{\"Name\": \"A\", \"Values\": []}"), &s), XB_INVALID);
  assert_int_equal(read(SPACE("{\"Name\": \"A\", \"Values\": \"[1, x]\"}"), &s), XB_INVALID);
  assert_int_equal(read(SPACE("{\"Values\": [1]}"), &s), XB_INVALID);
  assert_int_equal(read("{}", &s), XB_INVALID);
  read(NULL, &s);
}

/* A mistake names the parameter, the value, and what is allowed. */
TEST(test_mistakes)
{
  static const struct {
    const char *text, *message;
  } cases[] = {
      {SPACE("{\"Name\": \"A\", \"Values\": [1, -1]}"),
       "m.json: the value -1 of A: expected a whole number from 0 to 4294967295"},
      {SPACE("{\"Name\": \"A\", \"Values\": [1099511627776]}"),
       "m.json: the value 1099511627776 of A: expected a whole number from 0 to 4294967295"},
      {SPACE("{\"Name\": \"A\", \"Values\": [1, 1.5]}"),
       "m.json: the value 1.5 of A: expected a whole number from 0 to 4294967295"},
      {SPACE("{\"Name\": \"A\", \"Values\": \"[1, -1]\"}"),
       "m.json: the value -1 of A: expected a whole number from 0 to 4294967295"},
      {SPACE("{\"Name\": \"A\", \"Values\": \"[1, x]\"}"),
       "m.json: A: expected Values, a list of 1 to 64 whole numbers"},
      {SPACE("{\"Name\": \"A\", \"Values\": [1, 2, 1]}"), "m.json: A lists the value 1 twice"},
      {SPACE("{\"Name\": \"A\", \"Values\": [0], \"Default\": \"x\"}"), "m.json: A: the Default is none of the Values"},
      {SPACE("{\"Name\": \"A\", \"Values\": [1]}, {\"Name\": \"A\", \"Values\": [1]}"),
       "m.json: two parameters have the name A"},
      {SPACE("{\"Name\": \"A B\", \"Values\": [1]}"),
       "m.json: TuningParameters[0]: expected a Name of up to 40 letters, digits and _"},
  };
  xb_space s;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_int_equal(read(cases[i].text, &s), XB_INVALID);
    assert_string_equal(error_of_read.message, cases[i].message);
  }
  assert_int_equal(read(SPACE("{\"Name\": \"A\", \"Values\": [0, 4294967295]}"), &s), XB_OK);
  read(NULL, &s);
}

/* ---- Strategies ------------------------------------------------------------------------------------------------- */

/* A bowl with its bottom at A=8 B=30; A=4 B=30 has no time. */
static xb_trial try(const xb_space *s, size_t candidate)
{
  const double a = (double)xb_space_place(s, candidate, 0) - 3, b = (double)xb_space_place(s, candidate, 1) - 2;
  xb_trial t = {.candidate = candidate, .ns = 100 + a * a + b * b};
  t.validity =
      xb_space_value(s, candidate, 0) == 4 && xb_space_value(s, candidate, 1) == 30 ? XB_BAD_RESULT : XB_CORRECT;
  return t;
}

/* Makes `most` trials more, and checks that none is made twice. */
static void search(xb_strategy strategy, uint64_t seed, size_t most, xb_trials *trials)
{
  const xb_space s = two_parameters();
  size_t asked[8], count;
  xb_search search;
  assert_true(xb_search_begin(&search, strategy, &s, seed));
  for (size_t made = 0; made < most && (count = xb_search_ask(&search, trials, 8, asked)); made += count)
    for (size_t i = 0; i < count; i++) {
      assert_null(xb_trial_of(trials, asked[i]));
      const xb_trial t = try(&s, asked[i]);
      assert_true(xb_trials_add(trials, &t));
    }
  xb_search_end(&search);
}

TEST(test_strategies)
{
  for (xb_strategy strategy = XB_SEARCH_ALL; strategy <= XB_SEARCH_ANNEALING; strategy++)
    for (uint64_t seed = 1; seed <= 20; seed++) {
      xb_trials trials = {0}, resumed = {0};
      size_t best[3];
      search(strategy, seed, SIZE_MAX, &trials);
      assert_int_equal(trials.count, 20); /* each ends when all were tried */
      assert_int_equal(xb_trials_best(&trials, 1, 3, best), 3);
      assert_int_equal(best[0], 3 * 4 + 2);
      /* A search that goes on later makes the same trials in the same order. */
      search(strategy, seed, 5, &resumed);
      search(strategy, seed, SIZE_MAX, &resumed);
      for (size_t i = 0; i < 20; i++)
        assert_true(xb_trial_of(&resumed, trials.list[i].candidate));
      free(trials.list);
      free(resumed.list);
    }
}

/* Local search goes down the bowl from the default, and needs fewer trials than there are. */
TEST(test_local)
{
  xb_trials trials = {0};
  size_t best[1];
  search(XB_SEARCH_LOCAL, 1, 12, &trials);
  assert_true(trials.count < 18);
  assert_int_equal(xb_trials_best(&trials, 1, 1, best), 1);
  assert_int_equal(best[0], 14);
  free(trials.list);
}

/* ---- The verdict ------------------------------------------------------------------------------------------------ */

enum { PLACEMENTS = 8, ROUNDS = 4, RUNS = 5, CANDIDATES = 3, SAMPLES = PLACEMENTS * ROUNDS };

static double uniform(uint64_t *random)
{
  return ((double)(xb_random(random) >> 11) + 0.5) * 0x1p-53;
}

static double normal(uint64_t *random)
{
  return sqrt(-2 * log(uniform(random))) * cos(6.283185307179586 * uniform(random));
}

/* What measuring.md tells of an H200: places that differ by up to 17 %, noise of 0.3 %, and here each process moves
 * each cell by another 0.5 %. */
static xb_result draw(uint64_t *random, double factor, double samples[SAMPLES])
{
  static const xb_result_device device = {
      .backend = "cuda", .name = "fake", .type = "discrete", .timestamp_period_ns = 0};
  const double process = 1 + 0.005 * normal(random);
  double places[PLACEMENTS];
  for (int p = 0; p < PLACEMENTS; p++)
    places[p] = 1 + 0.17 * uniform(random);
  for (int i = 0; i < SAMPLES; i++)
    samples[i] = 1000 * factor * process * places[i % PLACEMENTS] * (1 + 0.003 * normal(random));
  xb_result r = {
      .on = &device, .launch_mode = "graph", .outcome = XB_CELL_OK, .time.placements = PLACEMENTS, .time.batch = 1};
  r.time.samples_ns.values = samples;
  r.time.samples_ns.count = SAMPLES;
  r.time.median_ns = 1000;
  return r;
}

/* The number of tries, of `tries`, in which one of three candidates that take `factor` of the default's time is saved.
 */
static int saved(int tries, double factor)
{
  static double samples[2][SAMPLES];
  static xb_judge_scratch scratch;
  uint64_t random = 7;
  int count = 0;
  for (int t = 0; t < tries; t++) {
    bool faster = false;
    for (int c = 0; c < CANDIDATES; c++) {
      xb_judgement runs[RUNS];
      for (uint64_t r = 0; r < RUNS; r++) {
        const xb_rules rules = {.margin = 0.01,
                                .subject = "a",
                                .base = "b",
                                .margin_name = "m",
                                .sample_name = "r",
                                .subject_seed = r,
                                .base_seed = r,
                                .same_rounds = true};
        const xb_result base = draw(&random, 1, samples[0]), subject = draw(&random, factor, samples[1]);
        const xb_result *const floors[2] = {NULL, NULL};
        assert_true(xb_judge_pair(&subject, &base, floors, &rules, &scratch, &runs[r]));
      }
      faster |= xb_gain_of(runs, RUNS, 0.01).verdict == XB_FASTER;
    }
    count += faster;
  }
  return count;
}

TEST(test_equal_is_never_saved)
{
  assert_int_equal(saved(100, 1), 0);
  assert_int_equal(saved(20, 0.99), 0);
}

TEST(test_faster_is_saved)
{
  assert_true(saved(20, 0.75) >= 19);
}

TEST(test_gain)
{
  xb_judgement runs[5];
  for (int i = 0; i < 5; i++)
    runs[i] = (xb_judgement){.compared = true, .ratio = 0.8 + 0.001 * i, .verdict = XB_FASTER};
  xb_gain gain = xb_gain_of(runs, 5, 0.01);
  assert_int_equal(gain.verdict, XB_FASTER);
  /* The logarithms are -0.223144 -0.221894 -0.220647 -0.219401 -0.218156, to six places; Student's t of 4 is from a
   * table. */
  const double mean = -0.2206484, half = 2.776445 * 0.00197170 / sqrt(5);
  assert_true(fabs(log(gain.ratio) - mean) < 1e-6);
  assert_true(fabs(log(gain.interval.low) - (mean - half)) < 2e-6);
  assert_true(fabs(log(gain.interval.high) - (mean + half)) < 2e-6);
  runs[2].verdict = XB_UNCLEAR;
  assert_int_equal(xb_gain_of(runs, 5, 0.01).verdict, XB_UNCLEAR);
  runs[2].compared = false;
  assert_int_equal(xb_gain_of(runs, 5, 0.01).verdict, XB_UNCLEAR);
  assert_int_equal(xb_gain_of(runs, 2, 0.01).verdict, XB_UNCLEAR);
}

/* Runs that differ much: no time is negative, and of two that are each other's inverse neither is favoured. */
TEST(test_wide_gain)
{
  const double ratios[] = {0.25, 1, 4};
  xb_judgement runs[3];
  for (int i = 0; i < 3; i++)
    runs[i] = (xb_judgement){.compared = true, .ratio = ratios[i], .verdict = XB_UNCLEAR};
  const xb_gain gain = xb_gain_of(runs, 3, 0.01);
  assert_true(fabs(gain.ratio - 1) < 1e-12);
  assert_true(gain.interval.low > 0);
  assert_true(fabs(gain.interval.low * gain.interval.high - 1) < 1e-12);
}

/* ---- Presets ---------------------------------------------------------------------------------------------------- */

static json_t *saved_presets(const char *folder)
{
  char path[256];
  snprintf(path, sizeof path, "%s/xbench/presets.json", folder);
  json_t *root = json_load_file(path, 0, NULL);
  assert_non_null(root);
  assert_string_equal(json_string_value(json_object_get(root, "schema")), "xbench-presets/1");
  return root;
}

/* The best of each API, and those of other devices, fit into one table. */
TEST(test_room)
{
  assert_true(XB_TUNE_FINALISTS >= XB_MAX_BACKENDS + XB_TUNE_BATCH);
}

/* A second one for the same cell replaces the first; another size is another preset. */
TEST(test_preset)
{
  char folder[] = "/tmp/xbench-presets-XXXXXX", command[64];
  const xb_result_device device = {.uuid = "6d65", .backend = "cuda", .name = "fake", .driver = "1"};
  xb_result r = {.benchmark = "reduce",
                 .variant = "7_many_elements",
                 .backend = "cuda",
                 .dtype = "float32",
                 .work.size = 1000,
                 .code.source_hash = "fnv1a64/2:0123456789abcdef",
                 .on = &device};
  const xb_gain gain = {.ratio = 0.8, .interval = {0.79, 0.81}, .verdict = XB_FASTER, .runs = 5};
  const xb_space s = two_parameters();
  char path[XB_PRESET_PATH];
  xb_error error;
  assert_non_null(mkdtemp(folder));
  setenv("XDG_CONFIG_HOME", folder, 1);
  if (xb_preset_save(&r, &s, 3, &gain, path, &error))
    fail_msg("%s", error.message);
  assert_int_equal(xb_preset_save(&r, &s, 4, &gain, path, &error), XB_OK);
  json_t *root = saved_presets(folder);
  const json_t *list = json_object_get(root, "presets"), *values = json_object_get(json_array_get(list, 0), "values");
  assert_int_equal(json_array_size(list), 1);
  assert_int_equal(json_integer_value(json_object_get(values, "A")), 2);
  assert_int_equal(json_integer_value(json_object_get(values, "B")), 10);
  json_decref(root);
  r.work.size = 2000;
  assert_int_equal(xb_preset_save(&r, &s, 4, &gain, path, &error), XB_OK);
  root = saved_presets(folder);
  assert_int_equal(json_array_size(json_object_get(root, "presets")), 2);
  json_decref(root);
  snprintf(command, sizeof command, "echo '[]' > %s/xbench/presets.json", folder);
  assert_int_equal(system(command), 0);
  assert_int_equal(xb_preset_save(&r, &s, 4, &gain, path, &error), XB_INVALID); /* it is not overwritten */
  unsetenv("XDG_CONFIG_HOME");
  unsetenv("HOME"); /* not the root folder's */
  assert_int_equal(xb_preset_save(&r, &s, 4, &gain, path, &error), XB_INVALID);
  assert_string_equal(error.message, "presets: no folder to save them: set HOME or XDG_CONFIG_HOME");
  snprintf(command, sizeof command, "rm -r %s", folder);
  assert_int_equal(system(command), 0);
}
