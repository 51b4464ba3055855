/* Operations of a shader's wave. Their active lanes are those that are there; no mask names them.
 *
 * A lane waits until no lane of its wave can go on otherwise: each one waits at an operation of the wave or at a
 * barrier, or has ended. Then those lanes go on together whose place is the least. A place is a row of words
 * (shader/flow.c): loop, turn, loop, turn, ..., operation, numbered in structured order. So a lane that left a loop, or
 * skipped a branch, waits behind it for the others: lanes meet again where the construct ends, which is maximal
 * reconvergence. Lanes in different turns of a loop do not meet.
 *
 * A lane that waits for another one in a loop without such an operation (a lock within a wave) waits forever if the
 * other one waits here, as on a GPU whose lanes run in step. The time limit of the launch ends that.
 *
 * Other choices are legal, too (xb_cpu_lanes): which thread is which lane, waves that lack lanes, and lanes that part
 * without meeting again soon: SPIR-V promises nothing of loops, unless the module asks for maximal reconvergence. */
#include "internal.h"

static int compare(const fiber *a, const fiber *b)
{
  const uint32_t words = a->row_words < b->row_words ? a->row_words : b->row_words;
  for (uint32_t i = 0; i < words; i++)
    if (a->row[i] != b->row[i])
      return a->row[i] < b->row[i] ? -1 : 1;
  return (a->row_words > b->row_words) - (a->row_words < b->row_words);
}

void xb_cpu_wave_prepare(worker *w)
{
  const uint32_t size = w->block.wave, choices = w->launch->lanes;
  const uint32_t filled = size - (choices & XB_CPU_PARTIAL && w->launch->wave);
  w->block.waves = (w->count + filled - 1) / filled;
  for (uint32_t i = 0; i < w->block.waves * size; i++)
    w->at_lane[i] = NO_THREAD;
  for (uint32_t i = 0; i < w->count; i++) {
    const uint32_t lane = i / filled * size + i % filled, thread = choices & XB_CPU_REVERSED ? w->count - 1 - i : i;
    w->fibers[thread].place.lane = lane;
    w->at_lane[lane] = (uint16_t)thread;
  }
}

static fiber *fiber_at(worker *w, uint32_t lane)
{
  return w->at_lane[lane] == NO_THREAD ? NULL : &w->fibers[w->at_lane[lane]];
}

/* The lane of the wave whose place is the least; NULL: none waits at an operation. */
static const fiber *least_of(worker *w, uint32_t first)
{
  const bool lowest = w->launch->lanes & XB_CPU_LOWEST_FIRST;
  const fiber *least = NULL;
  for (uint32_t i = first; i < first + w->block.wave; i++) {
    const fiber *f = fiber_at(w, i);
    if (f && f->state == AT_WAVE && (!least || (!lowest && compare(f, least) < 0)))
      least = f;
  }
  return least;
}

/* No lane of the wave can go on otherwise. `self`: the running lane, which needs no queue. True: it goes on. */
static bool go_on(worker *w, uint32_t wave, const fiber *self)
{
  const uint32_t size = w->block.wave, first = wave * size;
  xb_cpu_wave set = {.size = size, .first = first};
  const fiber *least = least_of(w, first), *lanes[XB_CPU_MOST_WAVE];
  uint32_t count = 0;
  bool among = false;
  if (!least)
    return false;
  for (uint32_t i = first + size; i-- > first;) {
    const fiber *f = fiber_at(w, i);
    if (!f || f->state != AT_WAVE || compare(f, least) != 0)
      continue;
    set.lanes[i - first] = f->own;
    lanes[count++] = f;
    among |= f == self;
  }
  for (uint32_t i = 0; i < count; i++)
    w->fibers[lanes[i]->place.linear].state = RUNS;
  if (least->work)
    least->work(&set);
  else if (w->block.watched)
    xb_cpu_watch_wave(w, count, lanes);
  w->awake[wave] = (uint8_t)(w->awake[wave] + count);
  w->meeting[wave] = (uint8_t)(w->meeting[wave] - count);
  w->idle = 0;
  for (uint32_t i = 0; i < count; i++)
    if (lanes[i] != self)
      xb_cpu_queue_front(w, lanes[i]);
  return among;
}

void xb_cpu_wave_begin(worker *w)
{
  for (uint32_t i = 0; i < w->block.waves; i++)
    w->awake[i] = w->meeting[i] = 0;
  for (uint32_t i = 0; i < w->count; i++)
    w->awake[w->fibers[i].place.lane / w->block.wave]++;
}

uint64_t xb_cpu_wave_absent(const xb_cpu_wave *lanes, uint32_t lane, uint32_t from)
{
  worker *w = xb_cpu_self();
  return xb_cpu_watch_lane(&w->fibers[w->at_lane[lanes->first + lane]], from);
}

void xb_cpu_wave_waits(worker *w, const fiber *f)
{
  const uint32_t wave = f->place.lane / w->block.wave;
  if (--w->awake[wave] == 0 && w->meeting[wave])
    go_on(w, wave, NULL);
}

/* The last lane of the group to come does not wait. */
void xb_cpu_wave_barrier_opens(worker *w)
{
  for (uint32_t i = 0; i < w->waits; i++)
    w->awake[w->fibers[w->waiting[i]].place.lane / w->block.wave]++;
  if (w->waits < w->live)
    w->awake[w->block.now->lane / w->block.wave]++;
}

void xb_cpu_wave_meet(void (*work)(const xb_cpu_wave *lanes), void *own, const uint32_t *row, uint32_t words,
                      const char *file, uint32_t line)
{
  worker *w = xb_cpu_enter();
  fiber *f = (fiber *)w->block.now;
  const uint32_t wave = f->place.lane / w->block.wave;
  f->work = work;
  f->own = own;
  f->row = row;
  f->row_words = words;
  f->file = file;
  f->line = line;
  f->state = AT_WAVE;
  w->awake[wave]--;
  w->meeting[wave]++;
  if (w->awake[wave] || !go_on(w, wave, f))
    xb_cpu_pause(w, AT_WAVE);
  f->state = RUNS;
  xb_cpu_exit(w);
}
