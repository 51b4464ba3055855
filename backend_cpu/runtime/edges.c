/* What orders a watched launch's accesses, by CUDA's memory model: barriers of the block, __syncwarp, and releases that
 * acquires see, by scope. Shuffles and votes order nothing.
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
  for (uint32_t i = 0; d->sparse && i < MOST; i++)
    drop_all(d->strands[i].of);
  drop(&d->known);
  d->sparse = false;
}

void xb_cpu_forget_syncs(xb_cpu_watch *d)
{
  for (size_t i = 0; d->syncs && i < d->sync_slots; i++)
    drop(&d->syncs[i].device), drop(&d->syncs[i].own);
  memset(d->syncs, 0, d->sync_slots * sizeof *d->syncs);
  d->sync_used = 0;
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
  if (w->launch->watch)
    w->launch->watch->strands[thread].most = w->launch->watch->base;
}

static void bring_ended(const warp *p, strand *lanes)
{
  for (uint32_t left = p->live; left; left &= left - 1)
    for (uint32_t l = 0; l < XB_CPU_WARP; l++) {
      const uint32_t time = lanes[__builtin_ctz(left)].row[l];
      lanes[l].most = time > lanes[l].most ? time : lanes[l].most;
    }
}

void xb_cpu_watch_barrier(worker *w)
{
  xb_cpu_watch *d = w->launch->watch;
  past *t[PASTS] = {NULL};
  if (!d)
    return;
  for (uint32_t i = 0; w->live < w->count && i * XB_CPU_WARP < w->count; i++)
    bring_ended(&w->warps[i], &d->strands[i * XB_CPU_WARP]);
  for (uint32_t i = 0; i < w->count; i++)
    d->base = d->strands[i].now > d->base ? d->strands[i].now : d->base;
  for (uint32_t i = 0; i < w->count; i++)
    d->strands[i].now = d->base + 1;
  if (!d->sparse)
    return;
  for (uint32_t i = 0; i < w->count; i++)
    gather_all(t, &d->strands[i]);
  gather(&d->known, t[EXTRA]);
  drop(&t[EXTRA]);
  for (uint32_t i = 0; i < w->count; i++)
    give_all(&d->strands[i], t);
  drop_all(t);
}

void xb_cpu_watch_warp(worker *w, uint32_t warp_index, uint32_t lanes)
{
  xb_cpu_watch *d = w->launch->watch;
  uint32_t row[XB_CPU_WARP] = {0};
  past *t[PASTS] = {NULL};
  if (!d)
    return;
  strand *all = &d->strands[warp_index * XB_CPU_WARP];
  for (uint32_t left = lanes; left; left &= left - 1) {
    const uint32_t l = (uint32_t)__builtin_ctz(left);
    for (uint32_t i = 0; i < XB_CPU_WARP; i++)
      row[i] = all[l].row[i] > row[i] ? all[l].row[i] : row[i];
    if (d->sparse)
      gather_all(t, &all[l]);
  }
  for (uint32_t left = lanes; left; left &= left - 1)
    row[__builtin_ctz(left)] = all[__builtin_ctz(left)].now;
  for (uint32_t left = lanes; left; left &= left - 1) {
    strand *s = &all[__builtin_ctz(left)];
    s->now++;
    memcpy(s->row, row, sizeof row);
    if (d->sparse)
      give_all(s, t);
  }
  drop_all(t);
}

/* ---- Fences and atomics ----------------------------------------------------------------------------------------- */

/* All that the running thread did and knows. What it does from now on is not a part of it. */
static past *snapshot(xb_cpu_watch *d, uint32_t self)
{
  strand *s = &d->strands[self];
  const uint32_t first = self / XB_CPU_WARP * XB_CPU_WARP;
  moment own[XB_CPU_WARP + 1];
  uint32_t count = 0;
  if (d->base)
    own[count++] = (moment){WHO_ALL(d->block), d->base};
  for (uint32_t l = 0; l < XB_CPU_WARP; l++)
    if (first + l == self)
      own[count++] = (moment){WHO(d->block, self), s->now};
    else if (s->row[l] > d->base)
      own[count++] = (moment){WHO(d->block, first + l), s->row[l]};
  past *p = past_join(past_of(own, count), d->known);
  p = past_join(p, s->of[EXTRA]);
  s->now++;
  return p;
}

void xb_cpu_watch_edge(const void *at, uint32_t edges)
{
  worker *w = xb_cpu_self();
  xb_cpu_watch *d = w->launch->watch;
  if (at || !d)
    return; /* atomics tell by themselves */
  strand *s = &d->strands[w->block.now->linear];
  d->sparse = true;
  gather(&s->of[EXTRA], s->of[PENDING_BLOCK]);
  drop(&s->of[PENDING_BLOCK]);
  if (edges & XB_CPU_FENCE_DEVICE) {
    gather(&s->of[EXTRA], s->of[PENDING_DEVICE]);
    drop(&s->of[PENDING_DEVICE]);
  }
  past *p = snapshot(d, w->block.now->linear);
  give(&s->of[FENCED_BLOCK], p);
  if (edges & XB_CPU_FENCE_DEVICE)
    give(&s->of[FENCED_DEVICE], p);
  past_drop(p);
}

static sync_word *slot_of(sync_word *syncs, size_t slots, uintptr_t at)
{
  size_t i = (size_t)(at * 0x9E3779B97F4A7C15ull >> 24) & (slots - 1);
  while (syncs[i].at && syncs[i].at != at)
    i = (i + 1) & (slots - 1);
  return &syncs[i];
}

static sync_word *sync_of(xb_cpu_watch *d, uintptr_t at)
{
  if (d->sync_used * 2 >= d->sync_slots) {
    sync_word *more = calloc(d->sync_slots * 2, sizeof *more);
    if (!more)
      return NULL;
    for (size_t i = 0; i < d->sync_slots; i++)
      if (d->syncs[i].at)
        *slot_of(more, d->sync_slots * 2, d->syncs[i].at) = d->syncs[i];
    free(d->syncs);
    d->syncs = more;
    d->sync_slots *= 2;
  }
  sync_word *s = slot_of(d->syncs, d->sync_slots, at);
  d->sync_used += !s->at;
  s->at = at;
  return s;
}

/* A read takes what was released there: at once if it acquires, else at the thread's next fence. */
static void take(xb_cpu_watch *d, strand *s, const sync_word *v, bool acquires, bool block_scope)
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
static void leave(xb_cpu_watch *d, uint32_t self, sync_word *v, bool replaces, bool releases, bool block_scope)
{
  strand *s = &d->strands[self];
  past *all = releases ? snapshot(d, self) : NULL;
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

bool xb_cpu_ordered(const xb_cpu_watch *d, uint32_t self, epoch e)
{
  const uint32_t block = epoch_block(e), thread = epoch_thread(e), time = epoch_time(e);
  const strand *s = &d->strands[self];
  if (!e || block < d->first)
    return true;
  if (block == d->block) {
    if (thread == self || (time <= d->base && time <= d->strands[thread].most))
      return true;
    if (thread / XB_CPU_WARP == self / XB_CPU_WARP && time <= s->row[thread % XB_CPU_WARP])
      return true;
  }
  return d->sparse && (past_has(s->of[EXTRA], block, thread, time) || past_has(d->known, block, thread, time));
}

void xb_cpu_watch_atomic(const void *at, uint32_t bytes, xb_cpu_atomic_op op, int order, const void *pc)
{
  worker *w = xb_cpu_self();
  xb_cpu_watch *d = w->launch->watch;
  const bool block_scope = w->block.scope & XB_CPU_SCOPE_BLOCK, old = w->block.scope & XB_CPU_OLD_ATOMIC;
  if (!d || xb_cpu_on_stack(w, at))
    return;
  const uint32_t self = w->block.now->linear;
  sync_word *v = sync_of(d, (uintptr_t)at);
  d->sparse = true;
  const bool seq = order == __ATOMIC_SEQ_CST || order == __ATOMIC_ACQ_REL;
  if (v && op & XB_CPU_LOAD)
    take(d, &d->strands[self], v,
         seq || order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME || (old && op != XB_CPU_LOAD), block_scope);
  xb_cpu_examine(w, at, bytes, op, block_scope ? ATOMIC_BLOCK : ATOMIC_DEVICE, pc);
  if (v && op & XB_CPU_STORE)
    leave(d, self, v, op == XB_CPU_STORE, seq || order == __ATOMIC_RELEASE, block_scope);
}
