#include "commands/session.h"

#include "base/exit_codes.h"
#include "base/safe_text.h"
#include "base/terminal.h"
#include "compile/compile.h"
#include "core/clock.h"
#include "os/signals.h"
#include "os/supervise.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { COMPARED_ROUNDS = 20 }; /* the minimum: a bootstrap of fewer rounds is too coarse */

/* ---- Interrupts ------------------------------------------------------------------------------------------------- */

static volatile sig_atomic_t interrupted, bar_shown;
#define ERASE "\r\033[K" /* the line of the terminal */

/* A dispatch that runs cannot be stopped, and a large one takes seconds on a CPU: then the user is told. */
static void on_interrupt(int signal_number)
{
  interrupted = 1;
  if (signal_number == SIGINT)
    alarm(1);
}

static void on_alarm(int signal_number)
{
  static const char text[] = ERASE "xbench: waiting for work that the device has begun; Ctrl-C again ends at once\n";
  const size_t skipped = bar_shown ? 0 : sizeof ERASE - 1;
  (void)signal_number;
  xb_write_stream(STDERR_FILENO, text + skipped, sizeof text - 1 - skipped);
}

void xb_session_watch(xb_session *session)
{
  session->began_ns = xb_clock_ns();
  xb_handle_endings(on_interrupt, 1, NULL);
  sigaction(SIGALRM, &(struct sigaction){.sa_handler = on_alarm, .sa_flags = SA_RESTART}, NULL);
}

bool xb_session_interrupted(void)
{
  return interrupted;
}

bool xb_session_is_over(const xb_session *s)
{
  bool over = interrupted;
  for (size_t t = 0; t < s->setup.target_count; t++)
    over |= xb_device_status(s->targets[t].device) != XB_OK;
  return over;
}

/* ---- Progress, on a terminal ------------------------------------------------------------------------------------ */

/* One line, cut at the width of the terminal. */
static void show_progress(void *user, const char *what, double of_group)
{
  static const char full[] = "####################", empty[] = "....................";
  const xb_session *s = user;
  const double done = ((double)s->requests_done + of_group) / (double)s->request_count;
  const size_t columns = xb_terminal_progress_width();
  const int width = columns < 80 ? 10 : sizeof full - 1, filled = (int)(done * width);
  char left[32] = "?", text[256];
  if (!columns)
    return;
  const double seconds = (xb_clock_ns() - s->began_ns) / 1e9 * (1 - done) / done;
  if (done > 0.02)
    snprintf(left, sizeof left, seconds >= 90 ? "%.0f min" : "%.0f s", seconds >= 90 ? seconds / 60 : seconds);
  bar_shown = true;
  snprintf(text, columns < sizeof text ? columns : sizeof text, "[%.*s%.*s] %s: %3.0f %%, %s left, %s", filled, full,
           width - filled, empty, what, 100 * done, left, s->now);
  fputs(ERASE, stderr);
  xb_print_safe(stderr, text);
}

void xb_session_clear_progress(void)
{
  if (bar_shown)
    fputs(ERASE, stderr);
  bar_shown = false;
}

static void show_compiling(const char *name)
{
  const size_t columns = xb_terminal_progress_width();
  char text[256];
  if (!columns)
    return;
  bar_shown = true;
  snprintf(text, columns < sizeof text ? columns : sizeof text, "compiling %s by NVRTC (first run)", name);
  fputs(ERASE, stderr);
  xb_print_safe(stderr, text);
}

void xb_session_begin_request(xb_session *s, const xb_cell_group *cells)
{
  const xb_request *r = &cells->request;
  snprintf(s->now, sizeof s->now, "%s, n = %llu, %s: %zu cell%s", r->benchmark->name, (unsigned long long)r->n,
           xb_dtype_name(r->dtype), cells->count, cells->count == 1 ? "" : "s");
}

/* ---- The exit code ---------------------------------------------------------------------------------------------- */

void xb_session_note_exit(xb_session *s, int code)
{
  static const int by_weight[] = {XB_EXIT_WRONG, XB_EXIT_DEVICE, XB_EXIT_UNAVAILABLE, XB_EXIT_USAGE,
                                  XB_EXIT_INTERRUPTED};
  for (size_t i = 0; i < sizeof by_weight / sizeof by_weight[0]; i++) {
    if (s->exit_code == by_weight[i] || code == by_weight[i]) {
      s->exit_code = by_weight[i];
      return;
    }
  }
}

/* ---- Beginning and end ------------------------------------------------------------------------------------------ */

static bool set_flush(xb_session *s)
{
  const xb_options *o = s->options;
  for (size_t t = 0; t < s->setup.target_count && o->how.cache == XB_CACHE_COLD; t++) {
    const xb_device_info *info = s->infos[t];
    if (o->how.flush_bytes && o->how.flush_bytes < info->cache_bytes)
      return !xb_report_error(XB_EXIT_UNAVAILABLE,
                              "--flush-bytes: %" PRIu64
                              " are fewer than the last-level cache of %s has: give at least %" PRIu64
                              ", better twice as many",
                              o->how.flush_bytes, info->name, info->cache_bytes);
    if (!o->how.flush_bytes && !info->cache_bytes)
      return !xb_report_error(XB_EXIT_UNAVAILABLE,
                              "--cache cold: %s does not report the cache size of %s: give --flush-bytes, at "
                              "least twice that size",
                              info->backend, info->name);
    if (!o->how.flush_bytes && 2 * info->cache_bytes > s->setup.how.flush_bytes)
      s->setup.how.flush_bytes = 2 * info->cache_bytes;
  }
  return true;
}

/* A CPU's times are compared as a ratio in one run: they need no narrow interval. */
static double default_max_time_s(const xb_session *s)
{
  for (size_t i = 0; i < s->setup.target_count; i++)
    if (s->infos[i]->type != XB_DEVICE_CPU)
      return 0.6;
  return 0.1;
}

static void set_sampling(xb_session *s)
{
  const xb_options *o = s->options;
  s->sampling = o->sampling;
  if (s->sampling.max_time_s <= 0)
    s->sampling.max_time_s = default_max_time_s(s);
  s->sampling.together = o->how.compares;
  s->sampling.min_rounds = o->how.compares ? COMPARED_ROUNDS : XB_MIN_SAMPLES;
  s->sampling.seed = o->how.seed;
  s->sampling.stop = &interrupted;
  s->sampling.progress = o->quiet ? NULL : show_progress;
  s->sampling.progress_user = s;
  xb_first_run_begins = o->quiet ? NULL : show_compiling;
}

static bool describe_targets(xb_session *s)
{
  bool good = true;
  for (size_t t = 0; t < s->setup.target_count; t++) {
    s->infos[t] = &s->targets[t].info;
    good = xb_result_device_of(s->infos[t], &s->arena, &s->devices[t]) && good;
  }
  s->on = (xb_measured_on){s->infos, s->devices, s->setup.target_count};
  return good;
}

int xb_session_open(xb_session *s, const xb_options *options)
{
  *s = (xb_session){.options = options,
                    .setup = {.what = options->what, .how = options->how, .targets = s->targets, .stop = &interrupted}};
  const int code = xb_open_targets(&options->on, s->targets, &s->setup.target_count);
  if (code >= 0)
    return code;
  xb_setup_targets(&s->setup);
  s->requests = xb_requests_of(&s->setup, &s->request_count);
  if (!describe_targets(s) || !s->requests)
    s->exit_code = xb_report_error(XB_EXIT_DEVICE, "out of host memory");
  else if (!set_flush(s))
    s->exit_code = XB_EXIT_UNAVAILABLE;
  if (s->exit_code)
    return xb_session_close(s);
  set_sampling(s);
  return -1;
}

int xb_session_close(xb_session *s)
{
  free(s->requests);
  xb_arena_free(&s->arena);
  if (!xb_leave_targets(s->targets, s->setup.target_count, s->exit_code))
    xb_session_note_exit(s, XB_EXIT_DEVICE);
  return s->exit_code;
}
