/* What the watched run calls a race, and what not: kernels of watched.cu, and the clocks by themselves. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "launch.h"
#include "past.h"
#include "test.h"

static module watched;
static xb_cpu_team *team;

/* True if the launch has a race. */
static bool races(const char *name, uint32_t x, uint32_t y, uint32_t z)
{
  static uint32_t data[256];
  memset(data, 0, sizeof data);
  void *at = data, *params[] = {&at};
  const xb_cpu_region region = {
      .name = "data", .from = data, .bytes = sizeof data, .around = data, .around_bytes = sizeof data};
  xb_cpu_launch l = launch_of(&watched, team, name, x, 64);
  l.groups[1] = y;
  l.groups[2] = z;
  l.params = params;
  l.watch = xb_cpu_watch_create(XB_CPU_RACES);
  l.regions = &region;
  l.region_count = 1;
  assert_non_null(l.watch);
  xb_cpu_fault f;
  if (!xb_cpu_run(&l, &f))
    fail_msg("%s: %s", name, f.what);
  const bool found = xb_cpu_watch_finding(l.watch, 0);
  xb_cpu_watch_destroy(l.watch);
  return found;
}

/* Blocks are told apart in each dimension of the grid. */
TEST(test_blocks)
{
  assert_false(races("blocks_write", 1, 1, 1));
  assert_true(races("blocks_write", 2, 1, 1));
  assert_true(races("blocks_write", 1, 2, 1));
  assert_true(races("blocks_write", 1, 1, 2));
}

/* A write has to come after all readers, not only after its own thread. */
TEST(test_readers)
{
  assert_true(races("several_read", 1, 1, 1));
}

/* A store ends what another thread released there; an addition continues it. */
TEST(test_releases)
{
  assert_true(races("store_replaces", 3, 1, 1));
  assert_false(races("addition_continues", 3, 1, 1));
}

/* A release and a __syncwarp end with what was done before them, and a warp's lanes know nothing of other warps. */
TEST(test_behind)
{
  assert_true(races("written_behind", 2, 1, 1));
  assert_true(races("behind_the_warp", 1, 1, 1));
  assert_true(races("other_warp", 1, 1, 1));
}

/* Not all lanes agree, but some; what a lane reads from one that is not in the mask is not its value. */
TEST(test_warp)
{
  static uint32_t data[64];
  void *at = data, *params[] = {&at};
  xb_cpu_launch l = launch_of(&watched, team, "of_a_warp", 1, 32);
  l.params = params;
  xb_cpu_fault f;
  assert_true(xb_cpu_run(&l, &f));
  assert_true(data[0] == 0 && data[1] == 1 && data[2] == 1);
  for (int lane = 0; lane < 16; lane++)
    assert_int_equal(data[16 + lane] == 7, lane != 3);
}

/* Two pasts together know of each thread what the one that knows more does, whichever it is. */
TEST(test_joined_pasts)
{
  const moment of_a[] = {{WHO(1, 0), 5}, {WHO(1, 1), 2}, {WHO(3, 0), 1}};
  const moment of_b[] = {{WHO(1, 0), 3}, {WHO(1, 1), 4}, {WHO(2, 0), 6}};
  past *b = past_of(of_b, 3), *both = past_join(past_of(of_a, 3), b);
  assert_true(past_has(both, 1, 0, 5) && !past_has(both, 1, 0, 6));
  assert_true(past_has(both, 1, 1, 4) && !past_has(both, 1, 1, 5));
  assert_true(past_has(both, 2, 0, 6) && past_has(both, 3, 0, 1) && !past_has(both, 4, 0, 1));
  past_drop(both);
  past_drop(b);
}

static int begin(void)
{
  if (test_argument_count != 2) {
    printf("FAILED: the arguments are MODULE SOURCE\n");
    return 2;
  }
  watched = module_open(test_arguments[0]);
  team = xb_cpu_team_create(2);
  return 0;
}

static int end(void)
{
  xb_cpu_team_destroy(team);
  module_close(&watched);
  return 0;
}

TEST_SOURCE(.begin = begin, .end = end);
