/* switches MODULE: how long a switch from one thread of a block to the next takes, beside swapcontext() of the C
 * library in the same run. Each thread comes to a barrier, round after round; each context changes to the next one.
 * Fails unless a switch takes less than half as long. */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>

#include "launch.h"

enum { MOST = 1024, STACK = 64 << 10, TIMES = 5 };

static double now_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); /* both run on this thread; others may run between */
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double less(double a, double b)
{
  return a < b ? a : b;
}

/* ---- The emulation ---------------------------------------------------------------------------------------------- */

static double kernel_ns(const module *m, xb_cpu_team *team, uint32_t threads, uint32_t rounds)
{
  uint32_t data[1] = {rounds}, *at = data;
  void *params[] = {&at};
  xb_cpu_launch l = launch_of(m, team, "switches", 1, threads);
  xb_cpu_fault f;
  l.params = params;
  const double from = now_ns();
  if (!xb_cpu_run(&l, &f)) {
    fprintf(stderr, "%s\n", f.what);
    exit(1);
  }
  return now_ns() - from;
}

/* ---- The C library ---------------------------------------------------------------------------------------------- */

static ucontext_t contexts[MOST], start;
static uint32_t context_count, context_rounds;

static void ring(int self)
{
  const uint32_t next = ((uint32_t)self + 1) % context_count;
  for (uint32_t i = 0; i < context_rounds; i++)
    swapcontext(&contexts[self], &contexts[next]);
  setcontext(next ? &contexts[next] : &start); /* each ends in its turn */
}

static double contexts_ns(char *stacks, uint32_t threads, uint32_t rounds)
{
  context_count = threads;
  context_rounds = rounds;
  for (uint32_t i = 0; i < threads; i++) {
    getcontext(&contexts[i]);
    contexts[i].uc_stack = (stack_t){.ss_sp = stacks + (size_t)i * STACK, .ss_size = STACK};
    makecontext(&contexts[i], (void (*)(void))ring, 1, (int)i);
  }
  const double from = now_ns();
  swapcontext(&start, &contexts[0]);
  return now_ns() - from;
}

int main(int count, char **words)
{
  const size_t bytes = (size_t)MOST * STACK;
  char *stacks = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  xb_cpu_team *team = xb_cpu_team_create(1);
  if (count != 2 || stacks == MAP_FAILED || !team) {
    fprintf(stderr, "usage: %s MODULE\n", words[0]);
    return 2;
  }
  module m = module_open(words[1]);
  bool slow = false;
  for (uint32_t threads = 32; threads <= MOST; threads *= threads < 256 ? 8 : 4) {
    const uint32_t rounds = 32768 / threads;
    double own = 1e300, others = 1e300;
    for (int i = 0; i < TIMES; i++) {
      own = less(own, (kernel_ns(&m, team, threads, 11 * rounds) - kernel_ns(&m, team, threads, rounds)) / 10);
      others = less(others, contexts_ns(stacks, threads, rounds));
    }
    own /= (double)threads * rounds;
    others /= (double)threads * rounds;
    printf("%4u threads: %.1f ns a switch, swapcontext %.1f ns, %.1f times as long\n", threads, own, others,
           others / own);
    slow |= own > others / 2;
  }
  module_close(&m);
  xb_cpu_team_destroy(team);
  munmap(stacks, bytes);
  return slow;
}
