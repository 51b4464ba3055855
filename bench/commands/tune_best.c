/* The best candidates and the default, measured anew in several runs. */
#include "commands/tuning_run.h"

#include "base/exit_codes.h"
#include "table/table.h"
#include "tune/tune.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum { FINALISTS = 3 }; /* of the search */

typedef const xb_result *runs_of_finalists[XB_TUNE_MOST_RUNS][XB_TUNE_FINALISTS];

/* The default, and the best that are not clearly slower. Returns their number. */
static size_t choose_finalists(const xb_tune_api *a, size_t finalists[1 + FINALISTS])
{
  size_t best[FINALISTS], chosen = 0;
  const size_t standard = xb_space_standard(&a->space), count = xb_trials_best(&a->trials, standard, FINALISTS, best);
  const xb_trial *t = xb_trial_of(&a->trials, standard);
  const double most_ns = t && !t->validity ? t->ns * (1 + xb_default_margin(a->standard->on)) : INFINITY;
  finalists[chosen++] = standard;
  for (size_t i = 0; i < count; i++)
    if (xb_trial_of(&a->trials, best[i])->ns < most_ns)
      finalists[chosen++] = best[i];
  return chosen;
}

/* Of the finalists at two places, over all runs. */
static void compare(xb_tuning_run *tune, const xb_tune_api *a, runs_of_finalists runs, size_t subject, size_t base,
                    xb_gain *gain)
{
  xb_judgement judgements[XB_TUNE_MOST_RUNS] = {{.compared = false}};
  xb_judge_scratch *scratch = malloc(sizeof *scratch);
  const xb_result *const floors[2] = {NULL, NULL};
  const double margin = xb_default_margin(a->standard->on);
  bool good = scratch;
  for (size_t r = 0; r < tune->runs && good; r++) {
    const xb_rules rules = {.margin = margin,
                            .subject = "this one",
                            .base = "the other",
                            .margin_name = "margin",
                            .sample_name = "rounds",
                            .subject_seed = r + 1,
                            .base_seed = tune->manifest ? r + 1001 : r + 1,
                            .same_rounds = !tune->manifest};
    const xb_result *given_x = runs[r][subject], *given_y = runs[r][base];
    if (!given_x || !given_y)
      continue;
    xb_result x = *given_x, y = *given_y;
    x.check.counterpart = y.check.counterpart = NULL; /* both sides are of one API */
    if (xb_may_compare(&x, &y, &rules, judgements[r].reason))
      good = xb_judge_pair(&x, &y, floors, &rules, scratch, &judgements[r]);
  }
  free(scratch);
  *gain = good ? xb_gain_of(judgements, tune->runs, margin) : (xb_gain){.reason = "out of host memory"};
}

/* ---- The tables ------------------------------------------------------------------------------------------------- */

typedef struct tune_row {
  const char *label, *from, *candidate, *text;
  const xb_gain *gain;
} tune_row;

XB_COLUMN_VALUE(ratio, tune_row, r->gain->ratio)
XB_COLUMN_PRINT(interval, tune_row, true, "[%6.3f, %6.3f]", r->gain->interval.low, r->gain->interval.high)
XB_COLUMN_PRINT(verdict, tune_row, true, "%s%s%s", xb_verdict_name(r->gain->verdict), *r->gain->reason ? ": " : "",
                r->gain->reason)

static bool failed(const xb_table *s XB_UNUSED, const void *row, bool column_group XB_UNUSED, char out[XB_TABLE_TEXT])
{
  const tune_row *r = row;
  snprintf(out, XB_TABLE_TEXT, "%s%s", r->gain ? "no ratio: " : "", r->gain ? r->gain->reason : r->text);
  return !r->gain || !(r->gain->ratio > 0);
}

#define OF(name) XB_AT(tune_row, TEXT, name)
void xb_tune_print(const char *label, const char *from, const xb_space *space, size_t candidate, const xb_gain *gain,
                   const char *text)
{
  const unsigned carried = from ? XB_IN_TEXT : XB_IN_CSV, compared = from || gain ? XB_IN_TEXT : XB_IN_CSV;
  const xb_column columns[] = {
      {"", from ? 11 : 6, .left = from, OF(label)},
      {"", 24, .in = carried, .left = true, OF(from)},
      {"", from ? 28 : 32, .left = true, .before = from ? " " : "  ", OF(candidate)},
      {"", 7, "%.3f", ratio, .fails = true},
      {"", 16, .in = compared, .before = "  ", .text = interval},
      {"", 8, .in = compared, .left = true, .before = "  ", .text = verdict},
  };
  xb_table s = {.failed = failed, .label_columns = from ? 3 : gain ? 2 : 0, .indent = from ? 2 : 0};
  char values[XB_TUNE_TEXT];
  xb_table_add_all(&s, columns, sizeof columns / sizeof *columns);
  xb_table_fit(&s);
  xb_space_text(space, candidate, values, sizeof values);
  xb_table_print_row(&s, &(tune_row){label, from, values, text, gain});
}

/* ---- Several runs ----------------------------------------------------------------------------------------------- */

/* Measures candidates in several runs, each with other places; the last one is kept as the file, if there is one.
 * Returns false if the user interrupted it. */
static bool measure_runs(xb_tuning_run *tune, const xb_tune_api *a, const size_t *candidates, size_t count,
                         uint64_t seed, const char *file, runs_of_finalists runs)
{
  xb_tried outcomes[XB_TUNE_FINALISTS] = {{0}};
  xb_flush_stdout();
  for (size_t r = 0; r < tune->runs; r++) {
    tune->keep = r + 1 == tune->runs ? file : NULL;
    if (!xb_tune_measure(tune, a, candidates, count, tune->options->conditions.seed + seed + r, outcomes))
      return false;
    for (size_t i = 0; i < count; i++)
      runs[r][i] = outcomes[i].result;
  }
  tune->keep = NULL;
  return true;
}

static const char *run_file(xb_tuning_run *tune, const xb_tune_api *a)
{
  return tune->out ? xb_tune_file(tune, a, "run") : NULL;
}

/* The place of the fastest finalist that is faster than the default; 0: none is. */
static size_t choose_best(xb_tuning_run *tune, const xb_tune_api *a, runs_of_finalists runs, const size_t *finalists,
                          size_t count)
{
  xb_gain gain;
  double least = INFINITY;
  size_t best = 0;
  for (size_t i = 1; i < count; i++) {
    compare(tune, a, runs, i, 0, &gain);
    xb_tune_print("", NULL, &a->space, finalists[i], &gain, NULL);
    if (gain.verdict == XB_FASTER && gain.ratio < least) {
      least = gain.ratio;
      best = i;
    }
  }
  return best;
}

static int save_best(xb_tuning_run *tune, const xb_tune_api *a, const xb_gain *gain)
{
  char text[XB_TUNE_TEXT];
  xb_error error;
  char path[XB_PRESET_PATH];
  const char *values = xb_space_text(&a->space, a->best, text, sizeof text);
  if (tune->manifest)
    printf("best for %s: %s; make it the Default of the manifest, or give it as --define\n", a->backend, values);
  else if (xb_preset_save(a->standard, &a->space, a->best, gain, path, &error))
    return xb_report_error(XB_EXIT_USAGE, "%s", error.message);
  else
    printf("saved for %s: %s (%s)\n", a->backend, values, path);
  return -1;
}

/* The best of several had luck. So it is measured once more, alone with the default: this is the gain that counts. */
static int confirm_best(xb_tuning_run *tune, xb_tune_api *a, size_t best, runs_of_finalists runs)
{
  const size_t candidates[] = {a->best, best};
  xb_gain gain;
  if (!measure_runs(tune, a, candidates, 2, 2000, run_file(tune, a), runs))
    return XB_EXIT_INTERRUPTED;
  compare(tune, a, runs, 1, 0, &gain);
  xb_tune_print("again", NULL, &a->space, best, &gain, NULL);
  if (gain.verdict == XB_FASTER) {
    a->best = best;
    return save_best(tune, a, &gain);
  }
  printf("the default stays for %s: the repeated runs were not faster\n", a->backend);
  return -1;
}

/* Nothing else can be measured anew. */
static void print_why_default(const xb_tune_api *a)
{
  const size_t standard = xb_space_standard(&a->space);
  char text[XB_TUNE_TEXT];
  size_t best, first = 0;
  while (first < a->trials.count && a->trials.list[first].candidate == standard)
    first++;
  printf("the default stays for %s: ", a->backend);
  if (xb_trials_best(&a->trials, standard, 1, &best))
    printf("each candidate is slower\n");
  else if (first == a->trials.count)
    printf("no other candidate was tried\n");
  else
    printf("no other candidate has a time; %s: %s\n",
           xb_space_text(&a->space, a->trials.list[first].candidate, text, sizeof text), a->trials.list[first].reason);
}

int xb_tune_confirm(xb_tuning_run *tune, xb_tune_api *a)
{
  runs_of_finalists runs = {{NULL}};
  size_t finalists[1 + FINALISTS];
  const size_t count = choose_finalists(a, finalists);
  a->best = finalists[0];
  if (count == 1) {
    print_why_default(a);
    return -1;
  }
  printf("the best and the default on %s, %llu runs with other placements: time / the default's\n", a->backend,
         (unsigned long long)tune->runs);
  if (!measure_runs(tune, a, finalists, count, 1000, run_file(tune, a), runs))
    return XB_EXIT_INTERRUPTED;
  const size_t best = choose_best(tune, a, runs, finalists, count);
  if (best)
    return confirm_best(tune, a, finalists[best], runs);
  printf("the default stays for %s: no candidate is faster\n", a->backend);
  return -1;
}

/* ---- What the best of one costs on another ---------------------------------------------------------------------- */

/* The own best, then what is carried here from other APIs and devices. */
typedef struct carried {
  size_t candidates[XB_TUNE_FINALISTS];
  const char *from[XB_TUNE_FINALISTS]; /* "best of cuda"; the first has none */
  size_t count;
} carried;

/* The spaces of APIs differ in their defaults only, so a candidate is the same in each. */
static void carry(xb_tuning_run *tune, const xb_tune_api *a, carried *c)
{
  *c = (carried){.candidates = {a->best}, .count = 1};
  for (const xb_tune_api *other = tune->apis; other < tune->apis + tune->api_count; other++)
    if (other != a) {
      const bool standard = other->best == xb_space_standard(&other->space);
      c->candidates[c->count] = other->best;
      c->from[c->count++] = xb_arena_text(&tune->arena, "%s of %s", standard ? "default" : "best", other->backend);
    }
  const char *names[XB_TUNE_BATCH];
  const size_t elsewhere =
      xb_presets_elsewhere(a->standard, &a->space, &tune->arena, &c->candidates[c->count], names, 0, XB_TUNE_BATCH);
  for (size_t i = 0; i < elsewhere; i++)
    c->from[c->count++] = xb_arena_text(&tune->arena, "best of %s", names[i]);
}

static int transfer_to(xb_tuning_run *tune, const xb_tune_api *a)
{
  runs_of_finalists runs = {{NULL}};
  carried c;
  const char *on = xb_arena_text(&tune->arena, "on %s", a->backend);
  size_t different[XB_TUNE_FINALISTS], places[XB_TUNE_FINALISTS], count = 0;
  carry(tune, a, &c);
  for (size_t i = 0; i < c.count; i++) {
    places[i] = 0;
    while (places[i] < count && different[places[i]] != c.candidates[i])
      places[i]++;
    if (places[i] == count)
      different[count++] = c.candidates[i];
  }
  if (count > 1 && !measure_runs(tune, a, different, count, 3000, NULL, runs))
    return XB_EXIT_INTERRUPTED;
  xb_tune_print(on, a->best == xb_space_standard(&a->space) ? "the default stays" : "own best", &a->space, a->best,
                NULL, "");
  if (c.count == 1)
    printf("  %-11s there is no other API, and no preset of another device\n", on);
  for (size_t i = 1; i < c.count; i++) {
    xb_gain gain;
    if (places[i])
      compare(tune, a, runs, places[i], 0, &gain);
    xb_tune_print(on, c.from[i], &a->space, c.candidates[i], places[i] ? &gain : NULL, "the same");
  }
  return -1;
}

int xb_tune_transfer(xb_tuning_run *tune)
{
  int code = -1;
  printf("\ntransfer: the best of other APIs and devices: time / the time of the device's own best (or default)\n");
  for (const xb_tune_api *a = tune->apis; a < tune->apis + tune->api_count && code < 0; a++)
    code = transfer_to(tune, a);
  return code;
}
