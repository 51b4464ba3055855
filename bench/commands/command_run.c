/* xbench [compare] BENCHMARK[/VARIANT]... The way of a run: a session (devices and options) has requests, one for each
 * benchmark, element type and size; a request becomes cells, which are measured together; their results go to each
 * sink: saved, then shown. */
#include "base/exit_codes.h"
#include "base/terminal.h"
#include "commands/session.h"
#include "compile/compile.h"
#include "tune/tune.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

_Static_assert((int)XB_MOST_COLUMNS >= (int)XB_MAX_TARGETS, "each target has a column");

/* Where the results go. Groups come in the order of `all`, so results on the screen are always on the disk, too; the
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

static bool begin_sinks(sinks *s, const xb_session *session)
{
  const xb_options *o = session->options;
  const xb_sampling *m = &session->sampling;
  const xb_sink_run run = {session->devices,
                           session->setup.target_count,
                           {m->min_time_s, m->max_time_s, m->width, (int64_t)m->min_rounds, (int64_t)m->seed},
                           o->how.compares};
  *s =
      (sinks){.json = {.sink = xb_json_sink, .output = {.path = o->json, .in_place = -1, .in_part = -1}},
              .csv = {.sink = xb_csv_sink, .output = {.path = o->csv, .in_place = -1, .in_part = -1}},
              .crash = {.sink = xb_crash_sink, .json = &s->json.output, .csv = &s->csv.output},
              .tally = {.sink = xb_tally_sink, .printed = o->format == XB_FORMAT_TABLE},
              .peaks = {.sink = xb_peaks_sink, .tables = &s->shown},
              .shown = {.sink = xb_shown_sink, .format = o->format, .published = o->published || xb_terminal_is_wide()},
              .all = {&s->json.sink, &s->csv.sink, &s->crash.sink, &s->tally.sink, o->peaks ? &s->peaks.sink : NULL,
                      &s->shown.sink}};
  bool good = true;
  for (int i = 0; i < SINKS && good; i++)
    good = !s->all[i] || !s->all[i]->begin || s->all[i]->begin(s->all[i], &run);
  for (int i = 0; i < SINKS && !good; i++)
    if (s->all[i] && s->all[i]->abandon)
      s->all[i]->abandon(s->all[i]);
  return good;
}

/* ---- Exit codes ------------------------------------------------------------------------------------------------- */

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

static const char *advice(xb_code code)
{
  return code == XB_TIMEOUT ? "; give a smaller --size, or a longer --wait-limit"
         : code == XB_LOST
             ? "; a kernel's mistake, another program's, or a watchdog that ends work of some seconds: for that, "
               "give a smaller --size or --window"
             : "";
}

static void note_outcomes(xb_session *session, const xb_cell_group *cells)
{
  const xb_options *o = session->options;
  for (const xb_cell *cell = cells->cells; cell < cells->cells + cells->count; cell++) {
    const int code = outcome_exit_code(o, cells, cell);
    xb_session_note_exit(session, code);
    if (code)
      xb_keep_reason(code, "%s/%" PRIu32 " on %s: %s%s", cell->c.variant->benchmark->name, cell->c.variant->number,
                     cell->c.device->backend, cell->verdict.error.message, advice(cell->verdict.error.code));
    if (cell->verdict.outcome == XB_CELL_FAILED && cell->yardstick && o->how.compares) /* no table shows it */
      xb_report_error(XB_EXIT_DEVICE, "%s/%" PRIu32 ", measured beside the pairs: %s", cell->c.variant->benchmark->name,
                      cell->c.variant->number, cell->verdict.error.message);
  }
}

/* ---- One request ------------------------------------------------------------------------------------------------ */

/* Makes results of the cells, compares them if requested, and gives them to the sinks. */
static bool give_results(const xb_session *session, const xb_cell_group *cells, sinks *s)
{
  const xb_options *o = session->options;
  xb_arena arena = {0};
  xb_result_benchmark benchmark;
  xb_group group = {.benchmark = &benchmark,
                    .count = cells->count,
                    .begins = cells->request.begins,
                    .sweep = cells->request.sweep,
                    .cut = xb_session_interrupted()};
  xb_error error;
  group.results = xb_results_of_cells(cells->cells, cells->count, &session->on, &arena);
  bool good = group.results && xb_result_benchmark_of(cells->request.benchmark, &arena, &benchmark);
  if (good && o->how.compares)
    good = !xb_compare_results(group.results, group.count, s->results, o->margin, o->how.seed + session->requests_done,
                               &arena, &group.comparisons, &group.comparison_count, &s->means, &error);
  xb_session_clear_progress();
  for (int i = 0; i < SINKS && good && group.count; i++)
    if (s->all[i] && s->all[i]->group)
      s->all[i]->group(s->all[i], &group);
  s->results += good ? group.count : 0;
  xb_arena_free(&arena);
  return good;
}

static void run_request(xb_session *session, const xb_request *request, sinks *s)
{
  enum { MOST_PRESETS = 64 };
  xb_configuration presets[MOST_PRESETS];
  xb_cell_group cells;
  if (session->options->preset) {
    session->setup.how.configurations = presets;
    session->setup.how.configuration_count =
        xb_presets_find(&session->setup, request, session->options->format != XB_FORMAT_TABLE, presets, MOST_PRESETS);
  }
  if (!xb_cell_group_create(&cells, &session->setup, request)) {
    xb_session_note_exit(session, xb_report_error(XB_EXIT_DEVICE, "out of host memory"));
    return;
  }
  xb_session_begin_request(session, &cells);
  xb_measure(cells.cells, cells.count, &session->sampling);
  session->requests_done++;
  if (!give_results(session, &cells, s))
    xb_session_note_exit(session, xb_report_error(XB_EXIT_DEVICE, "out of host memory for the results of a group"));
  note_outcomes(session, &cells);
  xb_cell_group_destroy(&cells);
}

/* ---- The run ---------------------------------------------------------------------------------------------------- */

static void end_sinks(xb_session *session, sinks *s)
{
  const bool compares = session->options->how.compares;
  bool saved = true;
  if (compares)
    xb_means_finish(&s->means);
  for (int i = SINKS; i-- > 0;) {
    const int code = s->all[i] && s->all[i]->end ? s->all[i]->end(s->all[i], compares ? &s->means : NULL) : XB_EXIT_OK;
    xb_session_note_exit(session, code);
    saved = saved && (i >= FILES || !code);
  }
  xb_means_free(&s->means);
  if (!s->tally.shown && !session->exit_code && !xb_session_interrupted())
    xb_session_note_exit(
        session, xb_report_error(XB_EXIT_UNAVAILABLE, "nothing that was requested can run here; the table says why"));
  if (!xb_session_interrupted())
    return;
  const xb_options *o = session->options;
  xb_session_note_exit(session, XB_EXIT_INTERRUPTED);
  xb_report_error(XB_EXIT_INTERRUPTED, "interrupted; %s",
                  o->apart                       ? "there is no verdict"
                  : !s->tally.any                ? "there is no result"
                  : saved && (o->json || o->csv) ? "finished results are shown and saved"
                                                 : "finished results are shown");
}

static int run_once(const xb_options *options)
{
  xb_session session;
  sinks s;
  const int code = xb_session_open(&session, options);
  if (code >= 0)
    return code;
  if (!begin_sinks(&s, &session)) {
    session.exit_code = XB_EXIT_USAGE;
    return xb_session_close(&session);
  }
  xb_session_watch(&session);
  for (size_t i = 0; i < session.request_count && !xb_session_is_over(&session); i++)
    run_request(&session, &session.requests[i], &s);
  alarm(0);
  end_sinks(&session, &s);
  return xb_session_close(&session);
}

int xb_command_run(const xb_options *options)
{
  const int code = run_once(options);
  return code == XB_EXIT_OK && options->checks & XB_CHECK_ORDER ? xb_check_order(options, run_once) : code;
}
