/* The functions that kernels call, beside barriers and operations of warps. */
#include "watch.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Not by stdio's stdout, which is the program's: it may have a stream of its own there. */
static void write_text(const char *text)
{
  for (size_t length = strlen(text); length;) {
    const ssize_t n = write(STDOUT_FILENO, text, length);
    if (n < 0 && errno != EINTR)
      return;
    text += n > 0 ? n : 0;
    length -= n > 0 ? (size_t)n : 0;
  }
}

/* First into memory of its own: a bad argument ends the thread, and stdout must not stay locked then. */
static __attribute__((format(printf, 1, 2))) int print(const char *format, ...)
{
  worker *w = xb_cpu_enter();
  char text[4096];
  va_list list;
  va_start(list, format);
  const int length = vsnprintf(text, sizeof text, format, list);
  va_end(list);
  if (!w->launch->watch || !w->launch->watch->trial)
    write_text(text);
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
  xb_cpu_fault_at(w, XB_CPU_UNSUPPORTED, (const fiber *)w->block.now, "uses %s at %s:%u, which is not emulated", what,
                  file, line);
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
    .grid_barrier = xb_cpu_grid_barrier,
    .yield = xb_cpu_yield,
    .edge = xb_cpu_watch_edge,
    .access = xb_cpu_watch_access,
    .print = print,
    .fail = fail,
    .unsupported = unsupported,
    .clock = now_ns,
    .atomic = xb_cpu_watch_atomic,
    .undefined = xb_cpu_watch_undefined,
    .wave = xb_cpu_wave_meet,
    .touch = xb_cpu_watch_touch,
    .texel = xb_cpu_watch_texel,
    .beyond = xb_cpu_watch_beyond,
    .absent = xb_cpu_wave_absent,
};
