/* The best candidates and the default, measured anew in several runs. */
#include "commands/tuning_run.h"

#include "exit_codes.h"
#include "tune/preset.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { FINALISTS = 3 }; /* of the search */

static void add_finalist(xb_tune_api *a, size_t candidate, const char *from)
{
  for (size_t i = 0; i < a->finalist_count; i++)
    if (a->finalists[i] == candidate) {
      a->from[i] = a->from[i] ? a->from[i] : from;
      return;
    }
  if (a->finalist_count == XB_TUNE_BATCH)
    return;
  a->finalists[a->finalist_count] = candidate;
  a->from[a->finalist_count++] = from;
}

/* The best of an API, as far as the search tells. */
static size_t best_of(const xb_tune_api *a)
{
  size_t best = xb_space_standard(&a->space), other;
  const xb_trial *t = xb_trial_of(&a->trials, best);
  const bool faster =
      xb_trials_best(&a->trials, best, 1, &other) && (!t || t->validity || xb_trial_of(&a->trials, other)->ns < t->ns);
  return faster ? other : best;
}

/* The default; the best that are not clearly slower; with --transfer the best of other APIs and devices. */
static void choose_finalists(xb_tune_api *a)
{
  size_t best[FINALISTS], candidates[XB_TUNE_BATCH];
  const char *names[XB_TUNE_BATCH];
  const size_t standard = xb_space_standard(&a->space), count = xb_trials_best(&a->trials, standard, FINALISTS, best);
  const xb_trial *t = xb_trial_of(&a->trials, standard);
  const double most_ns = t && !t->validity ? t->ns * (1 + xb_default_margin(a->standard->on)) : INFINITY;
  add_finalist(a, standard, NULL);
  for (size_t i = 0; i < count; i++)
    if (xb_trial_of(&a->trials, best[i])->ns < most_ns)
      add_finalist(a, best[i], NULL);
  for (const xb_tune_api *other = xb_tune.apis; other < xb_tune.apis + xb_tune.api_count && xb_tune.transfer; other++)
    if (other != a)
      add_finalist(a, best_of(other), other->backend);
  const size_t elsewhere = xb_tune.transfer ? xb_presets_elsewhere(a->standard, &a->space, &xb_tune.arena, candidates,
                                                                   names, 0, XB_TUNE_BATCH)
                                            : 0;
  for (size_t i = 0; i < elsewhere; i++)
    add_finalist(a, candidates[i], names[i]);
}

typedef const xb_result *runs_of_finalists[XB_TUNE_MOST_RUNS][XB_TUNE_FINALISTS];

/* Of the finalists at two places, over all runs. */
static void compare(const xb_tune_api *a, runs_of_finalists runs, size_t subject, size_t base, xb_gain *gain)
{
  xb_judgement judgements[XB_TUNE_MOST_RUNS] = {{.compared = false}};
  xb_judge_scratch *scratch = malloc(sizeof *scratch);
  const xb_result *const floors[2] = {NULL, NULL};
  const double margin = xb_default_margin(a->standard->on);
  bool good = scratch;
  for (size_t r = 0; r < xb_tune.runs && good; r++) {
    const xb_rules rules = {.margin = margin,
                            .subject = "this one",
                            .base = "the default",
                            .margin_name = "margin",
                            .sample_name = "rounds",
                            .subject_seed = r + 1,
                            .base_seed = xb_tune.manifest ? r + 1001 : r + 1,
                            .same_rounds = !xb_tune.manifest};
    const xb_result *given_x = runs[r][subject], *given_y = runs[r][base];
    if (!given_x || !given_y)
      continue;
    xb_result x = *given_x, y = *given_y;
    x.counterpart = y.counterpart = NULL; /* both sides are of one API */
    if (xb_may_compare(&x, &y, &rules, judgements[r].reason))
      good = xb_judge_pair(&x, &y, floors, &rules, scratch, &judgements[r]);
  }
  free(scratch);
  *gain = good ? xb_gain_of(judgements, xb_tune.runs, margin) : (xb_gain){.reason = "out of host memory"};
}

static void print_gain(const xb_gain *g)
{
  if (g->ratio > 0)
    printf("%7.3f  [%6.3f, %6.3f]  %s%s%s\n", g->ratio, g->interval.low, g->interval.high, xb_verdict_name(g->verdict),
           *g->reason ? ": " : "", g->reason);
  else
    printf("no ratio: %s\n", g->reason);
}

/* Measures candidates in several runs, each with other places. Returns false if the user interrupted it. */
static bool measure_runs(const xb_tune_api *a, const size_t *candidates, size_t count, uint64_t seed,
                         runs_of_finalists runs)
{
  xb_tried outcomes[XB_TUNE_FINALISTS] = {{0}};
  fflush(stdout);
  for (size_t r = 0; r < xb_tune.runs; r++) {
    xb_tune.keep = xb_tune.out && r + 1 == xb_tune.runs ? xb_tune_file(a, "run") : NULL;
    if (!xb_tune_measure(a, candidates, count, seed + r, outcomes))
      return false;
    for (size_t i = 0; i < count; i++)
      runs[r][i] = outcomes[i].result;
  }
  xb_tune.keep = NULL;
  return true;
}

/* The place of the fastest finalist that is faster than the default; 0: none is. */
static size_t choose_best(xb_tune_api *a)
{
  xb_gain gain;
  char text[XB_TUNE_TEXT];
  double least = INFINITY;
  size_t best = 0;
  for (size_t i = 1; i < a->finalist_count; i++) {
    compare(a, a->measured, i, 0, &gain);
    printf("        %-32s ", xb_space_text(&a->space, a->finalists[i], text, sizeof text));
    print_gain(&gain);
    if (gain.verdict == XB_FASTER && gain.ratio < least) {
      least = gain.ratio;
      best = i;
    }
  }
  return best;
}

static int save_best(xb_tune_api *a, const xb_gain *gain)
{
  char text[XB_TUNE_TEXT];
  xb_error error;
  const char *path, *values = xb_space_text(&a->space, a->finalists[a->winner], text, sizeof text);
  if (xb_tune.manifest)
    printf("best for %s: %s; make it the Default of the manifest, or give it as --define\n", a->backend, values);
  else if (xb_preset_save(a->standard, &a->space, a->finalists[a->winner], gain, &path, &error))
    return xb_report_error(XB_EXIT_USAGE, "%s", error.message);
  else
    printf("saved for %s: %s (%s)\n", a->backend, values, path);
  return -1;
}

/* The best of several had luck. So it is measured once more, alone with the default: this is the gain that counts. */
static int confirm_best(xb_tune_api *a, size_t best)
{
  static runs_of_finalists runs;
  const size_t candidates[] = {a->finalists[0], a->finalists[best]};
  char text[XB_TUNE_TEXT];
  xb_gain gain;
  if (!measure_runs(a, candidates, 2, xb_tune.options->seed + 2000, runs))
    return XB_EXIT_INTERRUPTED;
  compare(a, runs, 1, 0, &gain);
  printf("  again %-32s ", xb_space_text(&a->space, candidates[1], text, sizeof text));
  print_gain(&gain);
  if (gain.verdict == XB_FASTER) {
    a->winner = best;
    return save_best(a, &gain);
  }
  printf("the default stays for %s: not faster again\n", a->backend);
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

int xb_tune_confirm(xb_tune_api *a)
{
  choose_finalists(a);
  if (a->finalist_count == 1) {
    print_why_default(a);
    return -1;
  }
  printf("the best and the default on %s, %llu runs in other places: time / the default's\n", a->backend,
         (unsigned long long)xb_tune.runs);
  if (!measure_runs(a, a->finalists, a->finalist_count, xb_tune.options->seed + 1000, a->measured))
    return XB_EXIT_INTERRUPTED;
  const size_t best = choose_best(a);
  if (best)
    return confirm_best(a, best);
  printf("the default stays for %s: no candidate is faster\n", a->backend);
  return -1;
}

/* ---- What the best of one costs on another ---------------------------------------------------------------------- */

void xb_tune_print_transfer(void)
{
  char text[XB_TUNE_TEXT];
  bool any = false;
  for (const xb_tune_api *a = xb_tune.apis; a < xb_tune.apis + xb_tune.api_count; a++)
    for (size_t i = 0; i < a->finalist_count; i++)
      any |= a->from[i] != NULL;
  printf("\ntransfer: %s\n",
         any ? "time / that of the own best" : "there is no other API, and no preset of another device");
  for (xb_tune_api *a = xb_tune.apis; a < xb_tune.apis + xb_tune.api_count; a++)
    for (size_t i = 0; i < a->finalist_count; i++) {
      xb_gain gain;
      if (!a->from[i])
        continue;
      printf("  on %-8s best of %-20s %-28s ", a->backend, a->from[i],
             xb_space_text(&a->space, a->finalists[i], text, sizeof text));
      if (i == a->winner) {
        printf("the own best\n");
        continue;
      }
      compare(a, a->measured, i, a->winner, &gain);
      print_gain(&gain);
    }
}
