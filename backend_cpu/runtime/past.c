/* Sparse vector clocks. A GPU's launch has millions of threads; a thread knows something of few of them one by one, and
 * of few blocks as a whole. */
#include "past.h"

#include <stdlib.h>
#include <string.h>

static past *make(uint32_t count)
{
  past *p = malloc(sizeof *p + count * sizeof *p->of);
  if (p)
    *p = (past){.references = 1, .count = count};
  return p;
}

past *past_of(const moment *moments, uint32_t count)
{
  past *p = count ? make(count) : NULL;
  if (p)
    memcpy(p->of, moments, count * sizeof *moments);
  return p;
}

past *past_keep(past *p)
{
  if (p)
    p->references++;
  return p;
}

void past_drop(past *p)
{
  if (p && --p->references == 0)
    free(p);
}

/* The time up to which p knows `who`; 0: never heard. */
static uint32_t time_of(const past *p, uint64_t who)
{
  uint32_t from = 0, end = p->count;
  while (from < end) {
    const uint32_t middle = from + (end - from) / 2;
    if (p->of[middle].who < who)
      from = middle + 1;
    else
      end = middle;
  }
  return from < p->count && p->of[from].who == who ? p->of[from].time : 0;
}

bool past_has(const past *p, uint32_t block, uint32_t thread, uint32_t time)
{
  return p && (time_of(p, WHO(block, thread)) >= time || time_of(p, WHO_ALL(block)) >= time);
}

static bool covers(const past *a, const past *b)
{
  uint32_t i = 0;
  for (uint32_t j = 0; j < b->count; j++) {
    while (i < a->count && a->of[i].who < b->of[j].who)
      i++;
    if (i == a->count || a->of[i].who != b->of[j].who || a->of[i].time < b->of[j].time)
      return false;
  }
  return true;
}

/* Leaves out threads of which the whole block's moment says as much. */
static void add(past *to, moment m)
{
  const uint64_t all = m.who >> 11 << 11;
  for (uint32_t i = to->count; i > 0 && to->of[i - 1].who >= all; i--)
    if (to->of[i - 1].who == all && to->of[i - 1].time >= m.time)
      return;
  to->of[to->count++] = m;
}

past *past_join(past *a, past *b)
{
  if (!b || a == b)
    return a;
  if (!a)
    return past_keep(b);
  if (covers(a, b))
    return a;
  past *p = make(a->count + b->count);
  if (!p)
    return a;
  p->count = 0;
  for (uint32_t i = 0, j = 0; i < a->count || j < b->count;) {
    const bool from_a = j == b->count || (i < a->count && a->of[i].who <= b->of[j].who);
    moment m = from_a ? a->of[i] : b->of[j];
    if (i < a->count && j < b->count && a->of[i].who == b->of[j].who)
      m.time = a->of[i].time > b->of[j].time ? a->of[i].time : b->of[j].time, i++, j++;
    else
      i += from_a, j += !from_a;
    add(p, m);
  }
  past_drop(a);
  return p;
}
