/* The functions that kernels call, beside barriers and operations of warps. */
#include "internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

static void grid_barrier(const char *file, uint32_t line)
{
  worker *w = xb_cpu_enter();
  xb_cpu_team *team = w->team;
  if (!w->launch->all_blocks) {
    xb_cpu_fault_at(w, XB_CPU_UNSUPPORTED, (const fiber *)w->block.now,
                    "comes to a barrier of the whole grid at %s:%u: it needs a cooperative launch", file, line);
    xb_cpu_abandon(w);
  }
  xb_cpu_exit(w);
  /* The block meets, one thread of it waits for the other blocks, and the block meets again. */
  xb_cpu_barrier(XB_CPU_SYNC, 0, UINT32_MAX, file, line);
  if (w->block.now->linear == 0) {
    const uint64_t round = atomic_load(&team->grid_round);
    if (atomic_fetch_add(&team->grid_waits, 1) + 1 == team->blocks) {
      atomic_store(&team->grid_waits, 0);
      atomic_fetch_add(&team->grid_round, 1);
    }
    while (atomic_load(&team->grid_round) == round)
      xb_cpu_yield();
  }
  xb_cpu_barrier(XB_CPU_SYNC, 0, UINT32_MAX, file, line);
}

/* First into memory of its own: a bad argument ends the thread, and stdout must not stay locked then. */
int xb_cpu_print(const char *format, ...)
{
  worker *w = xb_cpu_enter();
  char text[4096];
  va_list list;
  va_start(list, format);
  const int length = vsnprintf(text, sizeof text, format, list);
  va_end(list);
  fputs(text, stdout);
  xb_cpu_exit(w);
  return length;
}

static void fail(const char *what, const char *file, uint32_t line)
{
  worker *w = xb_cpu_enter();
  xb_cpu_fault_at(w, XB_CPU_FAILED, (const fiber *)w->block.now, "fails: %s, at %s:%u", what, file, line);
  xb_cpu_abandon(w);
}

static void unsupported(const char *what, const char *file, uint32_t line)
{
  worker *w = xb_cpu_enter();
  xb_cpu_fault_at(w, XB_CPU_UNSUPPORTED, (const fiber *)w->block.now, "comes to %s at %s:%u, which is not emulated",
                  what, file, line);
  xb_cpu_abandon(w);
}

static uint64_t now_ns(void)
{
  worker *w = xb_cpu_enter();
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  xb_cpu_exit(w);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

const xb_cpu_runtime xb_cpu_runtime_table = {
    .barrier = xb_cpu_barrier,
    .warp = xb_cpu_warp,
    .grid_barrier = grid_barrier,
    .yield = xb_cpu_yield,
    .edge = xb_cpu_watch_edge,
    .access = xb_cpu_watch_access,
    .print = xb_cpu_print,
    .fail = fail,
    .unsupported = unsupported,
    .clock = now_ns,
    .atomic = xb_cpu_watch_atomic,
    .undefined = xb_cpu_watch_undefined,
};
