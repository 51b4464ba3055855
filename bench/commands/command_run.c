/* xbench [compare] BENCHMARK[/VARIANT]... The way of a run: a session (devices and options) has requests, one for each
 * benchmark, element type and size; a request becomes cells, which are measured together; their results go to each
 * sink: saved, then shown. */
#include "base/exit_codes.h"
#include "base/safe_text.h"
#include "base/terminal.h"
#include "base/value_text.h"
#include "commands/subcommands.h"
#include "compile/compile.h"
#include "core/clock.h"
#include "measure/cell_groups.h"
#include "os/signals.h"
#include "os/supervise.h"
#include "pair/family.h"
#include "tune/tune.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COMPARED_ROUNDS = 20 }; /* the minimum: a bootstrap of fewer rounds is too coarse */
_Static_assert((int)XB_MOST_COLUMNS >= (int)XB_MAX_TARGETS, "each target has a column");

/* The devices and options of a run, and what it says while it works. */
typedef struct session {
  const xb_options *options;
  xb_target targets[XB_MAX_TARGETS];
  xb_setup setup; /* for the cells of each request */
  xb_sampling sampling;
  const xb_device_info *infos[XB_MAX_TARGETS];
  xb_result_device devices[XB_MAX_TARGETS];
  xb_measured_on on; /* the two above */
  xb_arena arena;    /* for data that lasts as long as the session */
  xb_request *requests;
  size_t request_count, requests_done;
  double began_ns;
  char now[128]; /* text for the request in progress */
  int exit_code; /* the most severe one so far */
} session;

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

/* ---- Progress, on a terminal ------------------------------------------------------------------------------------ */

/* One line, cut at the width of the terminal. */
static void show_progress(void *user, const char *what, double of_group)
{
  static const char full[] = "####################", empty[] = "....................";
  const session *s = user;
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

static void clear_progress(void)
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

/* ---- Exit codes ------------------------------------------------------------------------------------------------- */

/* Wrong results are the most severe, then device errors, then missing features. */
static void note_exit(session *s, int code)
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

/* A variant that is unavailable here, or on one API, is not an error, unless the user named it and no target could run
 * it. */
static bool asked_for(const xb_options *o, const xb_cell_group *group, const xb_cell *cell)
{
  bool named = o->selection->against_variant == cell->c.variant, elsewhere = false;
  for (size_t i = 0; i < o->selection->selected_count; i++)
    if (o->selection->selected[i].variant == cell->c.variant)
      named |= o->selection->selected[i].named || o->conditions.block;
  for (size_t i = 0; i < group->count; i++)
    elsewhere |= group->cells[i].c.variant == cell->c.variant &&
                 group->cells[i].verdict.outcome != XB_CELL_UNSUPPORTED &&
                 group->cells[i].verdict.outcome != XB_CELL_NO_COUNTERPART;
  return named && !elsewhere;
}

static int outcome_exit_code(const xb_options *o, const xb_cell_group *group, const xb_cell *cell)
{
  switch (cell->verdict.outcome) {
  case XB_CELL_OK: return XB_EXIT_OK;
  case XB_CELL_WRONG: return XB_EXIT_WRONG;
  case XB_CELL_UNSUPPORTED:
  case XB_CELL_NO_COUNTERPART: return asked_for(o, group, cell) ? XB_EXIT_UNAVAILABLE : XB_EXIT_OK;
  case XB_CELL_FAILED: /* what a watched kernel does wrong is a wrong result */
    return o->checks && cell->verdict.error.code == XB_INTERNAL ? XB_EXIT_WRONG
                                                                : xb_exit_code(cell->verdict.error.code);
  default: return XB_EXIT_INTERRUPTED;
  }
}

static const char *advice(xb_code code)
{
  return code == XB_TIMEOUT ? "; give a smaller --size, or a longer --wait-limit"
         : code == XB_LOST
             ? "; causes: a mistake in the kernel, another program, or a watchdog that ends work of some seconds; "
               "for a watchdog, give a smaller --size or --window"
             : "";
}

static void note_outcomes(session *s, const xb_cell_group *cells)
{
  const xb_options *o = s->options;
  for (const xb_cell *cell = cells->cells; cell < cells->cells + cells->count; cell++) {
    const int code = outcome_exit_code(o, cells, cell);
    note_exit(s, code);
    if (code)
      xb_exit_set(code, "%s/%" PRIu32 " on %s: %s%s", cell->c.variant->benchmark->name, cell->c.variant->number,
                  cell->c.device->backend, cell->verdict.error.message, advice(cell->verdict.error.code));
    if (cell->verdict.outcome == XB_CELL_FAILED && cell->is_control && o->conditions.compares) /* no table shows it */
      xb_report_error(XB_EXIT_DEVICE, "%s/%" PRIu32 ", measured beside the pairs: %s", cell->c.variant->benchmark->name,
                      cell->c.variant->number, cell->verdict.error.message);
  }
}

/* ---- The session ------------------------------------------------------------------------------------------------ */

static bool set_flush(session *s)
{
  const xb_options *o = s->options;
  for (size_t t = 0; t < s->setup.target_count && o->conditions.cache == XB_CACHE_COLD; t++) {
    const xb_device_info *info = s->infos[t];
    if (o->conditions.flush_bytes && o->conditions.flush_bytes < info->cache_bytes)
      return !xb_report_error(XB_EXIT_UNAVAILABLE,
                              "--flush-bytes: %" PRIu64
                              " are fewer than the last-level cache of %s has: give at least %" PRIu64
                              ", better twice as many",
                              o->conditions.flush_bytes, info->name, info->cache_bytes);
    if (!o->conditions.flush_bytes && !info->cache_bytes)
      return !xb_report_error(XB_EXIT_UNAVAILABLE,
                              "--cache cold: %s does not report the cache size of %s: give --flush-bytes, at "
                              "least twice that size",
                              info->backend, info->name);
    if (!o->conditions.flush_bytes && 2 * info->cache_bytes > s->setup.conditions.flush_bytes)
      s->setup.conditions.flush_bytes = 2 * info->cache_bytes;
  }
  return true;
}

/* A CPU's times are compared as a ratio in one run: they need no narrow interval. */
static double default_max_time_s(const session *s)
{
  for (size_t i = 0; i < s->setup.target_count; i++)
    if (s->infos[i]->type != XB_DEVICE_CPU)
      return 0.6;
  return 0.1;
}

static void set_sampling(session *s)
{
  const xb_options *o = s->options;
  s->sampling = o->sampling;
  if (s->sampling.max_time_s <= 0)
    s->sampling.max_time_s = default_max_time_s(s);
  s->sampling.together = o->conditions.compares;
  s->sampling.min_rounds = o->conditions.compares ? COMPARED_ROUNDS : XB_MIN_SAMPLES;
  s->sampling.seed = o->conditions.seed;
  s->sampling.stop = &interrupted;
  s->sampling.progress = o->quiet ? NULL : show_progress;
  s->sampling.progress_user = s;
  xb_first_run_begins = o->quiet ? NULL : show_compiling;
}

static bool describe_targets(session *s)
{
  bool good = true;
  for (size_t t = 0; t < s->setup.target_count; t++) {
    s->infos[t] = &s->targets[t].info;
    good = xb_result_device_of(s->infos[t], &s->arena, &s->devices[t]) && good;
  }
  s->on = (xb_measured_on){s->infos, s->devices, s->setup.target_count};
  return good;
}

/* Returns the exit code. */
static int close_session(session *s)
{
  free(s->requests);
  xb_arena_free(&s->arena);
  if (!xb_leave_targets(s->targets, s->setup.target_count, s->exit_code))
    note_exit(s, XB_EXIT_DEVICE);
  return s->exit_code;
}

/* Returns -1 on success; otherwise the mistake has been reported and the result is the exit code. */
static int open_session(session *s, const xb_options *options)
{
  *s = (session){.options = options,
                 .setup = {.selection = options->selection,
                           .conditions = options->conditions,
                           .targets = s->targets,
                           .stop = &interrupted}};
  const int code = xb_open_targets(&options->devices, s->targets, &s->setup.target_count);
  if (code >= 0)
    return code;
  xb_setup_targets(&s->setup);
  s->requests = xb_requests_of(&s->setup, &s->request_count);
  if (!describe_targets(s) || !s->requests)
    s->exit_code = xb_report_error(XB_EXIT_DEVICE, "out of host memory");
  else if (!set_flush(s))
    s->exit_code = XB_EXIT_UNAVAILABLE;
  if (s->exit_code)
    return close_session(s);
  set_sampling(s);
  return -1;
}

/* ---- Where the results go ---------------------------------------------------------------------------------------- */

/* Groups come in the order of `all`, so results on the screen are always on the disk, too; the
 * end comes in the opposite one: what was shown first is complete first. */
enum { SINKS = 6, FILES = 2 };
typedef struct sinks {
  xb_saved json, csv;
  xb_crash_record crash;
  xb_tally tally;
  xb_peaks_summary peaks;
  xb_shown shown;
  xb_sink *all[SINKS]; /* NULL: not asked for */
  xb_means means;      /* of a comparison */
  size_t results;      /* so far */
} sinks;

static bool begin_sinks(sinks *out, const session *s)
{
  const xb_options *o = s->options;
  const xb_sampling *m = &s->sampling;
  const xb_sink_run run = {s->devices,
                           s->setup.target_count,
                           {m->min_time_s, m->max_time_s, m->width, (int64_t)m->min_rounds, (int64_t)m->seed},
                           o->conditions.compares};
  *out =
      (sinks){.json = {.sink = xb_json_sink, .output = {.path = o->json, .to = XB_NOT_WRITTEN}},
              .csv = {.sink = xb_csv_sink, .output = {.path = o->csv, .to = XB_NOT_WRITTEN}},
              .crash = {.sink = xb_crash_sink, .json = &out->json.output, .csv = &out->csv.output},
              .tally = {.sink = xb_tally_sink, .printed = o->format == XB_FORMAT_TABLE},
              .peaks = {.sink = xb_peaks_sink},
              .shown = {.sink = xb_shown_sink, .format = o->format, .published = o->published || xb_terminal_is_wide()},
              .all = {&out->json.sink, &out->csv.sink, &out->crash.sink, &out->tally.sink,
                      o->peaks ? &out->peaks.sink : NULL, o->peaks && !o->all_peaks ? NULL : &out->shown.sink}};
  bool good = true;
  for (int i = 0; i < SINKS && good; i++)
    good = !out->all[i] || !out->all[i]->begin || out->all[i]->begin(out->all[i], &run);
  if (!good) {
    xb_saved_abandon(&out->json);
    xb_saved_abandon(&out->csv);
  }
  return good;
}

/* ---- One request ------------------------------------------------------------------------------------------------ */

/* Makes results of the cells, compares them if requested, and gives them to the sinks. */
static bool give_results(const session *s, const xb_cell_group *cells, sinks *out)
{
  const xb_options *o = s->options;
  xb_arena arena = {0};
  xb_result_benchmark benchmark;
  xb_group group = {.benchmark = &benchmark,
                    .count = cells->count,
                    .begins = cells->request.begins,
                    .sweep = cells->request.sweep,
                    .cut = interrupted};
  xb_error error;
  group.results = xb_results_of_cells(cells->cells, cells->count, &s->on, &arena);
  bool good = group.results && xb_result_benchmark_of(cells->request.benchmark, &arena, &benchmark);
  if (good && o->conditions.compares)
    good =
        !xb_compare_results(group.results, group.count, out->results, o->margin, o->conditions.seed + s->requests_done,
                            &arena, &group.comparisons, &group.comparison_count, &out->means, &error);
  clear_progress();
  for (int i = 0; i < SINKS && good && group.count; i++)
    if (out->all[i] && out->all[i]->group)
      out->all[i]->group(out->all[i], &group);
  out->results += good ? group.count : 0;
  xb_arena_free(&arena);
  return good;
}

static void run_request(session *s, const xb_request *request, sinks *out)
{
  enum { MOST_PRESETS = 64 };
  xb_configuration presets[MOST_PRESETS];
  xb_cell_group cells;
  if (s->options->preset) {
    s->setup.conditions.configurations = presets;
    s->setup.conditions.configuration_count =
        xb_presets_find(&s->setup, request, s->options->format != XB_FORMAT_TABLE, presets, MOST_PRESETS);
  }
  if (!xb_cell_group_create(&cells, &s->setup, request)) {
    note_exit(s, xb_report_error(XB_EXIT_DEVICE, "out of host memory"));
    return;
  }
  const xb_size *size = &request->size;
  char shape[64];
  xb_format_shape(size->rows > 1 ? size->rows : 0, size->rows > 1 ? size->columns : request->n, size->inner, shape,
                  sizeof shape);
  snprintf(s->now, sizeof s->now, "%s, %s%s, %s: %zu cell%s", request->benchmark->name,
           size->rows > 1 ? "" : "n = ", shape, xb_dtype_name(request->dtype), cells.count,
           cells.count == 1 ? "" : "s");
  xb_measure(cells.cells, cells.count, &s->sampling);
  s->requests_done++;
  if (!give_results(s, &cells, out))
    note_exit(s, xb_report_error(XB_EXIT_DEVICE, "out of host memory for the results of a group"));
  note_outcomes(s, &cells);
  xb_cell_group_destroy(&cells);
}

/* ---- The run ---------------------------------------------------------------------------------------------------- */

static void end_sinks(session *s, sinks *out)
{
  const bool compares = s->options->conditions.compares;
  bool saved = true;
  if (compares)
    xb_means_finish(&out->means);
  for (int i = SINKS; i-- > 0;) {
    const int code =
        out->all[i] && out->all[i]->end ? out->all[i]->end(out->all[i], compares ? &out->means : NULL) : XB_EXIT_OK;
    note_exit(s, code);
    saved = saved && (i >= FILES || !code);
  }
  xb_means_free(&out->means);
  if (!out->tally.shown && !s->exit_code && !interrupted)
    note_exit(s, xb_report_error(XB_EXIT_UNAVAILABLE, "nothing requested can run here; the table shows the reasons"));
  if (!interrupted)
    return;
  const xb_options *o = s->options;
  note_exit(s, XB_EXIT_INTERRUPTED);
  xb_report_error(XB_EXIT_INTERRUPTED, "interrupted; %s",
                  o->in_child                    ? "there is no verdict"
                  : !out->tally.any              ? "there is no result"
                  : saved && (o->json || o->csv) ? "finished results are shown and saved"
                                                 : "finished results are shown");
}

/* True if no other request can be measured: the user stopped the run, or a device became unusable. */
static bool is_over(const session *s)
{
  bool over = interrupted;
  for (size_t t = 0; t < s->setup.target_count; t++)
    over |= xb_device_status(s->targets[t].device) != XB_OK;
  return over;
}

static int run_once(const xb_options *options)
{
  session s;
  sinks out;
  const int code = open_session(&s, options);
  if (code >= 0)
    return code;
  if (!begin_sinks(&out, &s)) {
    s.exit_code = XB_EXIT_USAGE;
    return close_session(&s);
  }
  s.began_ns = xb_clock_ns();
  xb_handle_endings(on_interrupt, 1, NULL);
  sigaction(SIGALRM, &(struct sigaction){.sa_handler = on_alarm, .sa_flags = SA_RESTART}, NULL);
  for (size_t i = 0; i < s.request_count && !is_over(&s); i++)
    run_request(&s, &s.requests[i], &out);
  alarm(0);
  end_sinks(&s, &out);
  return close_session(&s);
}

int xb_command_run(const xb_options *options)
{
  if (options->checks & XB_CHECK_ORDER)
    xb_pair_keep_own();
  const int code = run_once(options);
  const bool orders = options->checks & XB_CHECK_ORDER && (code == XB_EXIT_OK || code == XB_EXIT_WRONG);
  return orders ? xb_check_order(options, run_once, code) : code;
}
