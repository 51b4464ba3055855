/* What orders a watched launch's accesses, by CUDA's memory model: barriers of the block, __syncwarp, and releases that
 * acquires see, by scope. Shuffles and votes order nothing. A shader's barriers and fences order the memory that they
 * name, so groupshared memory, buffers and images have clocks of their own.
 *
 * Times are vector clocks. A GPU's launch has too many threads for whole ones: a barrier makes all threads of a block
 * equal, so one number (`base`) says what they know of each other; a row of 32 is for the warp; the rest is sparse.
 * (Such compression is in Barracuda, Eizenberg and others, PLDI 2017.) */
#include "watch.h"

#include <stdlib.h>
#include <string.h>

static void drop(past **p)
{
  past_drop(*p);
  *p = NULL;
}

static void drop_all(past *all[PASTS])
{
  for (int i = 0; i < PASTS; i++)
    drop(&all[i]);
}

void xb_cpu_forget_strands(xb_cpu_watch *d)
{
  for (int k = 0; k < CLOCKS; k++) {
    for (uint32_t i = 0; d->sparse && i < MOST; i++)
      drop_all(d->of[k].strands[i].of);
    drop(&d->of[k].known);
  }
  d->sparse = false;
}

void xb_cpu_forget_syncs(xb_cpu_watch *d)
{
  for (clocks *c = d->of; c < d->of + CLOCKS; c++) {
    if (!c->sync_used)
      continue;
    for (size_t i = 0; i < c->sync_slots; i++)
      drop(&c->syncs[i].device), drop(&c->syncs[i].own);
    memset(c->syncs, 0, c->sync_slots * sizeof *c->syncs);
    c->sync_used = 0;
  }
}

static uint32_t clock_count(const xb_cpu_watch *d)
{
  return d->shader ? CLOCKS : 1;
}

/* Whether the barrier or the fence that the code comes to orders this kind of memory. */
static bool orders(const worker *w, uint32_t kind)
{
  static const xb_cpu_memory memory[CLOCKS] = {XB_CPU_SHARED_MEMORY, XB_CPU_BUFFER_MEMORY, XB_CPU_IMAGE_MEMORY};
  return !w->launch->wave || w->block.memory & memory[kind];
}

/* ---- Barriers --------------------------------------------------------------------------------------------------- */

static void gather(past **all, past *one)
{
  *all = past_join(*all, one);
}

static void give(past **to, past *all)
{
  past *before = *to;
  *to = past_keep(all);
  past_drop(before);
}

/* A fence before a barrier, and an atomic by another thread behind it: by the letter the atomic gives nothing away.
 * Each sample of the toolkit has it so, and GPUs order it; so fences are shared, too. */
static void gather_all(past *all[PASTS], strand *s)
{
  for (int i = 0; i < PASTS; i++)
    gather(&all[i], s->of[i]);
}

static void give_all(strand *s, past *all[PASTS])
{
  for (int i = 0; i < PASTS; i++)
    give(&s->of[i], all[i]);
}

/* A barrier orders the threads that come to it. What an ended thread did is ordered only as far as a live lane of its
 * warp knows of it. */
void xb_cpu_watch_ended(worker *w, uint32_t thread)
{
  xb_cpu_watch *d = w->launch->watch;
  for (uint32_t k = 0; d && k < clock_count(d); k++)
    d->of[k].strands[thread].most = d->of[k].base;
}

static void bring_ended(const warp *p, strand *lanes)
{
  for (uint32_t left = p->live; left; left &= left - 1)
    for (uint32_t l = 0; l < XB_CPU_WARP; l++) {
      const uint32_t time = lanes[__builtin_ctz(left)].row[l];
      lanes[l].most = time > lanes[l].most ? time : lanes[l].most;
    }
}

/* A barrier that orders other memory. A fence before it counts for all threads behind it. */
static void share_fences(worker *w, clocks *c)
{
  past *t[PASTS] = {NULL};
  for (uint32_t i = 0; i < w->count; i++)
    for (int k = EXTRA + 1; k < PASTS; k++)
      gather(&t[k], c->strands[i].of[k]);
  for (uint32_t i = 0; i < w->count; i++) {
    strand *s = &c->strands[i];
    for (int k = EXTRA + 1; k < PASTS; k++)
      give(&s->of[k], t[k]);
    gather(&s->of[EXTRA], t[FENCED_BLOCK]);
  }
  drop_all(t);
}

/* All threads have a fence for other groups here: one for all. */
static void fence_all(const xb_cpu_watch *d, clocks *c, past *t[PASTS])
{
  const moment own = {WHO_ALL(d->block), c->base};
  for (int k = PENDING_DEVICE; k <= PENDING_BLOCK; k++) {
    gather(&t[EXTRA], t[k]);
    drop(&t[k]);
  }
  past *p = past_join(past_join(past_of(&own, 1), c->known), t[EXTRA]);
  give(&t[FENCED_BLOCK], p);
  give(&t[FENCED_DEVICE], p);
  past_drop(p);
}

static void order_all(worker *w, clocks *c, bool fences)
{
  xb_cpu_watch *d = w->launch->watch;
  past *t[PASTS] = {NULL};
  for (uint32_t i = 0; w->live < w->count && i * XB_CPU_WARP < w->count; i++)
    bring_ended(&w->warps[i], &c->strands[i * XB_CPU_WARP]);
  for (uint32_t i = 0; i < w->count; i++)
    c->base = c->strands[i].now > c->base ? c->strands[i].now : c->base;
  for (uint32_t i = 0; i < w->count; i++)
    c->strands[i].now = c->base + 1;
  d->sparse |= fences;
  if (!d->sparse)
    return;
  for (uint32_t i = 0; i < w->count; i++)
    gather_all(t, &c->strands[i]);
  if (fences)
    fence_all(d, c, t);
  gather(&c->known, t[EXTRA]);
  drop(&t[EXTRA]);
  for (uint32_t i = 0; i < w->count; i++)
    give_all(&c->strands[i], t);
  drop_all(t);
}

void xb_cpu_watch_barrier(worker *w)
{
  xb_cpu_watch *d = w->launch->watch;
  for (uint32_t k = 0; d && k < clock_count(d); k++)
    if (orders(w, k))
      order_all(w, &d->of[k], w->launch->wave && w->block.memory & XB_CPU_DEVICE_FENCE);
    else if (d->sparse)
      share_fences(w, &d->of[k]);
}

/* The threads of a warp, or of a wave, know all of each other. */
static void meet(const xb_cpu_watch *d, clocks *c, const worker *w, uint32_t count, const uint16_t *threads)
{
  uint32_t row[XB_CPU_MOST_WAVE] = {0};
  past *t[PASTS] = {NULL};
  for (uint32_t k = 0; k < count; k++) {
    const strand *s = &c->strands[threads[k]];
    for (uint32_t i = 0; i < d->wave; i++)
      row[i] = s->row[i] > row[i] ? s->row[i] : row[i];
    if (d->sparse)
      gather_all(t, &c->strands[threads[k]]);
  }
  for (uint32_t k = 0; k < count; k++)
    row[w->fibers[threads[k]].place.lane % d->wave] = c->strands[threads[k]].now;
  for (uint32_t k = 0; k < count; k++) {
    strand *s = &c->strands[threads[k]];
    s->now++;
    memcpy(s->row, row, d->wave * sizeof *row);
    if (d->sparse)
      give_all(s, t);
  }
  drop_all(t);
}

void xb_cpu_watch_warp(worker *w, uint32_t warp_index, uint32_t lanes)
{
  xb_cpu_watch *d = w->launch->watch;
  uint16_t threads[XB_CPU_WARP];
  uint32_t count = 0;
  for (uint32_t left = lanes; left; left &= left - 1)
    threads[count++] = (uint16_t)(warp_index * XB_CPU_WARP + (uint32_t)__builtin_ctz(left));
  if (d)
    meet(d, &d->of[OF_SHARED], w, count, threads);
}

void xb_cpu_watch_wave(worker *w, uint32_t count, const fiber *const *lanes)
{
  xb_cpu_watch *d = w->launch->watch;
  uint16_t threads[XB_CPU_MOST_WAVE];
  for (uint32_t i = 0; i < count; i++)
    threads[i] = (uint16_t)lanes[i]->place.linear;
  for (uint32_t k = 0; d && k < clock_count(d); k++)
    if (orders(w, k))
      meet(d, &d->of[k], w, count, threads);
}

/* ---- Fences and atomics ----------------------------------------------------------------------------------------- */

/* All that the running thread did and knows. What it does from now on is not a part of it. */
static past *snapshot(const worker *w, clocks *c)
{
  const xb_cpu_watch *d = w->launch->watch;
  const uint32_t self = w->block.now->linear, lane = w->block.now->lane, first = lane / d->wave * d->wave;
  strand *s = &c->strands[self];
  moment own[XB_CPU_MOST_WAVE + 1];
  uint32_t count = 0;
  if (c->base)
    own[count++] = (moment){WHO_ALL(d->block), c->base};
  for (uint32_t i = 0; i < d->wave; i++) { /* by threads */
    const uint32_t l = w->launch->lanes & XB_CPU_REVERSED ? d->wave - 1 - i : i;
    if (first + l == lane)
      own[count++] = (moment){WHO(d->block, self), s->now};
    else if (s->row[l] > c->base)
      own[count++] = (moment){WHO(d->block, w->at_lane[first + l]), s->row[l]};
  }
  past *p = past_join(past_of(own, count), c->known);
  p = past_join(p, s->of[EXTRA]);
  s->now++;
  return p;
}

static void fence(const worker *w, clocks *c, uint32_t edges)
{
  strand *s = &c->strands[w->block.now->linear];
  gather(&s->of[EXTRA], s->of[PENDING_BLOCK]);
  drop(&s->of[PENDING_BLOCK]);
  if (edges & XB_CPU_FENCE_DEVICE) {
    gather(&s->of[EXTRA], s->of[PENDING_DEVICE]);
    drop(&s->of[PENDING_DEVICE]);
  }
  past *p = snapshot(w, c);
  give(&s->of[FENCED_BLOCK], p);
  if (edges & XB_CPU_FENCE_DEVICE)
    give(&s->of[FENCED_DEVICE], p);
  past_drop(p);
}

void xb_cpu_watch_edge(const void *at, uint32_t edges)
{
  const worker *w = xb_cpu_self();
  xb_cpu_watch *d = w->launch->watch;
  if (at || !d)
    return; /* atomics tell by themselves */
  d->sparse = true;
  for (uint32_t k = 0; k < clock_count(d); k++)
    if (orders(w, k))
      fence(w, &d->of[k], edges);
}

static sync_word *slot_of(sync_word *syncs, size_t slots, uintptr_t at)
{
  size_t i = (size_t)(at * 0x9E3779B97F4A7C15ull >> 24) & (slots - 1);
  while (syncs[i].at && syncs[i].at != at)
    i = (i + 1) & (slots - 1);
  return &syncs[i];
}

static sync_word *sync_of(clocks *c, uintptr_t at)
{
  if (c->sync_used * 2 >= c->sync_slots) {
    sync_word *more = calloc(c->sync_slots * 2, sizeof *more);
    if (!more)
      return NULL;
    for (size_t i = 0; i < c->sync_slots; i++)
      if (c->syncs[i].at)
        *slot_of(more, c->sync_slots * 2, c->syncs[i].at) = c->syncs[i];
    free(c->syncs);
    c->syncs = more;
    c->sync_slots *= 2;
  }
  sync_word *s = slot_of(c->syncs, c->sync_slots, at);
  c->sync_used += !s->at;
  s->at = at;
  return s;
}

/* A read takes what was released there: at once if it acquires, else at the thread's next fence. */
static void take(const xb_cpu_watch *d, strand *s, const sync_word *v, bool acquires, bool block_scope)
{
  past *own = v->owner == d->block ? v->own : NULL;
  if (acquires) {
    gather(&s->of[EXTRA], own);
    if (!block_scope)
      gather(&s->of[EXTRA], v->device);
    return;
  }
  gather(&s->of[PENDING_BLOCK], own);
  if (!block_scope) {
    gather(&s->of[PENDING_DEVICE], own);
    gather(&s->of[PENDING_DEVICE], v->device);
  }
}

/* A write leaves what the thread releases there. A modification goes on with what is there; a store replaces it. */
static void leave(const worker *w, clocks *c, sync_word *v, bool replaces, bool releases, bool block_scope)
{
  const xb_cpu_watch *d = w->launch->watch;
  strand *s = &c->strands[w->block.now->linear];
  past *all = releases ? snapshot(w, c) : NULL;
  if (replaces)
    drop(&v->device);
  if (replaces || v->owner != d->block)
    drop(&v->own);
  v->owner = d->block;
  gather(&v->own, all ? all : s->of[FENCED_BLOCK]);
  if (!block_scope)
    gather(&v->device, all ? all : s->of[FENCED_DEVICE]);
  past_drop(all);
}

/* A moment of another thread of the same wave or warp that this lane knows. `thread` may be of another one. */
static bool known_by_lane(const worker *w, const clocks *c, uint32_t self, uint32_t thread, uint32_t time)
{
  const uint32_t wave = w->launch->watch->wave, mine = w->fibers[self].place.lane, its = w->fibers[thread].place.lane;
  return its / wave == mine / wave && time <= c->strands[self].row[its % wave];
}

bool xb_cpu_ordered(const worker *w, clock_kind clock, uint32_t self, epoch e)
{
  const xb_cpu_watch *d = w->launch->watch;
  const clocks *c = &d->of[clock];
  const uint32_t block = epoch_block(e), thread = epoch_thread(e), time = epoch_time(e);
  const strand *s = &c->strands[self];
  if (!e || block < d->first)
    return true;
  if (block == d->block) {
    if (thread == self || (time <= c->base && time <= c->strands[thread].most))
      return true;
    if (known_by_lane(w, c, self, thread, time))
      return true;
  }
  return d->sparse && (past_has(s->of[EXTRA], block, thread, time) || past_has(c->known, block, thread, time));
}

/* `clock`: of what the atomic's release and acquire order; others it orders by the thread's fences alone. */
static void take_there(worker *w, uint32_t clock, const void *at, int order, bool old, bool block_scope)
{
  xb_cpu_watch *d = w->launch->watch;
  sync_word *v = sync_of(&d->of[clock], (uintptr_t)at);
  const bool acquires = orders(w, clock) && (order == __ATOMIC_SEQ_CST || order == __ATOMIC_ACQ_REL ||
                                             order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME);
  if (v)
    take(d, &d->of[clock].strands[w->block.now->linear], v, acquires || old, block_scope);
}

static void leave_there(worker *w, uint32_t clock, const void *at, xb_cpu_atomic_op op, int order, bool block_scope)
{
  clocks *c = &w->launch->watch->of[clock];
  sync_word *v = sync_of(c, (uintptr_t)at);
  const bool releases =
      orders(w, clock) && (order == __ATOMIC_SEQ_CST || order == __ATOMIC_ACQ_REL || order == __ATOMIC_RELEASE);
  if (v)
    leave(w, c, v, (op & XB_CPU_MODIFY) == XB_CPU_STORE, releases, block_scope);
}

void xb_cpu_examine_atomic(worker *w, const void *at, uint32_t bytes, xb_cpu_atomic_op op, int order, const void *pc)
{
  xb_cpu_watch *d = w->launch->watch;
  const bool block_scope = w->block.scope & XB_CPU_SCOPE_BLOCK, old = w->block.scope & XB_CPU_OLD_ATOMIC;
  d->sparse = true;
  for (uint32_t k = 0; k < clock_count(d) && op & XB_CPU_LOAD; k++)
    take_there(w, k, at, order, old && op & XB_CPU_STORE, block_scope);
  xb_cpu_examine(w, at, bytes, op, block_scope ? ATOMIC_BLOCK : ATOMIC_DEVICE, pc);
  for (uint32_t k = 0; k < clock_count(d) && op & XB_CPU_STORE; k++)
    leave_there(w, k, at, op, order, block_scope);
}

void xb_cpu_watch_atomic(const void *at, uint32_t bytes, xb_cpu_atomic_op op, int order, const void *pc)
{
  worker *w = xb_cpu_self();
  if (w->launch->watch && !xb_cpu_on_stack(w, at))
    xb_cpu_examine_atomic(w, at, bytes, op, order, pc);
}
