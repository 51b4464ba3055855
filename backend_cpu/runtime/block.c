/* Runs the threads of a block on one OS thread. A thread that waits gives its OS thread to the next one that can go on;
 * one that ends leaves its stack to a thread that has not begun, so a kernel without barriers needs one stack.
 *
 * Threads that have ended: as CUDA documents it for compute capability 7.0 and newer, a barrier waits for all threads
 * that have not ended, and so does a warp's operation for the lanes in its mask. */
#include "internal.h"

#include <sched.h>
#include <string.h>

static fiber *now_of(worker *w)
{
  return (fiber *)w->block.now;
}

void xb_cpu_queue_front(worker *w, const fiber *f)
{
  w->queue_first = (w->queue_first + MOST - 1) % MOST;
  w->queue[w->queue_first] = (uint16_t)f->place.linear;
  w->queue_count++;
}

static void queue_back(worker *w, uint32_t thread)
{
  w->queue[(w->queue_first + w->queue_count++) % MOST] = (uint16_t)thread;
}

static void barrier_open(worker *w)
{
  w->result = w->counted;
  w->all = w->live;
  w->idle = 0;
  if (w->block.watched)
    xb_cpu_watch_barrier(w);
  if (w->launch->wave)
    xb_cpu_wave_barrier_opens(w);
  for (uint32_t i = 0; i < w->waits; i++) {
    queue_back(w, w->waiting[i]);
  }
  w->waits = w->counted = 0;
}

_Noreturn void xb_cpu_abandon(worker *w)
{
  void *unused;
  w->inside = 0;
  xb_cpu_switch(&unused, w->scheduler);
  __builtin_unreachable();
}

_Noreturn void xb_cpu_stopped(worker *w, const void *pc)
{
  xb_cpu_fault_signal(w, XB_CPU_STOPPED, NULL, false, pc);
  xb_cpu_abandon(w);
}

/* A shader's barrier is for all threads of the group. */
static void check_all_wait(worker *w)
{
  const fiber *f = &w->fibers[w->waiting[0]];
  if (!w->launch->wave || w->live == w->count)
    return;
  xb_cpu_fault_at(w, XB_CPU_APART, f,
                  "waits at the barrier %s:%u, and %u of %u threads of the group ended without it: all must reach it",
                  f->file, f->line, w->count - w->live, w->count);
  xb_cpu_abandon(w);
}

static void thread_ends(worker *w)
{
  fiber *f = now_of(w);
  const uint32_t in = f->place.linear / XB_CPU_WARP;
  f->state = ENDED;
  w->live--;
  w->idle = 0;
  w->warps[in].live &= ~(1u << f->place.linear % XB_CPU_WARP);
  if (w->block.watched)
    xb_cpu_watch_ended(w, f->place.linear);
  if (w->warps[in].waiting)
    xb_cpu_warp_left(w, in);
  if (w->launch->wave)
    xb_cpu_wave_waits(w, f);
  if (w->waits && w->waits == w->live) {
    check_all_wait(w);
    barrier_open(w);
  }
}

/* The first code on a stack: runs one thread after the other, until a thread that waited can go on. */
static void strand(void)
{
  worker *w = xb_cpu_self();
  const xb_cpu_entry *entry = w->launch->entry;
  void *const *params = w->launch->params;
  for (;;) {
    xb_cpu_exit(w);
    entry->call(params);
    w->inside = 0;
    thread_ends(w);
    const uint16_t slot = now_of(w)->slot;
    if (w->queue_count || w->started == w->count) { /* this stack is free: nobody takes it before the switch */
      w->free_slots[w->free_count++] = slot;
      if (!w->queue_count && !xb_cpu_warp_converge(w)) {
        if (w->live)
          xb_cpu_fault_dead_end(w);
        xb_cpu_abandon(w);
      }
      fiber *f = xb_cpu_queue_take(w);
      void *unused;
      w->block.now = &f->place;
      xb_cpu_switch(&unused, f->sp);
    }
    fiber *f = &w->fibers[w->order[w->started++]];
    f->slot = slot;
    f->state = RUNS;
    w->block.now = &f->place;
  }
}

static void begin_next(worker *w, void **save)
{
  fiber *f = &w->fibers[w->order[w->started++]];
  f->slot = w->free_slots[--w->free_count];
  f->state = RUNS;
  w->block.now = &f->place;
  xb_cpu_start(save, xb_cpu_stack_top(w, f->slot), strand);
}

void xb_cpu_pause_empty(worker *w)
{
  fiber *f = now_of(w);
  if (w->started < w->count) {
    begin_next(w, &f->sp);
  } else if (xb_cpu_warp_converge(w)) {
    xb_cpu_next(w, f);
  } else {
    xb_cpu_fault_dead_end(w);
    xb_cpu_abandon(w);
  }
}

/* A thread that may wait for another one in a loop: threads that have not begun come first. */
void xb_cpu_yield(void)
{
  worker *w = xb_cpu_enter();
  fiber *f = now_of(w);
  const bool alone = w->block.watched && !atomic_load(&w->team->holds_all); /* no other block runs */
  w->block.patience = PATIENCE;
  if (++w->idle > MOST_IDLE && alone) {
    xb_cpu_fault_at(w, XB_CPU_ORDER, f, "waits forever: it relies on the order of blocks, which CUDA does not define");
    w->team->fault->pc = CALLED_FROM;
    xb_cpu_abandon(w);
  }
  if (atomic_load_explicit(&w->team->over, memory_order_relaxed))
    xb_cpu_stopped(w, CALLED_FROM);
  if (w->converging && ++w->yields % (4 * MOST) == 0) /* the others wait at __activemask, maybe this one for them */
    xb_cpu_warp_converge(w);
  if (w->started < w->count) {
    queue_back(w, f->place.linear);
    begin_next(w, &f->sp);
  } else if (w->queue_count || xb_cpu_warp_converge(w)) {
    queue_back(w, f->place.linear);
    xb_cpu_pause(w, RUNS);
  } else if (!alone && w->idle > FEW_IDLE) {
    sched_yield(); /* it waits for another block, or for nothing */
  }
  xb_cpu_exit(w);
}

uint32_t xb_cpu_barrier(xb_cpu_barrier_op op, uint32_t predicate, uint32_t number, const char *file, uint32_t line)
{
  worker *w = xb_cpu_enter();
  fiber *f = now_of(w);
  f->number = number;
  f->file = file;
  f->line = line;
  const fiber *first = &w->fibers[w->waiting[0]];
  if (w->launch->wave && w->waits && first->number != number && first->line == line && !strcmp(first->file, file)) {
    xb_cpu_fault_at(
        w, XB_CPU_APART, f,
        "waits at the barrier %s:%u, and thread (%u, %u, %u) at the same one in another turn of a loop: all "
        "threads of a group must come to it in the same turn",
        file, line, first->place.index[0], first->place.index[1], first->place.index[2]);
    xb_cpu_abandon(w);
  }
  if (w->waits && first->number != number) {
    xb_cpu_fault_at(
        w, XB_CPU_APART, f,
        "waits at the barrier %s:%u, and thread (%u, %u, %u) at another one, %s:%u: all threads of a block must "
        "reach the same one",
        file, line, first->place.index[0], first->place.index[1], first->place.index[2], first->file, first->line);
    xb_cpu_abandon(w);
  }
  w->counted += predicate != 0;
  w->waiting[w->waits++] = (uint16_t)f->place.linear;
  if (w->launch->wave)
    xb_cpu_wave_waits(w, f);
  if (w->waits == w->live) {
    check_all_wait(w);
    w->waits--; /* this one goes on */
    barrier_open(w);
  } else {
    xb_cpu_pause(w, AT_BARRIER);
  }
  const uint32_t counted = w->result, all = w->all;
  xb_cpu_exit(w);
  return op == XB_CPU_COUNT ? counted : op == XB_CPU_OR ? counted != 0 : op == XB_CPU_AND ? counted == all : 0;
}

/* A number from the seed and the block, well mixed (splitmix64). */
static uint64_t mix(uint64_t *state)
{
  uint64_t x = *state += 0x9E3779B97F4A7C15ull;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ x >> 27) * 0x94D049BB133111EBull;
  return x ^ x >> 31;
}

static void shuffle_order(worker *w, uint64_t index)
{
  uint64_t state = ((uint64_t)w->launch->seed << 32) ^ index;
  for (uint32_t i = 0; i < w->count; i++)
    w->order[i] = (uint16_t)i;
  for (uint32_t i = w->count; i > 1; i--) {
    const uint32_t j = (uint32_t)((mix(&state) >> 32) * i >> 32);
    const uint16_t other = w->order[j];
    w->order[j] = w->order[i - 1];
    w->order[i - 1] = other;
  }
}

bool xb_cpu_block_prepare(worker *w)
{
  const xb_cpu_launch *l = w->launch;
  w->count = l->threads[0] * l->threads[1] * l->threads[2];
  memcpy(w->block.grid, l->groups, sizeof l->groups);
  memcpy(w->block.size, l->threads, sizeof l->threads);
  w->block.dynamic_shared_bytes = l->dynamic_shared_bytes;
  w->block.patience = PATIENCE;
  w->block.watched = l->watch || l->shuffle_blocks;
  w->block.scope = 0;
  w->block.wave = l->wave ? l->wave : XB_CPU_WARP;
  w->block.memory = 0;
  if (l->watch)
    xb_cpu_watch_launch(w);
  for (uint32_t i = 0; i < w->count; i++) {
    fiber *f = &w->fibers[i];
    f->place.index[0] = i % l->threads[0];
    f->place.index[1] = i / l->threads[0] % l->threads[1];
    f->place.index[2] = i / (l->threads[0] * l->threads[1]);
    f->place.linear = i;
    w->order[i] = (uint16_t)i;
    w->free_slots[i] = (uint16_t)(w->count - 1 - i);
  }
  xb_cpu_wave_prepare(w);
  return xb_cpu_arena_guard(w, w->count);
}

void xb_cpu_block_run(worker *w, uint64_t index)
{
  const xb_cpu_launch *l = w->launch;
  w->block.block[0] = (uint32_t)(index % l->groups[0]);
  w->block.block[1] = (uint32_t)(index / l->groups[0] % l->groups[1]);
  w->block.block[2] = (uint32_t)(index / ((uint64_t)l->groups[0] * l->groups[1]));
  w->live = w->free_count = w->count;
  w->started = w->waits = w->counted = w->converging = w->queue_first = w->queue_count = 0;
  for (uint32_t i = 0; i * XB_CPU_WARP < w->count; i++) {
    const uint32_t left = w->count - i * XB_CPU_WARP;
    w->warps[i] = (warp){.live = left >= XB_CPU_WARP ? ~0u : (1u << left) - 1};
  }
  w->idle = 0;
  if (l->wave)
    xb_cpu_wave_begin(w);
  if (l->seed)
    shuffle_order(w, index);
  if (l->watch)
    xb_cpu_watch_block(w);
  w->running = 1;
  begin_next(w, &w->scheduler);
  w->running = 0;
  w->block.now = NULL;
}
