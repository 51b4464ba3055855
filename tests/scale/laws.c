/* scale_laws: the intervals of laws and speed-ups, and what member 0 makes of the members' stamps, with times that the
 * test decides. */
#include "benchmarks/registry.h"
#include "core/clock.h"
#include "judge/stats.h"
#include "patience.h"
#include "scale/scale.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COUNT = 40 };
static const volatile sig_atomic_t no_stop;

/* ---- Laws ------------------------------------------------------------------------------------------------------- */

/* Samples within 2 %, whose noise is the same in all points. */
static xb_scaled make_point(bool weak, uint32_t members, double ns)
{
  double scratch[COUNT];
  xb_scaled s = {.point = {.weak = weak, .members = members}, .count = COUNT};
  s.samples_ns = calloc(COUNT, sizeof *s.samples_ns);
  assert_non_null(s.samples_ns);
  for (int i = 0; i < COUNT; i++)
    s.samples_ns[i] = ns * (0.99 + 0.02 * (i * 7 % COUNT) / (COUNT - 1));
  s.stats = xb_statistics(s.samples_ns, COUNT, 1, scratch);
  return s;
}

/* Points were sampled one after another: equal samples of two points do not cancel. */
TEST(test_points_are_independent)
{
  for (int weak = 0; weak < 2; weak++) {
    xb_scaled points[4];
    const xb_scaled *of[4];
    for (uint32_t i = 0; i < 4; i++) {
      points[i] = make_point(weak, 1u << i, weak ? 1e6 : 1e6 / (1u << i));
      of[i] = &points[i];
    }
    const xb_estimate speedup = xb_scale_speedup(&points[0], &points[2]);
    assert_true(fabs(speedup.value - 4) < 1e-9);
    assert_true(speedup.ci95.low < 3.99 && speedup.ci95.high > 4.01 && speedup.ci95.low > 3.9);
    xb_fit fit;
    assert_true(xb_scale_fit(of, 4, &fit));
    assert_true(fit.serial.ci95.high - fit.serial.ci95.low > 1e-3);
    for (int i = 0; i < 4; i++)
      xb_scaled_free(&points[i]);
  }
}

/* The largest point does not count in the law that it is held against, nor in the law's interval. */
TEST(test_predicted_point)
{
  xb_scaled points[4];
  const xb_scaled *of[4];
  xb_fit fit;
  for (uint32_t i = 0; i < 4; i++) {
    points[i] = make_point(false, 1u << i, i == 3 ? 5e6 : 1e6 / (1u << i)); /* eight members get in each other's way */
    of[i] = &points[i];
  }
  assert_true(xb_scale_fit(of, 4, &fit) && !fit.holds);
  assert_true(fabs(fit.serial.value) < 1e-9 && fit.serial.ci95.low < 0 && fit.serial.ci95.high > 0);
  assert_true(fit.predicted_ns.ci95.low < 125e3 && fit.predicted_ns.ci95.high > 125e3);
  for (int i = 0; i < 4; i++)
    xb_scaled_free(&points[i]);
}

/* A law holds if what was measured is at most a twentieth away from what it predicts. */
TEST(test_bound_of_a_law)
{
  static const double parts[] = {0.9, 0.97, 1, 1.03, 1.1}; /* of the predicted time; 1 % of noise */
  static const bool holds[] = {false, true, true, true, false};
  for (int i = 0; i < 5; i++) {
    xb_scaled points[4];
    const xb_scaled *of[4];
    xb_fit fit;
    for (uint32_t k = 0; k < 4; k++) {
      points[k] = make_point(false, 1u << k, 1e6 / (1u << k) * (k == 3 ? parts[i] : 1));
      of[k] = &points[k];
    }
    assert_true(xb_scale_fit(of, 4, &fit));
    assert_int_equal(fit.holds, holds[i]);
    for (int k = 0; k < 4; k++)
      xb_scaled_free(&points[k]);
  }
}

/* ---- Stamps ----------------------------------------------------------------------------------------------------- */

#define LATE_NS 1e13
static _Atomic double now_ns; /* this process's clock, where a test sets it; 0: the real one */
#define WAIT_S 0.2
static int runs;

static xb_code check(xb_work *work, xb_error *err)
{
  (void)work, (void)err;
  return XB_OK;
}

static void end(xb_work *work)
{
  free(work);
}

static xb_code make_work(xb_work **work, xb_code (*run)(xb_work *, double *, xb_error *), xb_error *err)
{
  *work = calloc(1, sizeof **work);
  if (!*work)
    return xb_fail(err, XB_NOMEM, "made", "out of host memory");
  **work = (xb_work){.run = run, .check = check, .end = end};
  return XB_OK;
}

/* By the device's clock: warm-up runs take the longest and the shortest time, then the third is the shortest. */
static xb_code run_on_device(xb_work *work, double *ready_ns, xb_error *err)
{
  (void)err;
  const int sample = runs++ - XB_SCALE_WARM_UP;
  work->device_ns = sample < 0 ? (sample % 2 ? 1e9 : 1e3) : sample == 2 ? 3e6 : 4e6 + 1e5 * (sample % 3);
  work->batch = 1;
  work->host_ns = 7e6;
  *ready_ns = xb_clock_ns();
  return XB_OK;
}

static xb_code begin_on_device(xb_scale_member *m, const xb_scale_point *p, xb_work **work, xb_error *err)
{
  (void)m, (void)p;
  return make_work(work, run_on_device, err);
}

/* The second member's clock says that all it does is hours later. */
static xb_code run_late(xb_work *work, double *ready_ns, xb_error *err)
{
  (void)err;
  *ready_ns = xb_clock_ns() + (work->sum ? 0 : 1e12); /* the first member works for longer, and is ready sooner */
  return XB_OK;
}

static xb_code begin_late(xb_scale_member *m, const xb_scale_point *p, xb_work **work, xb_error *err)
{
  (void)p;
  m->team->offset_ns = m->team->rank ? -LATE_NS : 0;
  const xb_code code = make_work(work, run_late, err);
  if (!code)
    (*work)->sum = m->team->rank;
  return code;
}

/* A GPU takes longer until it has worked for 0.3 s. */
static xb_code run_after_a_rest(xb_work *work, double *ready_ns, xb_error *err)
{
  static double began_ns;
  (void)err;
  *ready_ns = now_ns;
  began_ns = began_ns ? began_ns : *ready_ns;
  work->device_ns = *ready_ns - began_ns < 0.3e9 ? 9e6 : 4e6;
  now_ns = now_ns + work->device_ns;
  work->batch = 1;
  return XB_OK;
}

static xb_code begin_after_a_rest(xb_scale_member *m, const xb_scale_point *p, xb_work **work, xb_error *err)
{
  (void)m, (void)p;
  return make_work(work, run_after_a_rest, err);
}

/* Preparing takes longer than members wait for each other. */
static xb_code begin_slowly(xb_scale_member *m, const xb_scale_point *p, xb_work **work, xb_error *err)
{
  now_ns = now_ns + 1.4 * WAIT_S * 1e9;
  return begin_after_a_rest(m, p, work, err);
}

static xb_begin_fn *begin;
static xb_device_type type = XB_DEVICE_CPU;

static void measure(xb_team *team, void *user)
{
  const xb_scaling scaling = {.max_time_s = 0.02, .min_time_s = 0, .width = 1, .begin = begin, .stop = &no_stop};
  xb_scale_member m = {.team = team, .scaling = &scaling, .info.type = type};
  xb_scaled scaled;
  xb_error error;
  const xb_code code = xb_scale_measure(&m, &(xb_scale_point){.members = team->size}, &scaled, &error);
  if (!team->rank && !code)
    *(xb_scaled *)user = scaled;
  else
    xb_scaled_free(&scaled);
}

/* Runs before the first sample are not kept. The shortest sample is the one that is shown. */
TEST(test_samples)
{
  xb_scaled scaled = {.code = XB_INTERNAL};
  xb_error error;
  runs = 0;
  begin = begin_on_device;
  assert_int_equal(xb_team_of_threads(1, patience_s(), measure, &scaled, &error), XB_OK);
  assert_int_equal(scaled.code, XB_OK);
  assert_int_equal(runs, scaled.count + XB_SCALE_WARM_UP);
  assert_true(scaled.count > 2 && fabs(scaled.stats.minimum - 3e6) < 100 && scaled.stats.maximum < 5e6);
  assert_true(fabs(scaled.shortest[0].end - 3e6) < 100 && scaled.shortest[0].begin == 0);
  assert_true(scaled.host_median_ns == 7e6 && scaled.start_ns == 0 && scaled.combine_ns == 0);
  xb_scaled_free(&scaled);
}

TEST(test_after_a_rest)
{
  xb_scaled scaled = {.code = XB_INTERNAL};
  xb_error error;
  now_ns = 1e9;
  type = XB_DEVICE_DISCRETE;
  begin = begin_after_a_rest;
  assert_int_equal(xb_team_of_threads(1, patience_s(), measure, &scaled, &error), XB_OK);
  now_ns = 0;
  type = XB_DEVICE_CPU;
  assert_int_equal(scaled.code, XB_OK);
  assert_true(scaled.warm_up_runs > XB_SCALE_WARM_UP && scaled.stats.maximum < 5e6);
  xb_scaled_free(&scaled);
}

static void rest(xb_team *team, void *user)
{
  const xb_scaling scaling = {
      .max_time_s = 0.01, .width = 0.02, .begin = begin_slowly, .stop = &no_stop, .like.n = 1 << 20};
  xb_scale_member m = {.team = team, .scaling = &scaling};
  xb_code *codes = user;
  xb_scaled scaled;
  xb_error error;
  codes[team->rank] = xb_scale_measure(&m, &(xb_scale_point){.members = 1}, &scaled, &error);
  xb_scaled_free(&scaled);
}

TEST(test_resting_member)
{
  (void)state;
  xb_code codes[2] = {XB_INTERNAL, XB_INTERNAL};
  xb_error error;
  now_ns = 1e9;
  assert_int_equal(xb_team_of_threads(2, WAIT_S, rest, codes, &error), XB_OK);
  now_ns = 0;
  assert_int_equal(codes[0], XB_OK);
  assert_int_equal(codes[1], XB_OK);
}

/* From the first begin to the last end; combining begins when the last member is ready. */
TEST(test_late_member)
{
  xb_scaled scaled = {.code = XB_INTERNAL};
  xb_error error;
  begin = begin_late;
  assert_int_equal(xb_team_of_threads(2, patience_s(), measure, &scaled, &error), XB_OK);
  assert_int_equal(scaled.code, XB_OK);
  assert_true(scaled.stats.minimum > LATE_NS / 2 && scaled.start_ns > LATE_NS / 2);
  assert_true(scaled.combine_ns < LATE_NS / 2);
  assert_true(scaled.slowest == 0 && scaled.slowest_share == 1);
  xb_scaled_free(&scaled);
}

/* ---- Clocks ----------------------------------------------------------------------------------------------------- */

#define AHEAD_NS 1e6
static int trips;

int __real_clock_gettime(clockid_t id, struct timespec *t);
int __wrap_clock_gettime(clockid_t id, struct timespec *t);
int __wrap_clock_gettime(clockid_t id, struct timespec *t)
{
  if (!now_ns)
    return __real_clock_gettime(id, t);
  *t = (struct timespec){(time_t)(now_ns / 1e9), (long)fmod(now_ns, 1e9)};
  return 0;
}

/* The way there and the way back take as long: 500 ns, more in all trips but one. */
static int64_t answer(void *state, const void *out, int64_t to, void *in, int64_t from, size_t bytes, double limit_s)
{
  (void)state, (void)out, (void)to, (void)from, (void)limit_s;
  const double way_ns = trips == 20 ? 500 : 2000;
  if (in)
    memcpy(in, &(double){now_ns - AHEAD_NS}, bytes);
  now_ns = now_ns + way_ns;
  trips += in != NULL;
  return XB_NOBODY;
}

static int64_t gather(void *state, const void *mine, void *all, size_t bytes, double limit_s)
{
  (void)state, (void)limit_s;
  memset(all, 0, bytes); /* member 0 */
  memcpy((char *)all + bytes, mine, bytes);
  return XB_NOBODY;
}

/* The other clock is compared at the middle of the shortest trip, within half of it; later, drift counts, too. */
TEST(test_clocks)
{
  char names[2][XB_CLOCK_BYTES] = {"one", "another"};
  static const xb_team_calls calls = {.gather = gather, .exchange = answer};
  xb_team team = {.rank = 1, .size = 2, .active = 2, .clocks = names, .calls = &calls};
  xb_error error;
  double error_ns = 0;
  now_ns = 1e9;
  trips = 0;
  assert_int_equal(xb_team_clocks(&team, false, &error_ns, &error), XB_OK);
  assert_true(fabs(team.offset_ns - AHEAD_NS) < 1 && fabs(error_ns - 500) < 1);
  team.offset_ns -= 300;
  trips = 0;
  assert_int_equal(xb_team_clocks(&team, true, &error_ns, &error), XB_OK);
  now_ns = 0;
  assert_true(fabs(team.offset_ns - AHEAD_NS) < 1 && fabs(error_ns - 800) < 1);
}

/* ---- Results ---------------------------------------------------------------------------------------------------- */

/* Weak points are held against the weak point of one member, strong ones against the strong one. */
TEST(test_efficiency)
{
  static xb_stamp stamps[2];
  const xb_device_info device = {.backend = "host", .max_groups = {65535, 65535, 65535}, .subgroup_size = 32};
  const xb_result_device on = {.backend = "host", .name = "made", .launch_mode = "none"};
  const xb_variant *v = xb_variant_find("reduce", "1");
  const xb_case like = {.variant = v,
                        .n = 1 << 20,
                        .rows = 1,
                        .columns = 1 << 20,
                        .block = 128,
                        .window_bytes = 1 << 27,
                        .device = &device};
  const xb_scaling scaling = {.variant = v, .like = like};
  xb_scaled points[] = {make_point(false, 1, 1e6), make_point(true, 1, 2e6), make_point(true, 2, 2e6),
                        make_point(false, 2, 1e6)};
  const double expected[] = {1, 1, 2, 1};
  uint64_t one_bytes = 0;
  xb_scale_series series = {.scaling = &scaling,
                            .on = &on,
                            .points = points,
                            .count = 4,
                            .hosts = (const char(*)[XB_HOST_BYTES])(char[2][XB_HOST_BYTES]){"a", "b"}};
  xb_arena arena = {0};
  for (size_t i = 0; i < 4; i++) {
    xb_result_benchmark benchmark;
    points[i].shortest = stamps;
    const xb_result *r = xb_scale_result(&series, i, &arena, &benchmark);
    assert_non_null(r);
    one_bytes = i ? one_bytes : r->work.bytes;
    assert_int_equal(r->work.bytes, (i == 2 ? 2 : 1) * one_bytes); /* weak: each member has all of it */
    assert_string_equal(r->rates.metrics.values[1].name, "speed-up");
    assert_true(fabs(r->rates.metrics.values[1].value - expected[i]) < 1e-9);
    assert_true(fabs(r->rates.metrics.values[2].value - 100 * expected[i] / (i < 2 ? 1 : 2)) < 1e-9);
  }
  for (int i = 0; i < 4; i++) {
    points[i].shortest = NULL;
    xb_scaled_free(&points[i]);
  }
  xb_arena_free(&arena);
  assert_true(xb_scale_bus_speed(100, 2) == 100 && xb_scale_bus_speed(100, 4) == 150); /* 2 (N - 1) / N */
}
