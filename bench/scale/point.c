#include "scale/scale.h"

#include "base/arena.h"
#include "core/clock.h"
#include "measure/sampler.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_SAMPLES = 11, MOST_SAMPLES = XB_MOST_SAMPLES + 1 }; /* the run that ends the sampling is kept, too */

/* What each member tells behind a run, and before the next. */
typedef struct turn {
  xb_stamp stamp;
  xb_code code;
  bool awake, stop;
} turn;

typedef struct sampling {
  xb_scale_member *m;
  uint32_t active; /* members */
  xb_work *work;
  xb_scaled *scaled;
  double *start_ns, *combine_ns, *scratch, woke_ns, began_ns, shortest_ns;
  uint32_t *slowest; /* by member: how often */
  xb_arena arena;
} sampling;

/* ---- Member 0 keeps what all tell -------------------------------------------------------------------------------- */

static void keep(sampling *s, const turn *all)
{
  xb_scaled *scaled = s->scaled;
  xb_stamp first = all[0].stamp, last = all[0].stamp;
  uint32_t slowest = 0;
  for (uint32_t i = 1; i < s->active; i++) {
    const xb_stamp *t = &all[i].stamp;
    first.begin = fmin(first.begin, t->begin);
    last = (xb_stamp){fmax(last.begin, t->begin), fmax(last.ready, t->ready), fmax(last.end, t->end)};
    if (t->ready - t->begin > all[slowest].stamp.ready - all[slowest].stamp.begin)
      slowest = i;
  }
  const double ns = last.end - first.begin;
  const size_t i = scaled->count++;
  scaled->samples_ns[i] = ns;
  scaled->host_ns[i] = s->work->batch ? s->work->host_ns : ns;
  s->start_ns[i] = last.begin - first.begin;
  s->combine_ns[i] = last.end - last.ready;
  s->slowest[slowest]++;
  if (i && ns >= s->shortest_ns)
    return;
  s->shortest_ns = ns;
  for (uint32_t k = 0; k < s->active; k++)
    scaled->shortest[k] =
        (xb_stamp){all[k].stamp.begin - first.begin, all[k].stamp.ready - first.begin, all[k].stamp.end - first.begin};
}

/* Why there are enough samples; NULL: there are not. */
static const char *enough(const sampling *s)
{
  const xb_scaling *o = s->m->scaling;
  const double ns = xb_clock_ns() - s->began_ns;
  const size_t count = s->scaled->count; /* without the run that ends now, which is kept, too */
  const xb_stopping rule = {o->min_time_s * 1e9, o->max_time_s * 1e9, o->width, .rarely = true};
  const xb_sampled sampled = {s->scaled->samples_ns, count, 1, ns, ns};
  if (*o->stop)
    return "interrupted";
  return count < LEAST_SAMPLES ? NULL : xb_stopped_by(&rule, &sampled);
}

static double median(double *values, size_t count, double *scratch)
{
  return count ? xb_statistics(values, count, 1, scratch).median : NAN;
}

static void conclude(sampling *s)
{
  xb_scaled *r = s->scaled;
  r->count = r->count < LEAST_SAMPLES ? 0 : r->count; /* interrupted */
  r->stats = xb_statistics(r->samples_ns, r->count, 1, s->scratch);
  r->host_median_ns = median(r->host_ns, r->count, s->scratch);
  r->start_ns = median(s->start_ns, r->count, s->scratch);
  r->combine_ns = median(s->combine_ns, r->count, s->scratch);
  for (uint32_t i = 1; i < s->active; i++)
    r->slowest = s->slowest[i] > s->slowest[r->slowest] ? i : r->slowest;
  r->slowest_share = r->count ? s->slowest[r->slowest] / (double)r->count : NAN;
}

static bool create(sampling *s)
{
  s->start_ns = xb_arena_take(&s->arena, MOST_SAMPLES, sizeof *s->start_ns);
  s->combine_ns = xb_arena_take(&s->arena, MOST_SAMPLES, sizeof *s->combine_ns);
  s->scratch = xb_arena_take(&s->arena, MOST_SAMPLES, sizeof *s->scratch);
  s->slowest = xb_arena_take(&s->arena, s->active, sizeof *s->slowest);
  s->scaled->samples_ns = calloc(MOST_SAMPLES, sizeof *s->scaled->samples_ns);
  s->scaled->host_ns = calloc(MOST_SAMPLES, sizeof *s->scaled->host_ns);
  s->scaled->shortest = calloc(s->active, sizeof *s->scaled->shortest);
  return s->start_ns && s->combine_ns && s->scratch && s->slowest && s->scaled->samples_ns && s->scaled->host_ns &&
         s->scaled->shortest;
}

xb_code xb_scale_execute(const xb_scaling *o, xb_device *device, xb_commands *list, xb_error *err)
{
  xb_point done;
  const xb_code code = xb_submit(device, &(xb_submission){.commands = list}, &done, err);
  return code ? code : xb_wait(device, done, (uint64_t)(o->wait_limit_s * 1e9), err);
}

/* ---- All members sample ------------------------------------------------------------------------------------------ */

/* One run, from a barrier on. */
static xb_code run_once(sampling *s, turn *all, xb_error *err)
{
  xb_team *team = s->m->team;
  turn mine = {.code = s->work->restore ? s->work->restore(s->work, err) : XB_OK};
  xb_code code = xb_team_agree(team, mine.code, err);
  if (code)
    return code;
  const double begin = xb_clock_ns() - team->offset_ns;
  mine.code = s->work->run(s->work, &mine.stamp.ready, err);
  mine.stamp.begin = begin;
  mine.stamp.end = xb_clock_ns() - team->offset_ns;
  mine.stamp.ready -= team->offset_ns;
  if (s->work->device_ns > 0)
    mine.stamp.ready = mine.stamp.end = begin + s->work->device_ns;
  code = xb_team_agree(team, mine.code, err);
  s->scaled->stopped_by = !team->rank ? enough(s) : NULL;
  mine.stop = s->scaled->stopped_by;
  mine.awake = s->m->info.type == XB_DEVICE_CPU || xb_clock_ns() - s->woke_ns >= XB_AWAKE_NS;
  return code ? code : xb_team_gather(team, &mine, all, sizeof mine, err);
}

static xb_code sample(sampling *s, xb_error *err)
{
  turn *all = xb_arena_take(&s->arena, s->active, sizeof *all);
  xb_code code = all && create(s) ? XB_OK : xb_fail(err, XB_NOMEM, "scale", "out of host memory");
  code = xb_team_agree(s->m->team, code, err);
  s->woke_ns = xb_clock_ns();
  for (bool awake = false; !code && (s->scaled->warm_up_runs < XB_SCALE_WARM_UP || !awake); s->scaled->warm_up_runs++) {
    code = run_once(s, all, err);
    awake = all[0].awake;
  }
  s->began_ns = xb_clock_ns();
  for (bool stop = false; !code && !stop;) {
    code = run_once(s, all, err);
    if (!code && !s->m->team->rank)
      keep(s, all);
    stop = all[0].stop;
  }
  return code;
}

/* What the host may take to make or to check the data of all members, which threads do one after another. */
static double data_s(const xb_scaling *o, const xb_scale_point *p)
{
  return (double)o->like.n * p->members / 1e7;
}

static xb_code measure(xb_scale_member *m, const xb_scale_point *p, xb_scaled *scaled, xb_error *err)
{
  sampling s = {.m = m, .active = m->team->active, .scaled = scaled};
  const double limit_s = m->team->limit_s;
  m->team->limit_s = limit_s + data_s(m->scaling, p);
  xb_code code = m->scaling->begin(m, p, &s.work, err);
  code = xb_team_agree(m->team, code, err);
  m->team->limit_s = limit_s;
  code = code ? code : xb_team_clocks(m->team, false, &scaled->clock_error_ns, err);
  code = code ? code : sample(&s, err);
  code = code ? code : xb_team_clocks(m->team, true, &scaled->clock_error_ns, err);
  m->team->limit_s = limit_s + data_s(m->scaling, p);
  if (!code)
    code = xb_team_agree(m->team, s.work->check(s.work, err), err);
  m->team->limit_s = limit_s;
  if (!code && !m->team->rank)
    conclude(&s);
  xb_arena_free(&s.arena);
  if (!code) {
    scaled->batch = s.work->batch;
    scaled->own_plan = s.work->own_plan;
    scaled->summed = s.work->summed;
    scaled->sum = s.work->sum;
  }
  if (s.work)
    s.work->end(s.work);
  return code;
}

xb_code xb_scale_measure(xb_scale_member *m, const xb_scale_point *p, xb_scaled *scaled, xb_error *err)
{
  xb_team *team = m->team;
  const uint32_t active = m->scaling->over_groups ? 1 : p->members;
  *scaled = (xb_scaled){.point = *p};
  xb_code code = xb_team_narrow(team, active, err);
  if (code)
    return code;
  code = team->rank < active ? measure(m, p, scaled, err) : XB_OK;
  if (code == XB_UNSUPPORTED && *m->scaling->stop)
    code = XB_OK; /* interrupted before there was a sample */
  xb_error mine = code ? *err : (xb_error){.code = XB_OK};
  scaled->code = code;
  scaled->error = mine;
  if (code && *team->gone)
    return code;
  const double limit_s = team->limit_s;
  if (team->rank >= active) /* it rests as long as the others may take */
    team->limit_s = limit_s * (XB_SCALE_WARM_UP + LEAST_SAMPLES + 1) + XB_AWAKE_NS * 1e-9 + m->scaling->max_time_s +
                    2 * data_s(m->scaling, p);
  const xb_code back = xb_team_narrow(team, team->size, err);
  team->limit_s = limit_s;
  if (back)
    return back;
  /* Has a device become unusable? */
  const xb_code dead = m->device ? xb_device_status(m->device) : XB_OK;
  if (dead)
    *err = mine;
  return xb_team_agree(team, dead, err) ? XB_LOST : XB_OK;
}

static const char wrong[] = "wrong result: ";

xb_code xb_scale_wrong(xb_error *err, const char *why)
{
  return xb_fail(err, XB_INTERNAL, "scale", "%s%s", wrong, why);
}

bool xb_scaled_wrong(const xb_scaled *scaled)
{
  return scaled->code == XB_INTERNAL && strstr(scaled->error.message, wrong);
}

void xb_scale_compare_sums(const xb_scaled *other, xb_dtype dtype, uint64_t n, xb_scaled *scaled)
{
  enum { DEPTH = 4096 }; /* no order of additions adds an element to more others one by one */
  float a = 0, b = 0;
  char why[128];
  memcpy(&a, &other->sum, sizeof a);
  memcpy(&b, &scaled->sum, sizeof b);
  const bool floats = dtype == XB_FLOAT32;
  const double bound = 20 * 0x1p-24 * sqrt(DEPTH * (double)n / 3);
  if (!other->summed || !scaled->summed || other->code || scaled->code ||
      (floats ? fabs((double)a - b) <= bound : other->sum == scaled->sum))
    return;
  snprintf(why, sizeof why, "with %u members the sum is %.10g, with %u it is %.10g", scaled->point.members,
           floats ? (double)b : (double)(int32_t)scaled->sum, other->point.members,
           floats ? (double)a : (double)(int32_t)other->sum);
  scaled->code = xb_scale_wrong(&scaled->error, why);
}

void xb_scaled_free(xb_scaled *scaled)
{
  free(scaled->samples_ns);
  free(scaled->host_ns);
  free(scaled->shortest);
  scaled->samples_ns = scaled->host_ns = NULL;
  scaled->shortest = NULL;
}
