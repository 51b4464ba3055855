/* What scaling measurements say: speed-up, and how much of the work is serial. Amdahl, "Validity of the single
 * processor approach to achieving large scale computing capabilities", 1967; Gustafson, "Reevaluating Amdahl's law",
 * 1988. */
#include "scale/scale.h"

#include "judge/judge.h"

#include <math.h>
#include <stdlib.h>

double xb_speedup_of_amdahl(double parallel, double members)
{
  return 1 / (1 - parallel + (isinf(members) ? 0 : parallel / members));
}

double xb_speedup_of_gustafson(double parallel, double members)
{
  return members + (1 - parallel) * (1 - members);
}

/* Medians of resamples; the caller frees them. */
static double *resample(const xb_scaled *s, uint64_t seed)
{
  double *medians = malloc(XB_RESAMPLES * sizeof *medians);
  if (medians && xb_bootstrap(s->samples_ns, s->count, 1, seed, medians))
    return medians;
  free(medians);
  return NULL;
}

/* Sampled one after another, so each with draws of its own. */
static uint64_t seed_of(const xb_scaled *s)
{
  return s->point.members * 2 + s->point.weak;
}

xb_estimate xb_scale_speedup(const xb_scaled *one, const xb_scaled *scaled)
{
  const double work = scaled->point.weak ? scaled->point.members : 1;
  xb_estimate e = {work * one->stats.median / scaled->stats.median, {NAN, NAN}};
  double *base = resample(one, 1), *here = resample(scaled, seed_of(scaled));
  for (int b = 0; base && here && b < XB_RESAMPLES; b++)
    here[b] = work * base[b] / here[b];
  if (base && here)
    e.ci95 = xb_interval95(here);
  free(base);
  free(here);
  if (one == scaled)
    e = (xb_estimate){1, {1, 1}};
  return e;
}

/* The serial part, from the times of 1 and of other members: y = s x. Strong: y = T(p) / T(1) - 1 / p, x = 1 - 1 / p.
 * Weak: y = p - S, x = p - 1. */
static double serial_part(bool weak, const uint32_t *members, const double *ns, size_t count)
{
  double xy = 0, xx = 0;
  for (size_t i = 1; i < count; i++) {
    const double p = members[i], x = weak ? p - 1 : 1 - 1 / p;
    const double y = weak ? p - p * ns[0] / ns[i] : ns[i] / ns[0] - 1 / p;
    xy += x * y;
    xx += x * x;
  }
  return xy / xx;
}

static double predict(bool weak, double serial, double one_ns, double members)
{
  return weak ? members * one_ns / (members - serial * (members - 1)) : one_ns * (serial + (1 - serial) / members);
}

bool xb_scale_fit(const xb_scaled *const *points, size_t count, xb_fit *fit)
{
  enum { MOST_POINTS = 64 };
  const xb_scaled *timed[MOST_POINTS];
  size_t kept = 0;
  for (size_t i = 0; i < count && kept < MOST_POINTS; i++)
    if (!points[i]->code && points[i]->count)
      timed[kept++] = points[i];
  if (kept < 3 || timed[0]->point.members != 1)
    return false;
  const xb_scaled *last = timed[kept - 1];
  const bool weak = last->point.weak;
  double ns[MOST_POINTS], *draws[MOST_POINTS], serial[XB_RESAMPLES], predicted[XB_RESAMPLES];
  uint32_t members[MOST_POINTS];
  bool good = true;
  for (size_t i = 0; i < kept; i++) {
    ns[i] = timed[i]->stats.median;
    members[i] = timed[i]->point.members;
    draws[i] = resample(timed[i], seed_of(timed[i]));
    good &= draws[i] != NULL;
  }
  *fit = (xb_fit){.points = kept - 1, .members = last->point.members};
  fit->serial.value = serial_part(weak, members, ns, kept - 1);
  fit->predicted_ns.value = predict(weak, fit->serial.value, ns[0], last->point.members);
  fit->measured_ns = (xb_estimate){last->stats.median, {last->stats.ci95_low, last->stats.ci95_high}};
  fit->holds = fit->predicted_ns.value >= (1 - XB_LAW_BOUND) * fit->measured_ns.ci95.low &&
               fit->predicted_ns.value <= (1 + XB_LAW_BOUND) * fit->measured_ns.ci95.high;
  for (int b = 0; good && b < XB_RESAMPLES; b++) {
    for (size_t i = 0; i + 1 < kept; i++)
      ns[i] = draws[i][b];
    serial[b] = serial_part(weak, members, ns, kept - 1);
    predicted[b] = predict(weak, serial[b], ns[0], last->point.members);
  }
  if (good) {
    fit->serial.ci95 = xb_interval95(serial);
    fit->predicted_ns.ci95 = xb_interval95(predicted);
  }
  for (size_t i = 0; i < kept; i++)
    free(draws[i]);
  return good;
}
