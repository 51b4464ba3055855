/* The words of CUDA give the known answers of words.cu, whatever the order in which threads run. */
#include <dlfcn.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "launch.h"
#include "test.h"

static module words;
static xb_cpu_team *team;
static uint32_t out[1 << 16];

static const uint32_t seeds[] = {0, 1, 2026};

static void run_launch(const xb_cpu_launch *l)
{
  xb_cpu_fault f;
  if (!xb_cpu_run(l, &f))
    fail_msg("%s", f.what);
}

static void launch(const char *name, uint32_t groups, uint32_t threads, uint32_t seed)
{
  void *at = out, *params[] = {&at};
  xb_cpu_launch l = launch_of(&words, team, name, groups, threads);
  l.params = params;
  l.seed = seed;
  run_launch(&l);
}

static void run(const char *name, uint32_t groups, uint32_t threads, uint32_t seed)
{
  memset(out, 0, sizeof out);
  launch(name, groups, threads, seed);
}

TEST(test_ended)
{
  for (int s = 0; s < 3; s++) {
    run("ended", 2, 64, seeds[s]);
    for (uint32_t t = 0; t < 40; t++) {
      assert_int_equal(out[t * 3], 40);
      assert_int_equal(out[t * 3 + 1], t < 32 ? 0xffffffffu : 0xffu);
      assert_int_equal(out[t * 3 + 2], t < 32 ? 496 : 284);
    }
  }
}

TEST(test_shuffles)
{
  for (int s = 0; s < 3; s++) {
    run("shuffles", 1, 64, seeds[s]);
    for (uint32_t t = 0; t < 64; t++) {
      const uint32_t *mine = out + t * 12, first = t / 32 * 32, l = t % 32;
      const uint32_t from[] = {
          first + 3, t / 8 * 8 + 3, l >= 5 ? t - 5 : t, l + 5 < 32 ? t + 5 : t, t ^ 6, t % 16 + 3 < 16 ? t + 3 : t,
          first + 7};
      for (int i = 0; i < 7; i++)
        assert_int_equal(mine[i], from[i] * from[i]);
      uint32_t same = 0;
      for (uint32_t o = 0; o < 32; o++)
        same |= (uint32_t)((first + o) % 3 == t % 3) << o;
      assert_int_equal(mine[7], same);
      assert_int_equal(mine[8], 0xffffffffu + 1u);
      assert_int_equal((int)mine[9], (int)first + 31 - 40);
      assert_int_equal(mine[10], t % 2 ? (first + 1) * (first + 1) : (first + 2) * (first + 2));
      assert_int_equal(mine[11], t % 4 == 1 ? 8 : 0);
    }
  }
}

TEST(test_waits)
{
  for (int s = 0; s < 3; s++) {
    run("waits", 40, 64, seeds[s]);
    assert_int_equal(out[0], 40);
    assert_int_equal(out[1], 780);
    run("waits_for_active", 1, 32, seeds[s]);
    assert_int_equal(out[0], 30);
  }
}

TEST(test_atomics)
{
  run("atomics", 50, 128, 3);
  const uint32_t n = 50 * 128;
  uint32_t x = 0;
  for (uint32_t t = 0; t < n; t++)
    x ^= t;
  float sum;
  memcpy(&sum, &out[3], 4);
  uint64_t wide;
  memcpy(&wide, &out[6], 8);
  assert_int_equal(out[0], n * (n - 1) / 2);
  assert_int_equal(out[1], n - 1);
  assert_int_equal((int)out[2], -(int)(n - 1));
  assert_true(sum == n * 0.5f);
  assert_int_equal(out[4], n % 7);
  assert_int_equal(out[5], x);
  assert_true(wide == (uint64_t)n << 31);
  assert_int_equal(out[8], 2 * n);
  assert_int_equal(out[9], 0x60006800u); /* 512 and 2048: both sums stop where half has no next number of that step */
}

TEST(test_dynamic)
{
  uint32_t *table = dlsym(words.handle, "table");
  assert_non_null(table);
  for (uint32_t i = 0; i < 4; i++)
    table[i] = 1000 * i;
  memset(out, 0, sizeof out);
  void *at = out, *params[] = {&at};
  xb_cpu_launch l = launch_of(&words, team, "dynamic", 1, 64);
  l.params = params;
  l.dynamic_shared_bytes = 64 * 16;
  run_launch(&l);
  for (uint32_t t = 0; t < 64; t++)
    assert_int_equal(out[t], 3 * (63 - t) + 1000 * (t % 4));
  assert_int_equal(out[64], 1);
}

TEST(test_halves)
{
  run("halves", 256, 256, 0);
  for (int i = 0; i < 3; i++)
    assert_int_equal(out[i], 0);
  assert_int_equal(out[3], 0x1c01); /* 2^-8 + 3 * 2^-20, rounded once */
}

TEST(test_grid)
{
  memset(out, 0, sizeof out);
  void *at = out, *params[] = {&at};
  for (uint32_t groups = 1; groups <= 31; groups += 6)
    for (int s = 0; s < 3; s++) {
      xb_cpu_launch l = launch_of(&words, team, s ? "grid_of_some" : "grid", groups, 64);
      l.params = params;
      l.seed = seeds[s];
      l.shuffle_blocks = s > 0;
      run_launch(&l);
      for (uint32_t i = 0; i < groups; i++)
        assert_int_equal(out[i], groups * (groups + 1) / 2);
    }
}

TEST(test_groups)
{
  for (int s = 0; s < 3; s++) {
    run("groups", 1, 64, seeds[s]);
    for (uint32_t t = 0; t < 64; t++) {
      const uint32_t first = t / 8 * 8;
      uint32_t votes = 0;
      for (uint32_t i = 0; i < 8; i++)
        votes |= (uint32_t)((first + i) % 3 == 0) << i;
      assert_int_equal(out[t * 4], first * 8 + 28);
      assert_int_equal(out[t * 4 + 1], votes);
      assert_int_equal(out[t * 4 + 2], t % 2 ? 16 : 0);
      assert_int_equal(out[t * 4 + 3], 8u << 24 | t / 8 << 16 | 4 << 8 | t % 8 / 2);
    }
  }
}

TEST(test_textures)
{
  const float texels[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
  const xb_cpu_texture nearest = {.data = texels,
                                  .pitch = sizeof texels[0],
                                  .width = 4,
                                  .height = 2,
                                  .channels = 1,
                                  .bits = 32,
                                  .format = XB_CPU_FLOAT,
                                  .address = {XB_CPU_CLAMP, XB_CPU_CLAMP}};
  xb_cpu_texture linear = nearest;
  linear.linear = true;
  memset(out, 0, sizeof out);
  void *at = out;
  uint64_t a = (uint64_t)(uintptr_t)&nearest, b = (uint64_t)(uintptr_t)&linear;
  void *params[] = {&at, &a, &b};
  xb_cpu_launch l = launch_of(&words, team, "sampled", 1, 1);
  assert_int_equal(l.entry->param_count, 3);
  assert_int_equal(l.entry->param_bytes[1], 8);
  l.params = params;
  run_launch(&l);
  const float wanted[] = {2, 5, 3.5f, 1, 3};
  assert_memory_equal(out, wanted, sizeof wanted);
}

TEST(test_product)
{
  run("product", 1, 32, 0);
  const float *c = (const float *)out;
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 16; j++) {
      int sum = 1;
      for (int k = 0; k < 16; k++)
        sum += (i * 16 + k) % 7 * ((k * 16 + j) % 5);
      assert_true(c[i * 16 + j] == (float)sum);
    }
}

/* Of `out`. */
static void expect_words(const uint32_t *wanted, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (out[i] != wanted[i])
      fail_msg("word %zu: 0x%x, expected 0x%x", i, out[i], wanted[i]);
}

TEST(test_integers)
{
  run("integers", 1, 1, 0);
  const uint32_t wanted[] = {0x77225500u, 0x23456788u, 106, 0x48000000u, 40,
                             0xfffffffdu, 0xffffffffu, 2,   0xffffffffu, 5};
  expect_words(wanted, sizeof wanted / sizeof *wanted);
}

TEST(test_lanes)
{
  run("lanes", 1, 1, 0);
  const uint32_t wanted[] = {0x00008000u, 0x7f80027fu, 0x80007f7fu, 0x00000002u, 0xff02ff03u, 0x7f00017fu, 0x00010001u,
                             0xff00ff00u, 0x0000ffffu, 0x01000100u, 0x8001017fu, 0x7f01017fu, 0x8000ffffu, 0x7fffffffu,
                             0xff000000u, 8u,          65537u,      0x02ff0002u, 0x01ff0001u, 8u,          3u,
                             0xffffffffu, 3u,          2u,          0xffffffffu, 105u,        105u};
  expect_words(wanted, sizeof wanted / sizeof *wanted);
  int64_t extremes[2];
  memcpy(extremes, out + 100, sizeof extremes);
  assert_true(extremes[0] == INT64_C(1) << 40);
  assert_true(extremes[1] == -(INT64_C(1) << 40));
}

/* The answers were computed with 40 digits, and rounded. */
TEST(test_functions)
{
  run("functions", 1, 1, 0);
  const uint32_t wanted[] = {0x3f800000u, 0x3f800001u, 0xbf800000u, 0xbf800001u, 0x3f800002u, 0x3f800003u, 0x3f800002u,
                             0x3eaaaaabu, 0x3eaaaaaau, 0x3fb504f4u, 0x3f800000u, 0x3e8b803cu, 0xc014e993u, 0x40d34026u,
                             0xbef430feu, 0x3f1d9de2u, 0x3c99f9d6u, 0x3ffae01du, 0x3ab0ef10u, 0x40528cb9u, 0xc02111e1u,
                             0x0c81ceb3u, 0x41300000u, 0x3f000000u, 0x7f800000u, 0u,          0xbf800000u, 0u};
  expect_words(wanted, sizeof wanted / sizeof *wanted);
  double wide[6];
  memcpy(wide, out + 100, sizeof wide);
  const double answers[] = {0x1p-52,    -0x1p-54, 0.7328690779592167, 0.17900115118138996, 0.014100335983377814,
                            1 - 0x1p-53};
  for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
    if (fabs(wide[i] - answers[i]) > 4 * 0x1p-53 * fabs(answers[i]) * (i > 1 && i < 5))
      fail_msg("double %zu: %.17g, expected %.17g", i, wide[i], answers[i]);
}

TEST(test_barrier_objects)
{
  for (int s = 0; s < 3; s++) {
    memset(out, 0, sizeof out);
    for (uint32_t t = 0; t < 64; t++)
      out[t] = t * t;
    launch("barrier_objects", 1, 64, seeds[s]);
    for (uint32_t t = 0; t < 64; t++) {
      assert_int_equal(out[64 + t], (63 - t) * (63 - t));
      assert_int_equal(out[128 + t], t * t);
    }
  }
}

TEST(test_order)
{
  run("race", 1, 64, 0);
  for (uint32_t t = 0; t < 64; t++)
    assert_int_equal(out[t], t);
  memset(out, 0xff, sizeof out);
  void *at = out, *params[] = {&at};
  xb_cpu_launch l = launch_of(&words, team, "in_3d", 2, 4);
  l.groups[1] = 3;
  l.groups[2] = 2;
  l.threads[1] = 2;
  l.threads[2] = 5;
  l.params = params;
  l.seed = 9;
  run_launch(&l);
  for (uint32_t z = 0; z < 10; z++)
    for (uint32_t y = 0; y < 6; y++)
      for (uint32_t x = 0; x < 8; x++)
        assert_int_equal(out[(z * 6 + y) * 8 + x], x + 100 * y + 10000 * z);
}

static double now_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Prints what a switch and a launch cost; the answers are checked, not the times. */
TEST(test_cost)
{
  const uint32_t counts[] = {32, 256, 1024};
  for (int i = 0; i < 3; i++) {
    uint32_t rounds = 100000 / counts[i] * 10;
    void *at = out, *params[] = {&at, &rounds};
    xb_cpu_launch l = launch_of(&words, team, "barriers", 1, counts[i]);
    l.params = params;
    run_launch(&l);
    const double from = now_ns();
    run_launch(&l);
    printf("%u threads: %.1f ns a switch\n", counts[i], (now_ns() - from) / ((double)rounds * counts[i]));
    assert_int_equal(out[counts[i] - 1], rounds);
  }
  const double from = now_ns();
  for (int i = 0; i < 1000; i++)
    run("race", 1, 1, 0);
  printf("%.0f ns a launch of one thread\n", (now_ns() - from) / 1000);
}

static int begin(void)
{
  if (test_argument_count < 1) {
    printf("FAILED: the argument is MODULE\n");
    return 2;
  }
  words = module_open(test_arguments[0]);
  team = xb_cpu_team_create(3);
  return 0;
}

static int end(void)
{
  xb_cpu_team_destroy(team);
  module_close(&words);
  return 0;
}

TEST_SOURCE(.begin = begin, .end = end);
