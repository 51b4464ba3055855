#include "base/exit_codes.h"
#include "base/safe_text.h"
#include "base/value_text.h"
#include "commands/run_in_child.h"
#include "commands/subcommands.h"
#include "commands/tuning_run.h"
#include "core/clock.h"
#include "core/grow.h"
#include "judge/stats.h"
#include "os/written_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- Measuring --------------------------------------------------------------------------------------------------- */

/* Candidates run as any cell does, in a process of their own. */

typedef struct pair_run {
  xb_tuning_run *tune;
  char **defines;
  size_t count;
  uint64_t seed;
} pair_run;

static int run_pair(const char *path, void *user)
{
  const pair_run *run = user;
  xb_options *o = &run->tune->in->options;
  o->json = path;
  o->conditions.seed = run->seed;
  o->quiet = o->in_child = o->conditions.no_controls = true;
  return xb_command_pair_run(run->tune->in, run->tune->manifest, run->defines, run->count);
}

/* The document of a run; NULL: see `o`. */
static const xb_document *call(xb_tuning_run *tune, xb_child_fn *fn, void *user, xb_tried *o)
{
  char *bytes;
  size_t count;
  xb_error error;
  const xb_document *document = NULL;
  o->code = xb_call_in_child(fn, user, &bytes, &count, o->why);
  if (o->code < 0 && xb_document_parse("a run", bytes, count, &document, &error))
    o->code = xb_report_error(XB_EXIT_DEVICE, "%s", error.message);
  if (document && tune->keep && !xb_write_whole_file(tune->keep, bytes, count))
    tune->unsaved = xb_report_error(XB_EXIT_USAGE, "%s: cannot be written: %s", tune->keep, strerror(errno));
  free(bytes);
  if (document && !xb_grow(&tune->documents, &tune->document_capacity, tune->document_count, sizeof document)) {
    xb_document_free(document);
    return NULL;
  }
  if (document)
    tune->documents[tune->document_count++] = document;
  return document;
}

const xb_result *xb_tune_result_on(const xb_document *d, const char *backend, size_t place)
{
  for (size_t i = 0; d && i < d->result_count; i++)
    if (d->results[i].yardstick != 1 && (!backend || !strcmp(d->results[i].backend, backend)) && !place--)
      return &d->results[i];
  return NULL;
}

const xb_result *xb_tune_first_side(const xb_document *d, const char *backend)
{
  const xb_result *first = NULL;
  for (size_t i = 0; xb_tune_result_on(d, backend, i); i++)
    if (!first || xb_tune_result_on(d, backend, i)->variant_number < first->variant_number)
      first = xb_tune_result_on(d, backend, i);
  return first;
}

/* One after the other: candidates of a pair are compiled anew. */
const xb_document *xb_tune_measure_pair(xb_tuning_run *tune, const xb_space *space, size_t candidate, uint64_t seed,
                                        xb_tried *o)
{
  char texts[XB_TUNE_PARAMETERS][64], *defines[XB_TUNE_PARAMETERS];
  for (size_t p = 0; p < space->count; p++) {
    snprintf(texts[p], sizeof texts[p], "%.40s=%llu", space->parameters[p].name,
             (unsigned long long)xb_space_value(space, candidate, p));
    defines[p] = texts[p];
  }
  pair_run run = {tune, defines, space->count, seed};
  return call(tune, run_pair, &run, o);
}

static xb_configuration configuration_of(xb_tuning_run *tune, const xb_space *space, size_t candidate,
                                         const char *backend)
{
  const xb_benchmark *b = tune->variant->benchmark;
  xb_configuration c = {.variant = tune->variant, .backend = backend};
  xb_set_axis_point(tune->options->selection, b, 0, c.at);
  for (size_t a = 0; a < b->axis_count; a++) { /* the axis keeps its base, unless --at names it */
    bool named = false;
    for (size_t i = 0; i < tune->options->selection->at_count; i++)
      named |= !strcmp(tune->options->selection->at[i].axis, b->axes[a].name);
    c.at[a] = named ? c.at[a] : b->axes[a].base;
  }
  for (size_t p = 0; space && p < space->count; p++) {
    const uint32_t value = (uint32_t)xb_space_value(space, candidate, p);
    for (size_t a = 0; a < b->axis_count; a++)
      if (!strcmp(b->axes[a].name, space->parameters[p].name))
        c.at[a] = value;
    if (!strcmp(space->parameters[p].name, "block"))
      c.block = value;
  }
  return c;
}

/* Together, interleaved, in one process. `space` NULL: the defaults, on each API. */
const xb_document *xb_tune_measure_variant(xb_tuning_run *tune, const xb_space *space, const char *backend,
                                           const size_t *candidates, size_t count, uint64_t seed, xb_tried *o)
{
  xb_configuration list[XB_TUNE_FINALISTS];
  xb_options options = *tune->options;
  for (size_t i = 0; i < count; i++)
    list[i] = configuration_of(tune, space, candidates ? candidates[i] : 0, backend);
  options.conditions.configurations = list;
  options.conditions.configuration_count = count;
  options.conditions.no_controls = options.quiet = true;
  options.devices.backend = backend ? backend : options.devices.backend;
  options.conditions.seed = seed;
  return call(tune, xb_run_to_file, &options, o);
}

/* Returns false if the user interrupted it. */
bool xb_tune_measure(xb_tuning_run *tune, const xb_tune_api *a, const size_t *candidates, size_t count, uint64_t seed,
                     xb_tried *outcomes)
{
  if (!tune->manifest) {
    const xb_document *d = xb_tune_measure_variant(tune, &a->space, a->backend, candidates, count, seed, outcomes);
    for (size_t i = count; i-- > 0;) {
      outcomes[i] = outcomes[0];
      outcomes[i].result = xb_tune_result_on(d, a->backend, i);
    }
    return outcomes[0].code != XB_EXIT_INTERRUPTED;
  }
  size_t order[XB_TUNE_FINALISTS];
  for (size_t i = 0; i < count; i++)
    order[i] = i;
  xb_shuffle(&seed, order, count);
  for (size_t i = 0; i < count; i++) {
    xb_tried *o = &outcomes[order[i]];
    o->result = xb_tune_first_side(xb_tune_measure_pair(tune, &a->space, candidates[order[i]], seed, o), a->backend);
    if (o->code == XB_EXIT_INTERRUPTED)
      return false;
  }
  return true;
}

static double seconds(xb_tuning_run *tune)
{
  return (xb_clock_ns() - tune->began_ns) / 1e9;
}

static void judge_trial(const xb_tried *o, xb_trial *t)
{
  const xb_result *r = o->result;
  const char *why = r ? xb_result_why(r) : o->why;
  t->validity = !r                                     ? (o->code == XB_EXIT_USAGE ? XB_BAD_COMPILE : XB_BAD_RUNTIME)
                : r->outcome == XB_CELL_OK             ? XB_CORRECT
                : r->outcome == XB_CELL_WRONG          ? XB_BAD_RESULT
                : r->outcome == XB_CELL_UNSUPPORTED    ? XB_BAD_CONSTRAINTS
                : strstr(why, "did not finish within") ? XB_BAD_TIMEOUT
                                                       : XB_BAD_RUNTIME;
  t->ns = t->validity ? 0 : r->time.median_ns;
  xb_safe_text(t->validity ? why : "", t->reason, sizeof t->reason);
}

static bool add_trial(xb_tuning_run *tune, xb_tune_api *a, xb_trial *t)
{
  char number[24], text[XB_TUNE_TEXT], time_text[32];
  const time_t now = time(NULL);
  t->at_s = a->before_s + seconds(tune) - a->began_s;
  strftime(t->date, sizeof t->date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
  snprintf(number, sizeof number, "%zu", a->trials.count + 1);
  if (t->validity)
    snprintf(text, sizeof text, "invalid, %s: %s", xb_validity_name(t->validity), t->reason);
  else
    snprintf(text, sizeof text, "%s%s", xb_format_time(t->ns, time_text, sizeof time_text),
             t->candidate == xb_space_standard(&a->space) ? "  (the default)" : "");
  xb_tune_print(number, NULL, &a->space, t->candidate, NULL, text);
  xb_flush_stdout();
  return xb_trials_add(&a->trials, t);
}

const char *xb_tune_file(xb_tuning_run *tune, const xb_tune_api *a, const char *kind)
{
  return xb_arena_text(&tune->arena, "%s.%s.%s.json", tune->out, a->backend, kind);
}

static int save(xb_tuning_run *tune, const xb_tune_api *a)
{
  xb_error error;
  if (!tune->out)
    return -1;
  xb_code code = xb_cache_write(xb_tune_file(tune, a, "cache"), &a->header, &a->space, &a->trials, &error);
  code = code ? code : xb_t4_write(xb_tune_file(tune, a, "t4"), &a->space, &a->trials, &error);
  return code ? xb_report_error(XB_EXIT_USAGE, "%s", error.message) : -1;
}

/* Candidates that a condition rules out are not run. Of a batch that lost its device, each is run alone. */
static int try_candidates(xb_tuning_run *tune, xb_tune_api *a, const size_t *asked, size_t count)
{
  xb_tried outcomes[XB_TUNE_BATCH] = {{0}};
  size_t list[XB_TUNE_BATCH], left = 0;
  bool good = true;
  const double before = seconds(tune);
  for (size_t i = 0; i < count; i++) {
    xb_error error;
    xb_trial t = {.candidate = asked[i], .validity = XB_BAD_CONSTRAINTS};
    if (!xb_space_check(&a->space, asked[i], &error)) {
      list[left++] = asked[i];
      continue;
    }
    xb_safe_text(error.message, t.reason, sizeof t.reason);
    good = good && add_trial(tune, a, &t);
  }
  if (left && !xb_tune_measure(tune, a, list, left, tune->options->conditions.seed, outcomes))
    return XB_EXIT_INTERRUPTED;
  for (size_t i = 0; i < left && good; i++) {
    xb_trial t = {.candidate = list[i], .spent_s = (seconds(tune) - before) / (double)left};
    judge_trial(&outcomes[i], &t);
    if (left > 1 && (t.validity == XB_BAD_RUNTIME || t.validity == XB_BAD_TIMEOUT) &&
        !xb_tune_measure(tune, a, &list[i], 1, tune->options->conditions.seed, &outcomes[i]))
      return XB_EXIT_INTERRUPTED;
    judge_trial(&outcomes[i], &t);
    good = add_trial(tune, a, &t);
  }
  return good ? save(tune, a) : xb_report_error(XB_EXIT_DEVICE, "out of host memory");
}

int xb_tune_search(xb_tuning_run *tune, xb_tune_api *a)
{
  size_t asked[XB_TUNE_BATCH], count;
  xb_search s;
  if (!xb_search_begin(&s, (xb_strategy)tune->strategy, &a->space, tune->options->conditions.seed))
    return xb_report_error(XB_EXIT_DEVICE, "out of host memory");
  printf("%s, on %s: %zu candidates\n", a->kernel, a->device, xb_space_size(&a->space));
  if (a->trials.count)
    printf("        %zu of them were tried before (%s)\n", a->trials.count, xb_tune_file(tune, a, "cache"));
  int code = -1;
  a->began_s = seconds(tune);
  a->before_s = a->trials.count ? a->trials.list[a->trials.count - 1].at_s : 0;
  while (code < 0 && a->trials.count < tune->most_candidates && seconds(tune) - a->began_s < tune->time_limit) {
    const uint64_t room = tune->most_candidates - a->trials.count;
    const size_t most = tune->manifest ? 1 : room < XB_TUNE_BATCH ? (size_t)room : XB_TUNE_BATCH;
    count = xb_search_ask(&s, &a->trials, most, asked);
    if (!count)
      break;
    code = try_candidates(tune, a, asked, count);
  }
  xb_search_end(&s);
  return code < 0 ? save(tune, a) : code;
}
