#include "core/grow.h"
#include "judge/stats.h"
#include "tune/tune.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double HEAT = 0.3, COOLING = 0.97, COLD = 0.002; /* of ANNEALING: how much slower is often accepted */

/* ---- Trials ----------------------------------------------------------------------------------------------------- */

const xb_trial *xb_trial_of(const xb_trials *trials, size_t candidate)
{
  for (size_t i = 0; i < trials->count; i++)
    if (trials->list[i].candidate == candidate)
      return &trials->list[i];
  return NULL;
}

bool xb_trials_add(xb_trials *trials, const xb_trial *trial)
{
  if (!xb_grow(&trials->list, &trials->capacity, trials->count, sizeof *trials->list))
    return false;
  trials->list[trials->count++] = *trial;
  return true;
}

size_t xb_trials_best(const xb_trials *trials, size_t standard, size_t most, size_t *best)
{
  size_t count = 0;
  while (count < most) {
    const xb_trial *next = NULL;
    for (const xb_trial *t = trials->list; t && t < trials->list + trials->count; t++) {
      bool taken = t->candidate == standard || t->validity != XB_CORRECT;
      for (size_t i = 0; i < count; i++)
        taken |= best[i] == t->candidate;
      if (!taken && (!next || t->ns < next->ns))
        next = t;
    }
    if (!next)
      break;
    best[count++] = next->candidate;
  }
  return count;
}

static double time_of(const xb_trials *trials, size_t candidate)
{
  const xb_trial *t = xb_trial_of(trials, candidate);
  return t && t->validity == XB_CORRECT ? t->ns : INFINITY;
}

/* ---- Strategies ------------------------------------------------------------------------------------------------- */

bool xb_search_begin(xb_search *s, xb_strategy strategy, const xb_space *space, uint64_t seed)
{
  const size_t size = xb_space_size(space);
  *s = (xb_search){.strategy = strategy, .space = space, .random = seed, .heat = HEAT};
  s->current = xb_space_standard(space);
  s->order = malloc(size * sizeof *s->order);
  for (size_t i = 0; s->order && i < size; i++)
    s->order[i] = i;
  if (s->order && strategy != XB_SEARCH_ALL)
    xb_shuffle(&s->random, s->order, size);
  return s->order;
}

void xb_search_end(xb_search *s)
{
  free(s->order);
  s->order = NULL;
}

/* The next ones of the order. */
static size_t ask_in_order(xb_search *s, const xb_trials *trials, size_t most, size_t *out)
{
  size_t count = 0;
  for (; s->next < xb_space_size(s->space) && count < most; s->next++)
    if (!xb_trial_of(trials, s->order[s->next]))
      out[count++] = s->order[s->next];
  return count;
}

/* The neighbour with the place before or after; the candidate itself at an end. */
static size_t neighbour(const xb_search *s, size_t parameter, bool up)
{
  const size_t place = xb_space_place(s->space, s->current, parameter);
  const bool end = up ? place + 1 == s->space->parameters[parameter].count : !place;
  return end ? s->current : xb_space_moved(s->space, s->current, parameter, up ? place + 1 : place - 1);
}

/* From the default to the best neighbour, as long as one is better; then from another candidate. */
static size_t ask_local(xb_search *s, const xb_trials *trials, size_t most, size_t *out)
{
  if (s->has_pending)
    s->current = s->pending;
  s->has_pending = false;
  for (;;) {
    size_t count = 0, best = s->current;
    if (!xb_trial_of(trials, s->current))
      out[count++] = s->current;
    for (size_t p = 0; p < 2 * s->space->count; p++) {
      const size_t other = neighbour(s, p / 2, p % 2);
      if (other != s->current && !xb_trial_of(trials, other) && count < most)
        out[count++] = other;
      best = time_of(trials, other) < time_of(trials, best) ? other : best;
    }
    if (count)
      return count;
    if (best == s->current)
      break;
    s->current = best;
  }
  s->has_pending = ask_in_order(s, trials, 1, out);
  s->pending = s->has_pending ? out[0] : s->current;
  return s->has_pending;
}

static bool accepts(xb_search *s, const xb_trials *trials, size_t candidate)
{
  const double now = time_of(trials, s->current), then = time_of(trials, candidate);
  const double draw = ((double)(xb_random(&s->random) >> 11) + 0.5) * 0x1p-53;
  s->heat = fmax(s->heat * COOLING, COLD);
  return then <= now || (isfinite(then) && draw < exp((1 - then / now) / s->heat));
}

/* One step at a time; what was tried before costs nothing. */
static size_t ask_annealing(xb_search *s, const xb_trials *trials, size_t *out)
{
  enum { MOST_STEPS = 1000 };
  out[0] = s->current;
  if (!xb_trial_of(trials, s->current))
    return 1;
  for (int i = 0; i < MOST_STEPS; i++) {
    if (s->has_pending && accepts(s, trials, s->pending))
      s->current = s->pending;
    const uint64_t draw = xb_random(&s->random);
    s->pending = neighbour(s, draw / 2 % s->space->count, draw % 2);
    s->has_pending = true;
    if (!xb_trial_of(trials, s->pending)) {
      out[0] = s->pending;
      return 1;
    }
  }
  s->has_pending = ask_in_order(s, trials, 1, out);
  s->pending = s->has_pending ? out[0] : s->current;
  return s->has_pending;
}

size_t xb_search_ask(xb_search *s, const xb_trials *trials, size_t most, size_t *out)
{
  return s->strategy == XB_SEARCH_LOCAL       ? ask_local(s, trials, most, out)
         : s->strategy == XB_SEARCH_ANNEALING ? ask_annealing(s, trials, out)
                                              : ask_in_order(s, trials, most, out);
}

/* ---- The verdict ------------------------------------------------------------------------------------------------- */

xb_gain xb_gain_of(const xb_judgement *runs, size_t count, double margin)
{
  double logs[XB_TUNE_MOST_RUNS], scratch[XB_TUNE_MOST_RUNS];
  xb_gain gain = {.verdict = XB_UNCLEAR};
  for (size_t i = 0; i < count && gain.runs < XB_TUNE_MOST_RUNS; i++)
    if (runs[i].compared)
      logs[gain.runs++] = log(runs[i].ratio);
  if (gain.runs < count || count < XB_TUNE_FEWEST_RUNS) {
    snprintf(gain.reason, sizeof gain.reason, "%zu of %zu runs have a ratio; %d are needed", gain.runs, count,
             XB_TUNE_FEWEST_RUNS);
    return gain;
  }
  const xb_stats s = xb_statistics(logs, gain.runs, (uint32_t)gain.runs, scratch);
  gain.ratio = exp(s.median); /* each run counts as a placement: this is the mean */
  gain.interval = (xb_interval){exp(s.ci95_low), exp(s.ci95_high)};
  gain.verdict = xb_judge(gain.interval, margin);
  for (size_t i = 0; i < count && gain.verdict == XB_FASTER; i++)
    if (runs[i].verdict != XB_FASTER) {
      gain.verdict = XB_UNCLEAR;
      snprintf(gain.reason, sizeof gain.reason, "run %zu alone is %s%s%.60s", i + 1, xb_verdict_name(runs[i].verdict),
               *runs[i].reason ? ": " : "", runs[i].reason);
    }
  return gain;
}
