/* xbench [compare] BENCHMARK[/VARIANT]... For each benchmark, element type and size, all variants and their baselines
 * are measured together, saved, then shown. */
#include "base/exit_codes.h"
#include "base/safe_text.h"
#include "base/terminal.h"
#include "commands/subcommands.h"
#include "compile/compile.h"
#include "core/clock.h"
#include "formats/formats.h"
#include "measure/cell_groups.h"
#include "measure/cell_results.h"
#include "measure/sampler.h"
#include "os/memory_file.h"
#include "os/signals.h"
#include "os/supervise.h"
#include "tune/tune.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COMPARED_ROUNDS = 20 }; /* the minimum: a bootstrap of fewer rounds is too coarse */

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

_Static_assert((int)XB_MOST_COLUMNS >= (int)XB_MAX_TARGETS, "each target has a column");

typedef struct xb_run {
  const xb_options *options;
  xb_target targets[XB_MAX_TARGETS];
  size_t target_count;
  uint64_t window_bytes; /* the smallest of the targets' largest bindings: all targets use the same windows */
  uint64_t cache_bytes;  /* the largest last-level cache of the targets */
  uint64_t flush_bytes;  /* --cache cold: at least twice the last-level cache */
  xb_sampling sampling;
  xb_arena arena; /* for data that lasts as long as the run */
  const xb_device_info *infos[XB_MAX_TARGETS];
  xb_result_device devices[XB_MAX_TARGETS];
  xb_measured_on on;
  xb_output json_file, csv_file;
  xb_json *json;
  xb_printer printer;
  xb_means means;
  xb_peaks_summary peaks;
  xb_memory tables;                /* of `xbench peaks`: they come behind its summary */
  size_t groups_done, group_count; /* for the progress bar */
  size_t done, verified, empty;    /* cells with a time; of these, those without an output to verify */
  size_t wrong, failed;            /* cells without one */
  bool any;                        /* a group was shown */
  size_t shown;                    /* requested cells that have a result, or pairs that were compared */
  double began_ns;
  char now[128]; /* text for the group in progress */
  int exit_code; /* the most severe one so far */
  xb_code dead;  /* why a device became unusable */
} xb_run;

/* ---- Progress, on a terminal ------------------------------------------------------------------------------------ */

/* One line, cut at the width of the terminal. */
static void show_progress(void *user, const char *what, double of_group)
{
  static const char full[] = "####################", empty[] = "....................";
  const xb_run *run = user;
  const double done = ((double)run->groups_done + of_group) / (double)run->group_count;
  const size_t columns = xb_terminal_progress_width();
  const int width = columns < 80 ? 10 : sizeof full - 1, filled = (int)(done * width);
  char left[32] = "?", text[256];
  if (!columns)
    return;
  const double seconds = (xb_clock_ns() - run->began_ns) / 1e9 * (1 - done) / done;
  if (done > 0.02)
    snprintf(left, sizeof left, seconds >= 90 ? "%.0f min" : "%.0f s", seconds >= 90 ? seconds / 60 : seconds);
  bar_shown = true;
  snprintf(text, columns < sizeof text ? columns : sizeof text, "[%.*s%.*s] %s: %3.0f %%, %s left, %s", filled, full,
           width - filled, empty, what, 100 * done, left, run->now);
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

/* ---- One group -------------------------------------------------------------------------------------------------- */

/* A variant that is unavailable here, or on one API, is not an error, unless the user named it and no target could run
 * it. */
static bool asked_for(const xb_options *o, const xb_cell_group *group, const xb_cell *cell)
{
  bool named = o->what->against_variant == cell->c.variant, elsewhere = false;
  for (size_t i = 0; i < o->what->selected_count; i++)
    if (o->what->selected[i].variant == cell->c.variant)
      named |= o->what->selected[i].named || o->how.block;
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

/* Wrong results are the most severe, then device errors, then missing features. */
static void note_exit_code(xb_run *run, int code)
{
  static const int by_weight[] = {XB_EXIT_WRONG, XB_EXIT_DEVICE, XB_EXIT_UNAVAILABLE, XB_EXIT_USAGE,
                                  XB_EXIT_INTERRUPTED};
  for (size_t i = 0; i < sizeof by_weight / sizeof by_weight[0]; i++) {
    if (run->exit_code == by_weight[i] || code == by_weight[i]) {
      run->exit_code = by_weight[i];
      return;
    }
  }
}

/* Saves the group before it shows it: results on the screen are always on the disk, too. */
static void report_group(xb_run *run, const xb_group *group)
{
  clear_progress();
  if (run->csv_file.file) {
    xb_csv_group(run->csv_file.file, group);
    xb_output_save(&run->csv_file);
  }
  if (run->json) {
    xb_json_group(run->json, group);
    xb_json_save(run->json, &run->json_file);
  }
  bool any = !interrupted;
  for (size_t i = 0; i < group->count; i++) {
    const xb_result *r = &group->results[i];
    run->done += r->outcome == XB_CELL_OK;
    run->verified += r->outcome == XB_CELL_OK && r->verified == 1;
    run->empty += r->outcome == XB_CELL_OK && r->verified == XB_UNKNOWN;
    run->wrong += r->outcome == XB_CELL_WRONG;
    run->failed += r->outcome == XB_CELL_FAILED;
    any |= r->outcome == XB_CELL_OK || r->outcome == XB_CELL_WRONG || r->outcome == XB_CELL_FAILED;
  }
  if (any)
    xb_printer_group(&run->printer, group);
  run->any |= any;
  if (run->options->peaks)
    xb_peaks_note(&run->peaks, group);
  for (size_t i = 0; i < group->count; i++)
    run->shown +=
        !run->options->how.compares && group->results[i].yardstick != 1 && group->results[i].outcome == XB_CELL_OK;
  for (size_t i = 0; i < group->comparison_count; i++)
    run->shown += group->comparisons[i].verdict != NULL || xb_is_check(&group->comparisons[i]);
}

static const char *advice(xb_code code)
{
  return code == XB_TIMEOUT ? "; give a smaller --size, or a longer --wait-limit"
         : code == XB_LOST
             ? "; a kernel's mistake, another program's, or a watchdog that ends work of some seconds: for that, "
               "give a smaller --size or --window"
             : "";
}

/* Makes results of the cells, compares them if requested, and shows them. */
static void conclude_group(xb_run *run, const xb_cell_group *cells)
{
  const xb_options *o = run->options;
  xb_arena arena = {0};
  xb_result_benchmark benchmark;
  xb_group group = {.benchmark = &benchmark, .count = cells->count};
  xb_error error = {.code = XB_OK};
  group.results = xb_results_of_cells(cells->cells, cells->count, &run->on, &arena);
  bool good = group.results && xb_result_benchmark_of(cells->benchmark, &arena, &benchmark);
  if (good && o->how.compares)
    good = !xb_compare_results(group.results, group.count, xb_json_results(run->json), o->margin,
                               o->how.seed + run->groups_done, &arena, &group.comparisons, &group.comparison_count,
                               &run->means, &error);
  if (good && group.count)
    report_group(run, &group);
  else if (!good)
    note_exit_code(run, xb_report_error(XB_EXIT_DEVICE, "out of host memory for the results of a group"));
  for (size_t i = 0; i < cells->count; i++) {
    const xb_cell *cell = &cells->cells[i];
    const int code = outcome_exit_code(o, cells, cell);
    note_exit_code(run, code);
    if (code)
      xb_keep_reason(code, "%s/%" PRIu32 " on %s: %s%s", cell->c.variant->benchmark->name, cell->c.variant->number,
                     cell->c.device->backend, cell->verdict.error.message, advice(cell->verdict.error.code));
    if (cell->verdict.outcome == XB_CELL_FAILED && cell->yardstick && o->how.compares) /* no table shows it */
      xb_report_error(XB_EXIT_DEVICE, "%s/%" PRIu32 ", measured beside the pairs: %s", cell->c.variant->benchmark->name,
                      cell->c.variant->number, cell->verdict.error.message);
  }
  xb_arena_free(&arena);
}

/* Of the selected variants of a benchmark. */
static size_t find_presets(const xb_run *run, const xb_benchmark *benchmark, xb_dtype dtype, uint64_t n,
                           xb_configuration *presets, size_t most)
{
  const xb_options *o = run->options;
  const xb_variant *variants[XB_MAX_SELECTED];
  size_t count = 0;
  for (size_t i = 0; i < o->what->selected_count; i++)
    if (o->what->selected[i].variant->benchmark == benchmark)
      variants[count++] = o->what->selected[i].variant;
  return xb_presets_find(variants, count, run->targets, run->target_count, dtype, n, o->format != XB_FORMAT_TABLE,
                         presets, most);
}

static void run_group(xb_run *run, const xb_benchmark *benchmark, xb_dtype dtype, xb_size size)
{
  enum { MOST_PRESETS = 64 };
  xb_configuration presets[MOST_PRESETS];
  const xb_choice *what = run->options->what;
  xb_conditions how = run->options->how;
  xb_workload workloads[XB_MAX_TARGETS] = {0};
  const uint64_t n = size.rows * size.columns;
  xb_cell_group group = {.benchmark = benchmark,
                         .dtype = dtype,
                         .n = n,
                         .rows = size.rows,
                         .columns = size.columns,
                         .inner = size.inner,
                         .stop = &interrupted};
  if (run->options->preset) {
    how.configurations = presets;
    how.configuration_count = find_presets(run, benchmark, dtype, n, presets, MOST_PRESETS);
  }
  group.cells = calloc(xb_cells_capacity(what, &how, benchmark, run->target_count), sizeof *group.cells);
  if (!group.cells) {
    note_exit_code(run, xb_report_error(XB_EXIT_DEVICE, "out of host memory"));
    return;
  }
  xb_create_workloads(what, &how, run->targets, run->target_count, run->window_bytes, run->flush_bytes, &group,
                      workloads);
  snprintf(run->now, sizeof run->now, "%s, n = %llu, %s: %zu cell%s", benchmark->name, (unsigned long long)n,
           xb_dtype_name(dtype), group.count, group.count == 1 ? "" : "s");
  xb_measure(group.cells, group.count, &run->sampling);
  run->groups_done++;
  conclude_group(run, &group);
  for (size_t i = 0; i < group.count; i++)
    xb_cell_destroy(&group.cells[i]);
  for (size_t t = 0; t < run->target_count; t++) {
    xb_workload_destroy(&workloads[t]);
    if (xb_device_status(run->targets[t].device))
      run->dead = xb_device_status(run->targets[t].device);
  }
  free(group.cells);
}

/* ---- The run ---------------------------------------------------------------------------------------------------- */

/* Measures each group, or only counts the groups. */
static void for_each_group(xb_run *run, bool measure)
{
  const xb_options *o = run->options;
  const xb_benchmark *benchmark;
  for (size_t b = 0; (benchmark = xb_benchmark_at(b)); b++) {
    bool selected = false;
    for (size_t i = 0; i < o->what->selected_count; i++)
      selected |= o->what->selected[i].variant->benchmark == benchmark;
    const size_t sizes = o->what->size_count && !(o->what->elements && benchmark->matrix) ? o->what->size_count : 1;
    xb_printer_benchmark(&run->printer, sizes * o->what->dtype_count > 1);
    for (size_t d = 0; d < o->what->dtype_count && selected; d++)
      for (size_t s = 0; xb_has_dtype(benchmark, o->what->dtypes[d]) && s < sizes && !interrupted && !run->dead; s++)
        if (measure)
          run_group(run, benchmark, o->what->dtypes[d], xb_size_for(o->what, benchmark, run->cache_bytes, s));
        else
          run->group_count++;
  }
}

static void run_all(xb_run *run)
{
  run->began_ns = xb_clock_ns();
  for_each_group(run, false);
  for_each_group(run, true);
  if (!run->options->how.compares)
    return;
  xb_means_finish(&run->means);
  xb_printer_means(&run->printer, &run->means);
  if (run->json)
    xb_json_means(run->json, &run->means);
  xb_means_free(&run->means);
}

static bool set_flush(xb_run *run)
{
  const xb_options *o = run->options;
  run->flush_bytes = o->how.flush_bytes;
  for (size_t t = 0; t < run->target_count && o->how.cache == XB_CACHE_COLD; t++) {
    const xb_device_info *info = &run->targets[t].info;
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
    if (!o->how.flush_bytes && 2 * info->cache_bytes > run->flush_bytes)
      run->flush_bytes = 2 * info->cache_bytes;
  }
  return true;
}

static bool open_outputs(xb_run *run)
{
  const xb_result_sampling sampling = {run->sampling.min_time_s, run->sampling.max_time_s, run->sampling.width,
                                       (int64_t)run->sampling.min_rounds, (int64_t)run->sampling.seed};
  if (!xb_output_open(&run->json_file, run->options->json, XB_OUTPUT_RESULTS) ||
      !xb_output_open(&run->csv_file, run->options->csv, XB_OUTPUT_OTHER))
    return false;
  if (run->csv_file.file)
    xb_csv_header(run->csv_file.file);
  if (!run->json_file.file)
    return true;
  run->json = xb_json_begin(run->devices, run->target_count, &sampling);
  if (!run->json)
    xb_report_error(XB_EXIT_DEVICE, "out of host memory; nothing was measured");
  return run->json;
}

static void describe_targets(xb_run *run)
{
  run->window_bytes = run->options->how.window_bytes ? run->options->how.window_bytes : UINT64_MAX;
  for (size_t t = 0; t < run->target_count; t++) {
    const xb_device_info *info = run->infos[t] = &run->targets[t].info;
    if (xb_largest_window(info) < run->window_bytes)
      run->window_bytes = xb_largest_window(info);
    if (info->cache_bytes > run->cache_bytes)
      run->cache_bytes = info->cache_bytes;
    if (!xb_result_device_of(info, &run->arena, &run->devices[t]))
      note_exit_code(run, xb_report_error(XB_EXIT_DEVICE, "out of host memory"));
  }
  run->on = (xb_measured_on){run->infos, run->devices, run->target_count};
}

static bool save_outputs(xb_run *run)
{
  if (run->json)
    xb_json_save(run->json, &run->json_file);
  xb_json_free(run->json);
  const bool json = xb_output_commit(&run->json_file), csv = xb_output_commit(&run->csv_file);
  if (!json || !csv)
    note_exit_code(run, XB_EXIT_USAGE);
  return json && csv;
}

/* Below a table. The numbers add up to that of the cells. */
static void print_end(const xb_run *run)
{
  const size_t cells = run->done + run->wrong + run->failed;
  if (run->options->format != XB_FORMAT_TABLE || !cells)
    return;
  printf("\n%zu cell%s, ", cells, cells == 1 ? "" : "s");
  if (run->verified < cells)
    printf("%zu ", run->verified);
  else if (cells > 1)
    printf("all ");
  printf("verified before and after timing");
  if (run->empty)
    printf(", %zu without an output to verify", run->empty);
  if (run->wrong)
    printf(", %zu WRONG", run->wrong);
  if (run->failed)
    printf(", %zu failed", run->failed);
  printf("; terms: xbench glossary\n");
}

static int finish(xb_run *run)
{
  alarm(0);
  if (run->options->peaks)
    xb_peaks_print(&run->peaks);
  if (xb_memory_whole(&run->tables))
    fputs(run->tables.text, stdout);
  xb_memory_end(&run->tables);
  print_end(run);
  if (!xb_printer_end(&run->printer))
    note_exit_code(run, xb_report_error(XB_EXIT_DEVICE, "out of host memory: the document on stdout is not complete"));
  const bool saved = save_outputs(run);
  xb_arena_free(&run->arena);
  if (!run->shown && !run->exit_code && !interrupted)
    note_exit_code(run,
                   xb_report_error(XB_EXIT_UNAVAILABLE, "nothing that was requested can run here; the table says why"));
  if (interrupted) {
    note_exit_code(run, XB_EXIT_INTERRUPTED);
    xb_report_error(XB_EXIT_INTERRUPTED, "interrupted; %s",
                    run->options->apart                                  ? "there is no verdict"
                    : !run->any                                          ? "there is no result"
                    : saved && (run->options->json || run->options->csv) ? "finished results are shown and saved"
                                                                         : "finished results are shown");
  }
  if (!xb_leave_targets(run->targets, run->target_count, run->exit_code))
    note_exit_code(run, XB_EXIT_DEVICE);
  return run->exit_code;
}

/* A CPU's times are compared as a ratio in one run: they need no narrow interval. */
static double default_max_time_s(const xb_run *run)
{
  for (size_t i = 0; i < run->target_count; i++)
    if (run->targets[i].info.type != XB_DEVICE_CPU)
      return 0.6;
  return 0.1;
}

static void set_sampling(xb_run *run)
{
  const xb_options *o = run->options;
  xb_sampling *s = &run->sampling;
  *s = o->sampling;
  if (s->max_time_s <= 0)
    s->max_time_s = default_max_time_s(run);
  s->together = o->how.compares;
  s->min_rounds = o->how.compares ? COMPARED_ROUNDS : XB_MIN_SAMPLES;
  s->seed = o->how.seed;
  s->stop = &interrupted;
  s->progress = o->quiet ? NULL : show_progress;
  s->progress_user = run;
  xb_first_run_begins = o->quiet ? NULL : show_compiling;
}

static int run_once(const xb_options *options)
{
  xb_run run = {
      .options = options, .json_file = {.in_place = -1, .in_part = -1}, .csv_file = {.in_place = -1, .in_part = -1}};
  const int code = xb_open_targets(&options->on, run.targets, &run.target_count);
  if (code >= 0)
    return code;
  set_sampling(&run);
  describe_targets(&run);
  const bool flushed = set_flush(&run);
  if (!flushed || !open_outputs(&run)) {
    xb_output_abandon(&run.json_file);
    xb_output_abandon(&run.csv_file);
    xb_arena_free(&run.arena);
    xb_close_targets(run.targets, run.target_count);
    return flushed ? XB_EXIT_USAGE : XB_EXIT_UNAVAILABLE;
  }
  xb_printer_begin(&run.printer, options->format, options->how.compares);
  if (options->peaks && xb_memory_begin(&run.tables)) /* without memory the tables come first */
    run.printer.file = run.tables.file;
  run.printer.published = options->published || xb_terminal_is_wide();
  xb_handle_endings(on_interrupt, 1, NULL);
  sigaction(SIGALRM, &(struct sigaction){.sa_handler = on_alarm, .sa_flags = SA_RESTART}, NULL);
  xb_say_upon_crash(&run.json_file, &run.csv_file);
  run_all(&run);
  return finish(&run);
}

int xb_command_run(const xb_options *options)
{
  const int code = run_once(options);
  return code == XB_EXIT_OK && options->checks & XB_CHECK_ORDER ? xb_check_order(options, run_once) : code;
}
