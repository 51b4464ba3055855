/* A kernel of the program as it is, kernels/reduce/9_single_pass.cu: right at awkward sizes, in any order of threads.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "launch.h"
#include "xb/abi.h"

#include "reduce_args.h"
#include "test.h"

enum { GROUPS = 16, BLOCK = 256, MOST = 1 << 22 };

static module reduce;
static uint32_t *in, partial[1 << 16], sum;

static double now_ms(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void run(xb_cpu_team *team, uint32_t n, uint32_t seed)
{
  struct xb_reduce_args args = {
      .n = n, .groups = GROUPS, .grid_x = GROUPS, .all_groups = GROUPS, .dealt4 = n / 4, .queue = 1};
  void *vectors = in, *words = in, *p = partial, *out = &sum;
  void *params[] = {&vectors, &words, &p, &out, &args};
  xb_cpu_launch l = launch_of(&reduce, team, "reduce_int32_256", GROUPS, BLOCK);
  l.params = params;
  l.seed = seed;
  uint32_t wanted = 0;
  for (uint32_t i = 0; i < n; i++)
    wanted += in[i];
  sum = ~wanted;
  xb_cpu_fault f;
  const double from = now_ms();
  if (!xb_cpu_run(&l, &f))
    fail_msg("%s", f.what);
  if (seed == 0 && n == MOST)
    printf("%u elements: %.1f ms\n", n, now_ms() - from);
  assert_int_equal(sum, wanted);
}

TEST(test_sizes)
{
  static const uint32_t sizes[] = {1, 2, 3, 31, 1003, 65537, 1000003, MOST};
  for (uint32_t workers = 1; workers <= 3; workers++) {
    xb_cpu_team *team = xb_cpu_team_create(workers);
    assert_non_null(team);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
      for (uint32_t seed = 0; seed < 3; seed++)
        run(team, sizes[s], seed);
    xb_cpu_team_destroy(team);
  }
}

/* The parameters are what the compiler says of the entry. */
TEST(test_parameters)
{
  const xb_cpu_entry *e = module_entry(&reduce, "reduce_int32_256");
  assert_int_equal(e->param_count, 5);
  for (int i = 0; i < 4; i++)
    assert_int_equal(e->param_bytes[i], sizeof(void *) | XB_CPU_POINTER);
  assert_int_equal(e->param_bytes[4], sizeof(struct xb_reduce_args));
}

static int begin(void)
{
  if (test_argument_count < 1) {
    printf("FAILED: the argument is MODULE\n");
    return 2;
  }
  reduce = module_open(test_arguments[0]);
  in = malloc(MOST * sizeof *in);
  for (uint32_t i = 0; in && i < MOST; i++)
    in[i] = i * 2654435761u >> 20;
  return in ? 0 : 1;
}

static int end(void)
{
  free(in);
  module_close(&reduce);
  return 0;
}

TEST_SOURCE(.begin = begin, .end = end);
