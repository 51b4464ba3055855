/* A team of threads. A member counts its barriers; it goes on when all others have counted as many. */
#define _GNU_SOURCE
#include "scale/team.h"

#include "base/arena.h"
#include "core/clock.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

typedef struct shared {
  uint32_t size;
  atomic_uint *passed;   /* barriers of each member, since the team was narrowed, */
  atomic_uint *narrowed; /* and those of narrowing, which all members pass */
  const void **posted;   /* what each member gives to the others */
  char (*hosts)[XB_HOST_BYTES];
  atomic_bool gone;
  xb_member_fn *member;
  void *user;
  double limit_s;
} shared;

typedef struct member {
  shared *team;
  uint32_t rank, active;
  pthread_t thread;
} member;

static int64_t pass(const shared *s, atomic_uint *passed, uint32_t rank, uint32_t count, double limit_s)
{
  const double end = xb_clock_ns() + limit_s * 1e9;
  const uint32_t mine = atomic_fetch_add(&passed[rank], 1) + 1;
  for (uint32_t m = 0; m < count; m++)
    for (uint32_t turns = 0; (int32_t)(atomic_load(&passed[m]) - mine) < 0; turns++) {
      if (turns > 100)
        sched_yield();
      if (turns % 256 == 255 && (s->gone || xb_clock_ns() > end))
        return m;
    }
  return XB_NOBODY;
}

static int64_t meet(member *m, double limit_s)
{
  return pass(m->team, m->team->passed, m->rank, m->active, limit_s);
}

static int64_t gather(void *state, const void *mine, void *all, size_t bytes, double limit_s)
{
  member *m = state;
  m->team->posted[m->rank] = mine;
  const int64_t missing = meet(m, limit_s);
  for (uint32_t i = 0; missing == XB_NOBODY && i < m->active; i++)
    memcpy((char *)all + i * bytes, m->team->posted[i], bytes);
  return missing == XB_NOBODY ? meet(m, limit_s) : missing; /* what was posted stays until all have read it */
}

static int64_t exchange(void *state, const void *out, int64_t to, void *in, int64_t from, size_t bytes, double limit_s)
{
  member *m = state;
  (void)to;
  m->team->posted[m->rank] = out;
  const int64_t missing = meet(m, limit_s);
  if (missing == XB_NOBODY && from != XB_NOBODY)
    memcpy(in, m->team->posted[from], bytes);
  return missing == XB_NOBODY ? meet(m, limit_s) : missing;
}

/* Between two barriers of all members, each forgets those of the narrower team. */
static int64_t narrow(void *state, uint32_t count, double limit_s)
{
  member *m = state;
  shared *s = m->team;
  int64_t missing = pass(s, s->narrowed, m->rank, s->size, limit_s);
  atomic_store(&s->passed[m->rank], 0);
  m->active = count;
  return missing == XB_NOBODY ? pass(s, s->narrowed, m->rank, s->size, limit_s) : missing;
}

static const xb_team_calls calls = {gather, exchange, narrow};

static void *run(void *user)
{
  member *m = user;
  shared *s = m->team;
  xb_team team = {.rank = m->rank,
                  .size = s->size,
                  .active = s->size,
                  .one_process = true,
                  .limit_s = s->limit_s,
                  .hosts = s->hosts,
                  .gone = &s->gone,
                  .calls = &calls,
                  .state = m};
  s->member(&team, s->user);
  return NULL;
}

/* If one cannot be started, the others end when they miss it. */
static xb_code start(shared *s, member *members, xb_error *err)
{
  xb_code code = XB_OK;
  uint32_t started = 1;
  for (; started < s->size && !code; started++)
    if (pthread_create(&members[started].thread, NULL, run, &members[started])) {
      s->gone = true;
      code = xb_fail(err, XB_NOMEM, "scale", "could not start thread %u of %u", started + 1, s->size);
    }
  if (!code)
    run(&members[0]);
  for (uint32_t m = 1; m < started - !!code; m++)
    pthread_join(members[m].thread, NULL);
  return code;
}

xb_code xb_team_of_threads(uint32_t size, double limit_s, xb_member_fn *fn, void *user, xb_error *err)
{
  shared s = {.size = size, .member = fn, .user = user, .limit_s = limit_s};
  xb_arena arena = {0};
  member *members = xb_arena_take(&arena, size, sizeof *members);
  s.passed = xb_arena_take(&arena, size, sizeof *s.passed);
  s.narrowed = xb_arena_take(&arena, size, sizeof *s.narrowed);
  s.posted = xb_arena_take(&arena, size, sizeof *s.posted);
  s.hosts = xb_arena_take(&arena, size, sizeof *s.hosts);
  xb_code code = members && s.passed && s.narrowed && s.posted && s.hosts
                     ? XB_OK
                     : xb_fail(err, XB_NOMEM, "scale", "out of host memory");
  for (uint32_t m = 0; m < size && !code; m++) {
    members[m] = (member){.team = &s, .rank = m, .active = size};
    gethostname(s.hosts[m], XB_HOST_BYTES - 1);
  }
  code = code ? code : start(&s, members, err);
  xb_arena_free(&arena);
  return code;
}
