/* xbench tune: searches the best configuration of a variant, or of a pair of one's own, on each API. */
#include "base/fold.h"
#include "commands/command_line.h"
#include "commands/subcommands.h"
#include "commands/tuning_run.h"
#include "core/clock.h"
#include "pair/pair.h"
#include "result/json_file.h"
#include "tune/tune.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Preparing -------------------------------------------------------------------------------------------------- */

static void add_parameter(xb_space *s, const char *name, const uint64_t *values, size_t count, uint64_t standard)
{
  xb_tuned *p = &s->parameters[s->count++];
  *p = (xb_tuned){.name = name};
  for (size_t i = 0; i < count && p->count < XB_TUNE_VALUES; i++) {
    p->standard = values[i] == standard ? p->count : p->standard;
    p->values[p->count++] = values[i];
  }
}

/* The group sizes that the variant takes, and the values of the axes that --at names. */
static void make_space(xb_tuning_run *tune, const xb_result *standard, xb_space *s)
{
  const xb_benchmark *b = tune->variant->benchmark;
  uint64_t values[XB_MAX_AT_VALUES];
  size_t count = 0;
  for (size_t i = 0; xb_block_at(b, i) && count < XB_TUNE_VALUES; i++)
    if (xb_takes_block(tune->variant, xb_block_at(b, i)))
      values[count++] = xb_block_at(b, i);
  *s = (xb_space){.count = 0};
  add_parameter(s, "block", values, count, standard->work.block);
  for (size_t i = 0; i < tune->options->selection->at_count; i++) {
    const xb_axis_choice *choice = &tune->options->selection->at[i];
    for (size_t v = 0; v < choice->count; v++)
      values[v] = choice->values[v];
    if (choice->count > 1)
      add_parameter(s, choice->axis, values, choice->count, choice->values[0]);
  }
}

/* The first result of each API tells its device, its defaults and its source. */
static int add_api(xb_tuning_run *tune, const xb_result *r, xb_error *error)
{
  xb_tune_api *a = &tune->apis[tune->api_count++];
  *a = (xb_tune_api){.backend = r->backend, .standard = r};
  if (tune->manifest && xb_space_read(tune->space, tune->t1 ? tune->t1 : tune->manifest, &a->space, error))
    return xb_report_error(XB_EXIT_USAGE, "%s", error->message);
  if (!tune->manifest)
    make_space(tune, r, &a->space);
  snprintf(a->kernel, sizeof a->kernel, "%.60s/%.60s %s %.20s", r->benchmark, r->variant, r->backend, r->dtype);
  snprintf(a->device, sizeof a->device, "%.250s", r->on->name);
  const char *search =
      xb_arena_text(&tune->arena, "%s, %s, %s, %s cache, %s loop, seed %" PRIu64, r->on->driver ? r->on->driver : "",
                    r->code.source_hash ? r->code.source_hash : "", r->launch_mode, r->conditions.cache,
                    r->conditions.loop, tune->options->conditions.seed);
  a->header = (xb_tune_header){a->kernel,
                               a->device,
                               search,
                               r->work.rows ? r->work.rows : 1,
                               r->work.columns ? r->work.columns : r->work.size,
                               r->work.inner};
  /* Written at once, so that a path that cannot be written costs no search. */
  if (tune->out && (xb_cache_read(xb_tune_file(tune, a, "cache"), &a->header, &a->space, &a->trials, error) ||
                    xb_cache_write(xb_tune_file(tune, a, "cache"), &a->header, &a->space, &a->trials, error)))
    return xb_report_error(XB_EXIT_USAGE, "%s", error->message);
  return -1;
}

static int prepare(xb_tuning_run *tune)
{
  xb_tried o = {0};
  xb_error error;
  xb_space space;
  if (tune->manifest ? xb_space_read(tune->space, tune->t1 ? tune->t1 : tune->manifest, &space, &error)
                     : xb_presets_check(&error))
    return xb_report_error(XB_EXIT_USAGE, "%s", error.message);
  const xb_document *d =
      tune->manifest ? xb_tune_measure_pair(tune, &space, xb_space_standard(&space), tune->options->conditions.seed, &o)
                     : xb_tune_measure_variant(tune, NULL, NULL, NULL, 1, tune->options->conditions.seed, &o);
  if (!d)
    return o.code == XB_EXIT_INTERRUPTED ? o.code : xb_report_error(o.code, "tune: the default: %s", o.why);
  int code = -1;
  for (size_t i = 0; xb_tune_result_on(d, NULL, i) && tune->api_count < XB_MAX_BACKENDS && code < 0; i++) {
    const xb_result *r = xb_tune_result_on(d, NULL, i);
    bool known = false;
    for (size_t k = 0; k < tune->api_count; k++)
      known |= !strcmp(tune->apis[k].backend, r->backend);
    if (!known && r->outcome == XB_CELL_OK)
      code = add_api(tune, xb_tune_first_side(d, r->backend), &error);
    else if (!known)
      xb_report_error(0, "tune: the default is refused on %s: %s", r->backend, xb_result_why(r));
  }
  return code < 0 && !tune->api_count
             ? xb_report_error(XB_EXIT_UNAVAILABLE, "tune: nothing to search: no API takes the default%s",
                               tune->options->selection->at_count ? ", which has the first value of each --at" : "")
             : code;
}

/* ---- The command ------------------------------------------------------------------------------------------------ */

static const xb_option options[] = {
    {"strategy", 0, XB_OPT_WORD, offsetof(xb_tuning_run, strategy), "how to search (default: all)",
     .value = "all|random|local|annealing", .otherwise = XB_SEARCH_ALL},
    {"max-candidates", 0, XB_OPT_COUNT, offsetof(xb_tuning_run, most_candidates),
     "try at most N candidates on each API (default 1000)", .value = "N", .otherwise = 1000},
    {"time-limit", 0, XB_OPT_SECONDS, offsetof(xb_tuning_run, time_limit),
     "search for at most S seconds on each API (default 600)", .value = "S", .otherwise = 600, .limit = 1e6},
    {"runs", 0, XB_OPT_COUNT, offsetof(xb_tuning_run, runs),
     "processes that measure the best configuration again (default 5)", .value = "N", .otherwise = 5},
    {"transfer", 0, XB_OPT_FLAG, offsetof(xb_tuning_run, transfer),
     .help = "also measure the best configurations of the other APIs and devices"},
    {"t1", 0, XB_OPT_TEXT, offsetof(xb_tuning_run, t1), "a pair: read the parameters from a T1 file of Kernel Tuner",
     .value = "FILE"},
    XB_TRUST_OPTIONS(xb_tuning_run),
    {"out", 'o', XB_OPT_TEXT, offsetof(xb_tuning_run, out),
     "write NAME.API.cache.json, with which the search resumes, and NAME.API.t4.json", .value = "NAME"},
    {0}};

/* What does not fit a search; NULL: nothing. */
static const char *mistake_of(xb_tuning_run *tune, const xb_options *o)
{
  return o->json || o->csv || o->format ? "--json, --csv, --format: 'xbench tune' makes many runs: give --out NAME"
         : o->selection->size_count > 1 ? "--size: expected one size: each size has its own best configuration"
         : o->selection->dtype_count > 1
             ? "--dtype: expected one element type: each type has its own best configuration"
         : o->devices.launch_mode_count > 1 ? "--launch: expected one way to launch"
         : o->devices.queue_family_count > 1 || o->devices.all_queue_families
             ? "--queue-family: expected one queue family"
         : o->conditions.block && tune->manifest ? "--block: the manifest says how many threads a group has"
         : o->conditions.block                   ? "--block: 'xbench tune' tries all group sizes: leave it out"
         : o->conditions.window_bytes            ? "--window: only valid in a run, or with 'xbench compare'"
         : o->preset ? "--preset: 'xbench tune' makes presets but does not use them: leave it out"
                     : NULL;
}

static int take_variant(xb_tuning_run *tune, const char *const *words)
{
  const int code = xb_complete_words(tune->in, words);
  const xb_selection *selected = tune->options->selection->selected;
  if (code >= 0)
    return code;
  if (tune->options->selection->selected_count > 1)
    return xb_report_error(XB_EXIT_USAGE, "tune: %s has several variants: name one, such as %s/%u", words[0], words[0],
                           selected->variant->number);
  if (!xb_has_kernel(selected->variant))
    return xb_report_error(XB_EXIT_USAGE, "tune: %s has no kernel, so no group size to search", words[0]);
  for (size_t i = 0; i < tune->options->selection->at_count; i++)
    if (tune->options->selection->at[i].count > XB_TUNE_VALUES)
      return xb_report_error(XB_EXIT_USAGE, "--at: %s has more than %d values", tune->options->selection->at[i].axis,
                             XB_TUNE_VALUES);
  tune->variant = selected->variant;
  return -1;
}

static int take_manifest(xb_tuning_run *tune, const char *path)
{
  const char *file = tune->t1 ? tune->t1 : path;
  xb_error error;
  const int code = xb_complete_values(tune->in);
  if (code >= 0)
    return code;
  tune->manifest = path;
  return xb_report_refusal(xb_json_load(file, &tune->space, &error), &error);
}

static int take(xb_invocation *in, const char *const *words)
{
  xb_tuning_run *tune = in->own;
  const bool manifest = xb_is_json_name(words[0]);
  if (!words[0] || !*words[0])
    return xb_report_error(XB_EXIT_USAGE, "tune: name one variant, such as reduce/7, or the manifest of a pair");
  if (words[1])
    return xb_report_error(XB_EXIT_USAGE, "tune: expected one variant or manifest, not also '%s'", words[1]);
  if (tune->runs < XB_TUNE_FEWEST_RUNS || tune->runs > XB_TUNE_MOST_RUNS)
    return xb_report_error(XB_EXIT_USAGE, "--runs: expected %d to %d", XB_TUNE_FEWEST_RUNS, XB_TUNE_MOST_RUNS);
  if (!tune->most_candidates)
    return xb_report_error(XB_EXIT_USAGE, "--max-candidates: expected 1 or more");
  if (tune->t1 && !manifest)
    return xb_report_error(XB_EXIT_USAGE, "--t1: only valid with the manifest of a pair");
  tune->in = in;
  tune->options = &in->options;
  xb_pair_trust = tune->trust;
  const int code = manifest ? take_manifest(tune, words[0]) : take_variant(tune, words);
  const char *mistake = code < 0 ? mistake_of(tune, tune->options) : NULL;
  return mistake ? xb_report_error(XB_EXIT_USAGE, "%s", mistake) : code;
}

static int run(xb_invocation *in)
{
  xb_tuning_run *tune = in->own;
  xb_fold_stdout();
  tune->began_ns = xb_clock_ns();
  int code = prepare(tune);
  for (xb_tune_api *a = tune->apis; a < tune->apis + tune->api_count && code < 0; a++)
    code = xb_tune_search(tune, a);
  for (xb_tune_api *a = tune->apis; a < tune->apis + tune->api_count && code < 0; a++)
    code = xb_tune_confirm(tune, a);
  if (code < 0 && tune->transfer)
    code = xb_tune_transfer(tune);
  if (code == XB_EXIT_INTERRUPTED)
    xb_report_error(code, "interrupted; %s",
                    tune->out ? "the same command continues the search" : "with --out NAME a search can be continued");
  for (size_t i = 0; i < tune->document_count; i++)
    xb_document_free(tune->documents[i]);
  for (size_t i = 0; i < tune->api_count; i++)
    free(tune->apis[i].trials.list);
  free(tune->documents);
  json_decref(tune->space);
  xb_arena_free(&tune->arena);
  return code < 0 ? tune->unsaved : code;
}

const xb_subcommand xb_command_tune = {.name = "tune",
                                       .usage = "[OPTION...] BENCHMARK/VARIANT|MANIFEST.json",
                                       .where = "tune: ",
                                       .options = options,
                                       .own_bytes = sizeof(xb_tuning_run),
                                       .runs = true,
                                       .take = take,
                                       .run = run};
