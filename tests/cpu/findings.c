/* Each mistake in findings.cu ends its launch with one line that says what and where; the next launch runs. */
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "launch.h"
#include "patience.h"
#include "test.h"
#include "watch.h"

static module findings;
static const char *source; /* findings.cu */
static xb_cpu_team *team;
static volatile uint32_t out[1024];

/* The line of the source with the mark. */
static unsigned marked(const char *mark)
{
  FILE *f = fopen(source, "r");
  assert_non_null(f);
  char line[256], wanted[64];
  snprintf(wanted, sizeof wanted, "// [%s]\n", mark);
  unsigned n = 0, found = 0;
  while (fgets(line, sizeof line, f)) {
    n++;
    if (strstr(line, wanted))
      found = n;
  }
  fclose(f);
  assert_int_not_equal(found, 0);
  return found;
}

static void assert_says(const xb_cpu_fault *f, const char *text)
{
  if (!strstr(f->what, text))
    fail_msg("expected '%s' in '%s'", text, f->what);
  assert_null(strchr(f->what, '\n'));
}

static void assert_says_line(const xb_cpu_fault *f, const char *mark)
{
  char place[64];
  snprintf(place, sizeof place, "findings.cu:%u", marked(mark));
  assert_says(f, place);
}

/* A thread may be stopped at any instruction of a loop. */
static void assert_says_loop(const xb_cpu_fault *f, const char *mark)
{
  const char *place = strstr(f->what, "findings.cu:");
  unsigned line = 0;
  if (!place || sscanf(place, "findings.cu:%u", &line) != 1 || line + 1 < marked(mark) || line > marked(mark) + 2)
    fail_msg("expected a line near %u in '%s'", marked(mark), f->what);
}

static xb_cpu_fault run(const char *name, uint32_t groups, uint32_t threads, uint32_t shared, xb_cpu_fault_kind kind)
{
  for (int i = 0; i < 1024; i++)
    out[i] = 0;
  void *at = (void *)out, *params[] = {&at};
  xb_cpu_launch l = launch_of(&findings, team, name, groups, threads);
  l.params = params;
  l.dynamic_shared_bytes = shared;
  xb_cpu_fault f;
  assert_false(xb_cpu_run(&l, &f));
  if (f.kind != kind)
    fail_msg("%s: expected kind %d, got %d: %s", name, (int)kind, (int)f.kind, f.what);
  assert_says(&f, name);
  return f;
}

TEST(test_masks)
{
  xb_cpu_fault f = run("not_in_mask", 1, 32, 0, XB_CPU_BAD_MASK);
  assert_says(&f, "thread (16, 0, 0) lane 16 calls a shuffle with the mask 0x0000ffff, which does not name it");
  assert_says_line(&f, "not_in_mask");
  f = run("masks_differ", 1, 32, 0, XB_CPU_BAD_MASK);
  assert_says(&f, "lane 16 comes to __ballot_sync with the mask 0xffff0001");
  assert_says(&f, "but lane 0, which both masks name");
  assert_says_line(&f, "masks_differ");
  f = run("operations_differ", 1, 32, 0, XB_CPU_BAD_MASK);
  assert_says(&f, "lane 16 comes to a shuffle");
  assert_says(&f, "waits in __any_sync");
  assert_says_line(&f, "operations_differ");
}

TEST(test_lane_waits_elsewhere)
{
  const xb_cpu_fault f = run("waits_elsewhere", 1, 32, 0, XB_CPU_DEAD_END);
  assert_says(&f, "waits forever: lane 0 is in a shuffle with the mask 0xffffffff");
  assert_says(&f, "but lane 5 of the mask waits in a barrier");
  assert_says_line(&f, "waits_elsewhere");
}

TEST(test_barriers_apart)
{
  const xb_cpu_fault f = run("barriers_apart", 4, 64, 0, XB_CPU_APART);
  assert_says(&f, "thread (32, 0, 0) waits at the barrier");
  assert_says(&f, "and thread (0, 0, 0) at another one");
  assert_says_line(&f, "barriers_apart");
}

TEST(test_overflow)
{
  xb_cpu_fault f = run("large_local", 1, 32, 0, XB_CPU_OVERFLOW);
  assert_says(&f, "its local arrays are too large");
  f = run("overflow", 1, 32, 0, XB_CPU_OVERFLOW);
  assert_says(&f, "thread (3, 0, 0) has used up its stack of 124 KiB");
}

/* A moment after the kernel has left as many marks (findings.cu: begun). */
static void *stop_soon(void *marks)
{
  uint32_t wanted = *(uint32_t *)marks, got = 0;
  for (double s = 0; got < wanted && s < patience_s(); s += 0.02) {
    got = 0;
    for (int i = 1; i < 1024; i++)
      got += out[i];
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
  }
  xb_cpu_stop(team);
  return NULL;
}

static xb_cpu_fault run_stopped(const char *name, uint32_t groups, uint32_t marks)
{
  pthread_t stopper;
  for (int i = 0; i < 1024; i++)
    out[i] = 0;
  assert_int_equal(pthread_create(&stopper, NULL, stop_soon, &marks), 0);
  const xb_cpu_fault f = run(name, groups, 64, 0, XB_CPU_STOPPED);
  pthread_join(stopper, NULL);
  assert_says(&f, "was still running when it was stopped");
  assert_true(f.has_thread);
  return f;
}

/* Spins: in one block, and in more blocks than there are workers. */
TEST(test_spins)
{
  static const char *const kernels[] = {"spin_volatile", "spin_atomic"};
  for (int i = 0; i < 4; i++) {
    const xb_cpu_fault f = run_stopped(kernels[i % 2], i < 2 ? 1 : 64, i < 2 ? 1 : 2);
    assert_says_loop(&f, kernels[i % 2]);
    if (i < 2)
      assert_null(strstr(f.what, "begun"));
    else
      assert_says(&f,
                  "; 62 of 64 blocks had not begun: if it waits for one of these, it relies on the order of blocks");
  }
}

/* The caller's thread has no more blocks, and another one spins; or the other way round. */
TEST(test_spins_alone)
{
  for (uint32_t spinner = 0; spinner < 2; spinner++) {
    const xb_cpu_fault f = run_stopped(spinner ? "second_spins" : "first_spins", 2, 64);
    assert_int_equal(f.block[0], spinner);
  }
}

TEST(test_empty_loop)
{
  const xb_cpu_fault f = run_stopped("empty_loop", 1, 1);
  assert_says_loop(&f, "empty_loop");
}

TEST(test_accesses)
{
  const xb_cpu_fault f = run("outside", 4, 32, 0, XB_CPU_BAD_ACCESS);
  assert_says(&f, "block (2, 0, 0), thread (7, 0, 0) writes outside of all buffers");
  assert_true(f.write);
  assert_says_line(&f, "outside");
  assert_non_null(f.address);
  const xb_cpu_fault s = run("behind_shared", 1, 32, 32 * 4, XB_CPU_BAD_ACCESS);
  assert_says(&s, "a thread writes behind the 128 bytes of dynamic shared memory");
}

/* A fault in one block ends the other blocks, too, whichever OS thread runs them. */
TEST(test_fault_beside_spin)
{
  for (int i = 0; i < 10; i++) {
    xb_cpu_fault f = run("first_faults", 2, 32, 0, XB_CPU_BAD_ACCESS);
    assert_int_equal(f.block[0], 0);
    f = run("second_faults", 2, 32, 0, XB_CPU_BAD_ACCESS);
    assert_int_equal(f.block[0], 1);
  }
}

TEST(test_failures)
{
  xb_cpu_fault f = run("by_zero", 1, 32, 0, XB_CPU_BAD_ARITHMETIC);
  assert_says(&f, "divides an integer by zero");
  assert_says_line(&f, "by_zero");
  f = run("assertion", 1, 32, 0, XB_CPU_FAILED);
  assert_says(&f, "fails: assert(out[threadIdx.x] == 1)");
  assert_says_line(&f, "assertion");
  f = run("ptx", 1, 32, 0, XB_CPU_UNSUPPORTED);
  assert_says(&f, "uses inline PTX (asm)");
  assert_says_line(&f, "ptx");
}

TEST(test_grid)
{
  xb_cpu_fault f = run("grid", 65, 32, 0, XB_CPU_UNSUPPORTED);
  assert_says(&f, "with blocks of this size the limit is 64; this launch has 65");
  assert_says_line(&f, "grid");
  f = run("grid", 12, 1024, 0, XB_CPU_UNSUPPORTED);
  assert_says(&f, "the limit is 11; this launch has 12");
  f = run("grid", 3, 32, 0, XB_CPU_DEAD_END);
  assert_says(&f, "waits forever at a grid barrier");
  assert_says(&f, "1 of 3 blocks ended without it");
  assert_says_line(&f, "grid");
}

TEST(test_bad_launches)
{
  xb_cpu_fault f = run("by_zero", 1, 1025, 0, XB_CPU_BAD_LAUNCH);
  assert_says(&f, "threads of a block: 1025, expected 1 to 1024");
  f = run("by_zero", 0, 32, 0, XB_CPU_BAD_LAUNCH);
  assert_says(&f, "blocks: 0");
  f = run("by_zero", 1, 32, XB_CPU_MOST_SHARED + 1, XB_CPU_BAD_LAUNCH);
  assert_says(&f, "bytes of dynamic shared memory");
}

/* What lies behind the stacks is not theirs: the system may place a module's shared memory there. */
TEST(test_stacks_end)
{
  worker *w = xb_cpu_arena_create();
  assert_non_null(w);
  assert_true(xb_cpu_on_stack(w, (char *)w + ARENA_USED - 1));
  assert_false(xb_cpu_on_stack(w, (char *)w + ARENA_USED));
  assert_false(xb_cpu_on_stack(w, (char *)w - 1));
  xb_cpu_arena_destroy(w);
}

static int begin(void)
{
  if (test_argument_count != 2) {
    printf("FAILED: the arguments are MODULE SOURCE\n");
    return 2;
  }
  findings = module_open(test_arguments[0]);
  source = test_arguments[1];
  team = xb_cpu_team_create(2);
  return 0;
}

static int end(void)
{
  xb_cpu_team_destroy(team);
  module_close(&findings);
  return 0;
}

TEST_SOURCE(.begin = begin, .end = end);
