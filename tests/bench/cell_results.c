/* bench_cell_results: what results make of cells: parts of the best copy and of the peak, floors, metrics, models. And
 * which cells are a device's peaks. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "benchmarks/registry.h"
#include "judge/judge.h"
#include "measure/cell_groups.h"
#include "result/result.h"
#include "test.h"

enum { BYTES = 1 << 20, CELLS = 4, GPUS = 2 };

static xb_model predict(const xb_case *c)
{
  return (xb_model){.name = "made", .unit = "once", .value = c->at[0], .relative = 1 + c->at[0]};
}

static bool check(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES])
{
  (void)c, (void)chunk, (void)why;
  return true;
}

static const xb_methods methods = {.check = check, .predict = predict};
static const xb_axis axis = {.name = "axis", .base = 0};
static const xb_benchmark benchmark = {.name = "made",
                                       .dtypes = "float32",
                                       .methods = &methods,
                                       .axes = &axis,
                                       .axis_count = 1,
                                       .bandwidth = true,
                                       .per_clock = true};
static const xb_variant
    plain = {.benchmark = &benchmark, .number = 1, .name = "plain", .source = KERNEL},
    copy = {.benchmark = &benchmark, .number = 2, .name = "copy", .source = KERNEL, .ceiling = true},
    launch = {.benchmark = &benchmark, .number = 3, .name = "launch", .source = KERNEL, .floor = true};

static const xb_variant library = {.benchmark = &benchmark, .number = 4, .name = "library", .source = LIBRARY},
                        overlapping = {
                            .benchmark = &benchmark, .number = 5, .name = "overlap", .source = KERNEL, .overlap = true};

static xb_device_info infos[GPUS];
static xb_workload workloads[GPUS];
static xb_cell cells[CELLS];
static xb_step steps[3] = {{.kind = XB_STEP_DISPATCH}, {.kind = XB_STEP_BARRIER}, {.kind = XB_STEP_DISPATCH}};
static size_t count;
static xb_arena arena;

static int set_up(void **state)
{
  (void)state;
  count = 0;
  for (int gpu = 0; gpu < GPUS; gpu++) {
    infos[gpu] = (xb_device_info){.backend = "made", .name = "GPU", .index = (uint32_t)gpu};
    workloads[gpu] = (xb_workload){.device = (xb_device *)&infos[gpu]}; /* only compared */
  }
  return 0;
}

static int tear_down(void **state)
{
  (void)state;
  xb_arena_free(&arena);
  return 0;
}

static xb_cell *add(const xb_variant *v, int gpu, double ns)
{
  xb_cell *cell = &cells[count++];
  *cell = (xb_cell){.c = {.variant = v, .device = &infos[gpu], .n = BYTES / 4, .block = 64},
                    .workload = &workloads[gpu],
                    .plan = {.windows = 1, .bytes = BYTES, .steps = steps, .step_count = 1},
                    .verdict.outcome = XB_CELL_OK,
                    .buffers.placements = 1,
                    .samples.batch = 1,
                    .samples.device = {.median = ns},
                    .samples.host = {.median = 2 * ns}};
  return cell;
}

static const xb_result *results(void)
{
  static xb_result_device devices[GPUS];
  static const xb_device_info *const all[GPUS] = {&infos[0], &infos[1]};
  const xb_measured_on on = {all, devices, GPUS};
  for (int gpu = 0; gpu < GPUS; gpu++)
    assert_true(xb_result_device_of(&infos[gpu], &arena, &devices[gpu]));
  const xb_result *made = xb_results_of_cells(cells, count, &on, &arena);
  assert_non_null(made);
  return made;
}

static void assert_near(double got, double expected)
{
  if (!(fabs(got - expected) <= 1e-9 * fabs(expected)))
    fail_msg("got %.12g, expected %.12g", got, expected);
}

/* ---- Copies and floors ------------------------------------------------------------------------------------------ */

/* The best copy on this device counts, whichever comes last; none, if one of them has no time. */
TEST_WITH(test_best_copy, set_up, tear_down)
{
  add(&copy, 0, 1000);
  add(&copy, 0, 2000);
  add(&plain, 0, 4000);
  add(&copy, 1, 500);
  assert_near(results()[2].rates.percent_of_copy, 25);
  cells[0].samples.device.median = 8000;
  assert_near(results()[2].rates.percent_of_copy, 50);
  cells[0].verdict.outcome = XB_CELL_FAILED;
  assert_true(isnan(results()[2].rates.percent_of_copy));
  assert_near(results()[3].rates.percent_of_copy, 100);
}

/* A dispatch for each barrier, and one that waits for the run before. The floor is that of the device. */
TEST_WITH(test_floors, set_up, tear_down)
{
  xb_cell *cell = add(&plain, 0, 9000);
  add(&launch, 0, 500)->is_control = true;
  add(&launch, 1, 700)->is_control = true;
  assert_near(results()[0].time.floor_ns, 500);
  cell->plan.step_count = 3;
  assert_near(results()[0].time.floor_ns, 1000);
  cell->loop = XB_LOOP_KERNEL;
  cell->c.repeats = 10;
  assert_near(results()[0].time.floor_ns, 100);
  cell->cache = XB_CACHE_COLD; /* one dispatch between two timestamps */
  assert_near(results()[0].time.floor_ns, 500);
  assert_true(isnan(results()[1].time.floor_ns)); /* its own */
}

/* A library's dispatches are not known; runs that overlap wait for none. The control counts, wherever it is. */
TEST_WITH(test_which_floors, set_up, tear_down)
{
  xb_cell *cell = add(&library, 0, 9000);
  add(&launch, 0, 700);
  add(&launch, 0, 500)->is_control = true;
  assert_true(isnan(results()[0].time.floor_ns));
  cell->c.variant = &overlapping;
  assert_true(isnan(results()[0].time.floor_ns));
  cell->c.variant = &plain;
  assert_near(results()[0].time.floor_ns, 500);
}

/* ---- Times and metrics ------------------------------------------------------------------------------------------ */

/* A host's time with copies or a flush in it is not told. */
TEST_WITH(test_host_time, set_up, tear_down)
{
  xb_cell *cell = add(&plain, 0, 1000);
  assert_near(results()[0].time.host_ns, 2000);
  cell->samples.restore_ns = 1;
  assert_true(isnan(results()[0].time.host_ns) && results()[0].time.restore_ns == 1);
  cell->samples.restore_ns = 0;
  cell->cache = XB_CACHE_COLD;
  assert_true(isnan(results()[0].time.host_ns) && isnan(results()[0].time.restore_ns));
}

/* Only a stream issues its runs one by one. */
/* Few samples that differ widely: no time is below 0. */
TEST_WITH(test_interval, set_up, tear_down)
{
  xb_cell *wide = add(&plain, 0, 1e3), *narrow = add(&copy, 0, 1e3);
  wide->samples.device.ci95_low = -500;
  wide->samples.device.ci95_high = narrow->samples.device.ci95_high = 1200;
  narrow->samples.device.ci95_low = 900;
  const xb_result *r = results();
  assert_true(r[0].time.ci95_ns.low == 0 && r[0].time.ci95_ns.high == 1200);
  assert_true(r[1].time.ci95_ns.low == 900 && r[1].time.ci95_ns.high == 1200);
}

TEST_WITH(test_issue_time, set_up, tear_down)
{
  xb_cell *cell = add(&plain, 0, 1000);
  cell->samples.issue.median = 300;
  infos[0].launch_mode = XB_LAUNCH_STREAM;
  assert_near(results()[0].time.issue_ns, 300);
  infos[0].launch_mode = XB_LAUNCH_GRAPH;
  assert_true(isnan(results()[0].time.issue_ns));
}

/* What has no time is not verified, whatever was right before. */
TEST_WITH(test_verified, set_up, tear_down)
{
  xb_cell *cell = add(&plain, 0, 1000);
  cell->verdict.verified = true;
  assert_int_equal(results()[0].check.verified, 1);
  cell->verdict.outcome = XB_CELL_INTERRUPTED;
  assert_int_equal(results()[0].check.verified, 0);
}

static size_t count_operations(const xb_case *c, const xb_plan *p, double ns, xb_metric metrics[XB_MAX_METRICS])
{
  (void)c, (void)p;
  metrics[0] = (xb_metric){"speed", "GFLOP/s", 1e6 / ns, 1};
  return 1;
}

/* The peak is told by the other API, of the same GPU. */
TEST_WITH(test_peak_of_the_other_api, set_up, tear_down)
{
  static const xb_methods counting = {.metrics = count_operations};
  static const xb_benchmark product = {
      .name = "product", .dtypes = "float32", .methods = &counting, .multiply_adds = true};
  static const xb_variant multiply = {.benchmark = &product, .number = 1, .name = "multiply", .source = KERNEL};
  add(&multiply, 0, 1000);
  add(&multiply, 1, 1000);
  for (int gpu = 0; gpu < GPUS; gpu++) {
    infos[gpu].has_uuid = true;
    infos[gpu].uuid[0] = 7;
  }
  infos[1].compute_capability = 90;
  infos[1].multiprocessors = 10;
  infos[1].clock_khz = 1000000;
  const double peak = xb_peak_gflops(90, 10, 1000000);
  assert_near(results()[0].rates.percent_of_peak, 100 * 1000 / peak);
  infos[1].uuid[0] = 8;
  assert_true(isnan(results()[0].rates.percent_of_peak));
  assert_near(results()[1].rates.percent_of_peak, 100 * 1000 / peak);
}

/* With the clock in the middle of the samples. */
TEST_WITH(test_per_clock, set_up, tear_down)
{
  xb_cell *cell = add(&plain, 0, 1024);
  infos[0].multiprocessors = 8;
  cell->samples.lowest.clock_mhz = 900;
  cell->samples.highest.clock_mhz = 1100;
  const xb_result *r = results();
  assert_int_equal(r->rates.metrics.count, 2);
  assert_near(r->rates.metrics.values[0].value, 1024); /* bytes in a nanosecond */
  assert_near(r->rates.metrics.values[1].value, 128);  /* by 1 GHz and 8 multiprocessors */
}

/* The first metric, over that where the axis is at its base. */
TEST_WITH(test_model, set_up, tear_down)
{
  add(&plain, 0, 1000);
  add(&plain, 0, 4000)->c.at[0] = 3;
  const xb_result *r = results();
  assert_near(r[0].rates.model.measured, 1);
  assert_near(r[1].rates.model.measured, 0.25);
}

/* A row for each device that is read from, a column for each that is written to. */
TEST_WITH(test_matrix, set_up, tear_down)
{
  static xb_matrix m;
  xb_metric speed = {"bandwidth", "GB/s", 1, 1};
  xb_at at[2] = {{"from", 0}, {"to", 0}};
  xb_result r = {.benchmark = "links", .variant = "1_copy", .dtype = "int32", .outcome = XB_CELL_OK};
  r.at.values = at;
  r.at.count = 2;
  r.rates.metrics.values = &speed;
  r.rates.metrics.count = 1;
  xb_matrix_begin(&m, &r);
  at[1].value = 5;
  speed.value = 2;
  xb_matrix_add(&m, &r);
  assert_true(m.rows == 1 && m.columns == 2 && m.to[1] == 5);
  assert_true(m.values[0][0] == 1 && m.values[0][1] == 2 && isnan(m.values[1][0]));
}

/* ---- Peaks ------------------------------------------------------------------------------------------------------ */

/* The kernels that the peaks mean: a number may be given to another one. */
TEST_WITH(test_peaks, set_up, tear_down)
{
  static const char *const names[] = {
      "float4", "to_device",  "to_host",  "accesses", "shared", "device", "barriers", "submit", "fma_two_registers",
      "fma",    "fma_double", "fma_half", "mad",      "dot",    "rsqrt",  "ceiling"};
  size_t i = 0;
  for (const xb_peak *peak = xb_peaks; peak->title; peak++, i++) {
    assert_true(i < sizeof names / sizeof *names);
    const xb_variant *v = xb_variant_find(peak->benchmark, names[i]);
    if (!v || v->number != peak->variant)
      fail_msg("%s: %s/%s is %u, and not %u", peak->title, peak->benchmark, names[i], v ? v->number : 0,
               (unsigned)peak->variant);
    xb_result r = {.benchmark = peak->benchmark, .variant_number = peak->variant, .outcome = XB_CELL_OK};
    assert_int_equal(xb_is_peak(peak, &r), !peak->at);
    r.yardstick = true;
    assert_false(xb_is_peak(peak, &r));
  }
  assert_int_equal(i, sizeof names / sizeof *names);
}

TEST(test_metric_by_name_or_unit)
{
  static const xb_metric metrics[] = {{.name = "a", .unit = "GB/s"}, {.name = "b", .unit = "us"}};
  xb_result r = {0};
  r.rates.metrics.values = metrics;
  r.rates.metrics.count = 2;
  assert_ptr_equal(xb_result_metric(&r, NULL, "us"), &metrics[1]);
  assert_ptr_equal(xb_result_metric(&r, "b", NULL), &metrics[1]);
  assert_null(xb_result_metric(&r, "a", "us"));
}
