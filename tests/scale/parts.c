/* Teams, the schedules of an all-reduce, the laws of scaling, and the collection and the printing of 256 members whose
 * work is simulated. */
#include "benchmarks/allreduce/schedule.h"
#include "benchmarks/reduce/reduce_args.h"
#include "benchmarks/registry.h"
#include "core/clock.h"
#include "judge/stats.h"
#include "patience.h"
#include "scale/scale.h"
#include "test.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- Schedules --------------------------------------------------------------------------------------------------- */

enum { MOST = 17, LENGTH = 64 * 40 };

/* In a round nobody reads what somebody writes, and at the end all have the sum. */
static void run_schedule(bool tree, uint32_t members, uint64_t n)
{
  static long vectors[MOST][LENGTH], before[MOST][LENGTH];
  xb_pull pull;
  for (uint32_t m = 0; m < members; m++)
    for (uint64_t i = 0; i < n; i++)
      vectors[m][i] = (long)(1000 * (m + 1) + i);
  for (uint32_t round = 0; round < xb_allreduce_rounds(tree, members); round++) {
    memcpy(before, vectors, sizeof vectors);
    for (uint32_t m = 0; m < members; m++)
      for (uint64_t i = 0; xb_allreduce_pull(tree, members, m, round, n, &pull) && i < pull.count; i++) {
        assert_in_range(pull.first + i, 0, n - 1);
        assert_true(pull.from < members && pull.from != m);
        long *own = &vectors[m][pull.first + i];
        *own = before[pull.from][pull.first + i] + (pull.add ? *own : 0);
      }
    for (uint32_t m = 0; m < members; m++)
      for (uint64_t i = 0; xb_allreduce_pull(tree, members, m, round, n, &pull) && i < pull.count; i++)
        assert_int_equal(vectors[pull.from][pull.first + i], before[pull.from][pull.first + i]);
  }
  const long factor = members * (members + 1) / 2;
  for (uint32_t m = 0; m < members; m++)
    for (uint64_t i = 0; i < n; i++)
      assert_int_equal(vectors[m][i], 1000 * factor + (long)members * (long)i);
}

TEST(test_schedules)
{
  static const uint64_t lengths[] = {64, 128, 64 * 7, LENGTH};
  for (int tree = 0; tree < 2; tree++)
    for (uint32_t members = 1; members <= MOST; members++)
      for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        run_schedule(tree, members, lengths[i]);
}

/* ---- Teams ------------------------------------------------------------------------------------------------------- */

static void sleep_ms(long ms)
{
  nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

static void talk(xb_team *team, void *user)
{
  uint32_t *good = user, all[300], got = 0;
  xb_error error;
  bool right = true;
  for (uint32_t turn = 0; turn < 5; turn++) {
    const uint32_t mine = 10 * team->rank + turn, count = turn % 2 ? team->size / 2 + 1 : team->size;
    right &= !xb_team_narrow(team, count, &error);
    if (team->rank >= count)
      continue;
    right &= !xb_team_gather(team, &mine, all, sizeof mine, &error);
    for (uint32_t m = 0; m < count; m++)
      right &= all[m] == 10 * m + turn;
    const uint32_t from = (team->rank + count - 1) % count;
    right &= !xb_team_exchange(team, &mine, (team->rank + 1) % count, &got, from, sizeof got, &error);
    right &= got == 10 * from + turn;
    xb_team_agree(team, team->rank == 2 ? xb_fail(&error, XB_NOMEM, "here", "no room") : XB_OK, &error);
    right &= count < 3 ||
             (error.code == XB_NOMEM && strstr(error.message, "member 2 on") && strstr(error.message, "no room"));
  }
  good[team->rank] = right;
}

TEST(test_teams)
{
  static const uint32_t sizes[] = {1, 2, 3, 8, 256};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    uint32_t good[256] = {0};
    xb_error error;
    assert_int_equal(xb_team_of_threads(sizes[i], patience_s(), talk, good, &error), XB_OK);
    for (uint32_t m = 0; m < sizes[i]; m++)
      assert_true(good[m]);
  }
}

static void share_memory(xb_team *team, void *user)
{
  uint32_t *good = user;
  char here = 1, all[8];
  void *memory = NULL;
  xb_error error;
  bool right = !xb_team_memory(team, 1 << 16, &memory, &error);
  if (right)
    ((uint32_t *)memory)[team->rank] = team->rank + 1;
  right &= !xb_team_gather(team, &here, all, 1, &error);
  for (uint32_t m = 0; right && m < team->size; m++)
    right &= ((uint32_t *)memory)[m] == m + 1;
  xb_team_gather(team, &here, all, 1, &error);
  if (!team->rank) /* the others keep theirs */
    xb_team_memory_free(memory, 1 << 16);
  xb_team_gather(team, &here, all, 1, &error);
  right &= !team->rank || ((volatile uint32_t *)memory)[0] == 1;
  if (team->rank)
    xb_team_memory_free(memory, 1 << 16);
  good[team->rank] = right;
}

TEST(test_memory)
{
  uint32_t good[4] = {0};
  xb_error error;
  assert_int_equal(xb_team_of_threads(4, patience_s(), share_memory, good, &error), XB_OK);
  for (uint32_t m = 0; m < 4; m++)
    assert_true(good[m]);
}

/* Those that returned. One that is late is so until all others have: otherwise a busy machine decides who is late. */
static atomic_uint returned;

static void be_late(uint32_t others)
{
  while (returned < others)
    sleep_ms(1);
  returned = 0;
}

/* Member 1 is the first that member 0 waits for, and the others have no reason to give up before it. */
static void one_is_late(xb_team *team, void *user)
{
  char(*messages)[512] = user, here = 1, all[4];
  xb_error error = {.message = ""};
  if (team->rank)
    team->limit_s = patience_s();
  if (team->rank == 1) {
    be_late(3);
    return;
  }
  if (xb_team_gather(team, &here, all, 1, &error))
    memcpy(messages[team->rank], error.message, sizeof messages[0]);
  returned++;
}

/* The others do not wait for it longer than the limit, and say who it is. */
TEST(test_late_member)
{
  char messages[4][512] = {""};
  xb_error error;
  assert_int_equal(xb_team_of_threads(4, 0.2, one_is_late, messages, &error), XB_OK);
  assert_non_null(strstr(messages[0], "member 1 on "));
  assert_non_null(strstr(messages[0], "has not answered for 0.2 s"));
}

static void one_is_held(xb_team *team, void *user)
{
  xb_error *errors = user;
  if (!team->rank) {
    be_late(2); /* inside a library, which waits for the one that failed */
    return;
  }
  xb_team_agree(team, team->rank == 1 ? xb_fail(&errors[1], XB_INTERNAL, "join", "no link") : XB_OK,
                &errors[team->rank]);
  returned++;
}

/* A member that fails while another one is held by a library tells why it failed. */
TEST(test_held_member)
{
  xb_error errors[3] = {0}, error;
  assert_int_equal(xb_team_of_threads(3, 0.2, one_is_held, errors, &error), XB_OK);
  assert_int_equal(errors[1].code, XB_LOST);
  assert_non_null(strstr(errors[1].message, "member 1 on "));
  assert_non_null(strstr(errors[1].message, "no link; then member 0 on "));
  assert_int_equal(errors[2].code, XB_LOST);
}

/* ---- Laws -------------------------------------------------------------------------------------------------------- */

TEST(test_laws)
{
  assert_true(xb_speedup_of_amdahl(0.75, INFINITY) == 4); /* the seed's example */
  assert_true(xb_speedup_of_amdahl(0.75, 1) == 1);
  assert_true(fabs(xb_speedup_of_amdahl(0.75, 4) - 16.0 / 7) < 1e-12);
  assert_true(xb_speedup_of_gustafson(0.75, 1) == 1);
  assert_true(xb_speedup_of_gustafson(0.75, 4) == 3.25);
  assert_true(xb_speedup_of_gustafson(1, 1000) == 1000);
}

/* Samples around a time, within 1 %. */
static void make_point(xb_scaled *s, bool weak, uint32_t members, double ns)
{
  enum { COUNT = 40 };
  double scratch[COUNT];
  uint64_t random = members + 7;
  *s = (xb_scaled){.point = {.weak = weak, .members = members}, .count = COUNT};
  s->samples_ns = calloc(COUNT, sizeof *s->samples_ns);
  assert_non_null(s->samples_ns);
  for (int i = 0; i < COUNT; i++)
    s->samples_ns[i] = ns * (0.995 + 0.01 * (double)(xb_random(&random) >> 11) / 0x1p53);
  s->stats = xb_statistics(s->samples_ns, COUNT, 1, scratch);
}

TEST(test_fit)
{
  for (int weak = 0; weak < 2; weak++) {
    xb_scaled points[4];
    const xb_scaled *of[4];
    xb_fit fit;
    const double serial = 0.04;
    for (uint32_t i = 0; i < 4; i++) {
      const double p = 1u << (3 - i);
      make_point(&points[i], weak, 1u << (3 - i),
                 weak ? 1e6 * p / (p - serial * (p - 1)) : 1e6 * (serial + (1 - serial) / p));
      of[3 - i] = &points[i];
    }
    assert_true(xb_scale_fit(of, 4, &fit));
    assert_int_equal(fit.points, 3);
    assert_int_equal(fit.members, 8);
    assert_true(fabs(fit.serial.value - serial) < 0.01);
    assert_true(fit.serial.ci95.low < serial && serial < fit.serial.ci95.high);
    assert_true(fabs(fit.predicted_ns.value / fit.measured_ns.value - 1) < 0.05);
    assert_true(fit.holds);
    const xb_estimate s = xb_scale_speedup(&points[3], &points[0]);
    assert_true(s.ci95.low < s.value && s.value < s.ci95.high && s.value > 5 && s.value < 8);
    xb_scaled_free(&points[0]); /* 427 us where 564 are measured */
    make_point(&points[0], weak, 8, fit.predicted_ns.value * 564 / 427);
    assert_true(xb_scale_fit(of, 4, &fit) && !fit.holds);
    assert_false(xb_scale_fit(of + 1, 3, &fit)); /* the point of one member is missing */
    for (int i = 0; i < 4; i++)
      xb_scaled_free(&points[i]);
  }
}

/* A kernel has one form for all counts of multiprocessors, and for all of them that of the kernel by itself. */
TEST(test_form)
{
  enum { ALL = 132 };
  xb_device_info all = {.multiprocessors = ALL, .threads_per_multiprocessor = 2048, .max_groups = {65535, 65535, 1}};
  const xb_case like = {.variant = xb_variant_find("reduce", "9"), .n = 1 << 22, .block = 512, .device = &all};
  const xb_scaling o = {.like = like, .over_groups = true, .most = ALL, .weak_block = 1024};
  const xb_scale_member m = {.scaling = &o, .info = all, .window_bytes = UINT32_MAX};
  for (int weak = 0; weak < 2; weak++)
    for (uint32_t members = 1; members <= ALL; members++) {
      xb_case form, c, own;
      xb_device_info few = all;
      xb_plan plan, alone;
      xb_error error;
      xb_scale_case(&m, &(xb_scale_point){.weak = weak, .members = ALL}, 0, &form);
      xb_scale_case(&m, &(xb_scale_point){.weak = weak, .members = members}, 0, &c);
      own = c;
      few.multiprocessors = members;
      c.device = &few;
      c.form = &form;
      assert_int_equal(xb_plan_make(&c, &plan, &error), XB_OK);
      assert_int_equal(xb_plan_make(&own, &alone, &error), XB_OK);
      assert_int_equal(c.block, weak ? 1024 : 512);
      const uint32_t used = members == ALL ? 128 : members;
      assert_int_equal(plan.steps[0].groups[0], used * (weak ? 2 : 1));
      const uint32_t *args = plan.steps[0].args;
      const struct xb_reduce_args *reduce = (const void *)args;
      assert_int_equal(reduce->dealt4 == reduce->n / 4, !weak); /* no queue: the kernel by itself has none */
      if (members == ALL)
        assert_memory_equal(args, alone.steps[0].args, sizeof alone.steps[0].args);
      xb_plan_free(&plan);
      xb_plan_free(&alone);
    }
}

TEST(test_sums)
{
  xb_scaled a = {.point.members = 1, .summed = true, .sum = 7}, b = {.point.members = 2, .summed = true, .sum = 7};
  xb_scale_compare_sums(&a, XB_INT32, 1000, &b);
  assert_int_equal(b.code, XB_OK);
  b.sum = 1234567890;
  xb_scale_compare_sums(&a, XB_INT32, 1000, &b);
  assert_true(xb_scaled_wrong(&b));
  assert_non_null(strstr(b.error.message, "with 2 members the sum is 1234567890, with 1 it is 7"));
}

/* Parts follow each other without a gap, and are all of it: a copy or a product has no sum that would tell. */
static void share_out(const xb_case *like, bool weak, uint32_t members, uint64_t row, uint64_t n)
{
  xb_team team = {.size = members, .active = members};
  const xb_scaling scaling = {.variant = like->variant, .like = *like};
  const xb_scale_member m = {.team = &team, .scaling = &scaling};
  uint64_t end = 0;
  for (uint32_t rank = 0; rank < members; rank++) {
    xb_case c;
    assert_true(xb_scale_case(&m, &(xb_scale_point){.weak = weak, .members = members}, rank, &c));
    assert_int_equal(c.first, end * row);
    assert_int_equal(c.n, c.variant->benchmark->matrix ? c.rows * c.columns : c.columns);
    end += c.variant->benchmark->matrix ? c.rows : c.n;
  }
  assert_int_equal(end, weak ? n * members : n);
}

TEST(test_shares)
{
  const xb_case vector = {.variant = xb_variant_find("reduce", "9"), .n = 1009, .rows = 1, .columns = 1009};
  const xb_case product = {
      .variant = xb_variant_find("matmul", "3"), .n = 35 * 70, .rows = 35, .columns = 70, .inner = 30};
  for (uint32_t members = 1; members <= 35; members++)
    for (int weak = 0; weak < 2; weak++) {
      share_out(&vector, weak, members, 1, 1009);
      share_out(&product, weak, members, 30, 35);
    }
}

/* ---- 256 members ------------------------------------------------------------------------------------------------- */

static const volatile sig_atomic_t no_stop;

#define LONG_NS 1e13 /* hours */

/* Member 200 takes the longest. */
static xb_code simulated_run(xb_work *work, double *ready_ns, xb_error *err)
{
  (void)err;
  *ready_ns = xb_clock_ns() + (work->sum == 200 ? LONG_NS : 0);
  return XB_OK;
}

static xb_code simulated_check(xb_work *work, xb_error *err)
{
  return work->sum == 300 ? xb_scale_wrong(err, "never") : XB_OK;
}

static void simulated_end(xb_work *work)
{
  free(work);
}

static xb_code simulated_begin(xb_scale_member *m, const xb_scale_point *p, xb_work **work, xb_error *err)
{
  if (p->members == 64 && m->team->rank == 63)
    return xb_fail(err, XB_UNSUPPORTED, "simulated", "not for 64 members");
  *work = calloc(1, sizeof **work);
  if (!*work)
    return xb_fail(err, XB_NOMEM, "simulated", "out of host memory");
  **work = (xb_work){.run = simulated_run, .check = simulated_check, .end = simulated_end, .sum = m->team->rank};
  return XB_OK;
}

enum { COUNTS = 4 };
static const uint32_t counts[COUNTS] = {64, 1, 256, 16};
static xb_scaled collected[COUNTS];
static char hosts[256][XB_HOST_BYTES];

static void simulate(xb_team *team, void *user)
{
  xb_scale_member m = {.team = team, .scaling = user};
  xb_error error;
  for (int i = 0; i < COUNTS; i++) {
    xb_scaled scaled;
    const xb_code code = xb_scale_measure(&m, &(xb_scale_point){.members = counts[i]}, &scaled, &error);
    if (!team->rank && !code)
      collected[i] = scaled;
    else
      xb_scaled_free(&scaled);
  }
  if (!team->rank)
    memcpy(hosts, team->hosts, sizeof hosts);
}

TEST(test_256_members)
{
  const xb_device_info device = {
      .backend = "host", .name = "simulated", .subgroup_size = 32, .max_groups = {65535, 65535, 65535}};
  const xb_result_device on = {.backend = "host", .name = "simulated", .launch_mode = "none"};
  const xb_variant *v = xb_variant_find("reduce", "1");
  const xb_scaling scaling = {.variant = v,
                              .like = {.variant = v,
                                       .n = 1 << 20,
                                       .rows = 1,
                                       .columns = 1 << 20,
                                       .block = 128,
                                       .window_bytes = 1 << 27,
                                       .device = &device},
                              .max_time_s = 0.2,
                              .min_time_s = 0.01,
                              .width = 0.02,
                              .begin = simulated_begin,
                              .stop = &no_stop};
  const xb_scale_series series = {.scaling = &scaling,
                                  .on = &on,
                                  .points = collected,
                                  .count = COUNTS,
                                  .hosts = (const char(*)[XB_HOST_BYTES])hosts};
  xb_error error;
  assert_int_equal(xb_team_of_threads(256, patience_s(), simulate, (void *)&scaling, &error), XB_OK);
  assert_int_equal(collected[0].code, XB_UNSUPPORTED);
  assert_non_null(strstr(collected[0].error.message, "member 63 on "));
  assert_int_equal(collected[1].code, XB_OK);
  assert_int_equal(collected[2].code, XB_OK);
  assert_int_equal(collected[2].slowest, 200);
  assert_true(collected[2].shortest[200].ready - collected[2].shortest[200].begin >= LONG_NS);
  xb_arena arena = {0};
  xb_result_benchmark benchmark;
  const xb_result *r = xb_scale_result(&series, 2, &arena, &benchmark);
  assert_non_null(r);
  assert_string_equal(benchmark.name, "reduce_strong");
  assert_string_equal(r->variant, "1_interleaved_divergent");
  assert_int_equal(r->at.values[0].value, 256);
  assert_int_equal(r->rates.timeline.count, 512);
  assert_int_equal(r->time.samples_ns.count, collected[2].count);
  const double last = collected[2].samples_ns[collected[2].count - 1];
  memset(collected[2].samples_ns, 0, collected[2].count * sizeof last); /* as freed memory may be */
  assert_true(r->time.samples_ns.values[r->time.samples_ns.count - 1] == last);
  xb_arena_free(&arena);
  xb_scale_print(&series);
  for (int i = 0; i < COUNTS; i++)
    xb_scaled_free(&collected[i]);
}

static void endless(xb_team *team, void *user)
{
  const xb_scaling scaling = {
      .max_time_s = 1e6, .min_time_s = 1e6, .width = 0.02, .begin = simulated_begin, .stop = &no_stop};
  xb_scale_member m = {.team = team, .scaling = &scaling};
  xb_error error;
  xb_scale_measure(&m, &(xb_scale_point){.members = 1}, user, &error);
}

/* A point ends when there is no room for another sample, long before its time is over. */
TEST(test_most_samples)
{
  xb_scaled scaled;
  xb_error error;
  assert_int_equal(xb_team_of_threads(1, patience_s(), endless, &scaled, &error), XB_OK);
  assert_int_equal(scaled.code, XB_OK);
  assert_int_equal(scaled.count, XB_MOST_SAMPLES + 1);
  assert_string_equal(scaled.stopped_by, "most samples");
  xb_scaled_free(&scaled);
}
