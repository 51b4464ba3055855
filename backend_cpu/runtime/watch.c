/* Finds races: two accesses to a word, one of them a write and one of them plain, that nothing orders. What orders is
 * CUDA's memory model: barriers of the block, __syncwarp, and releases that acquires see, by scope. Shuffles and votes
 * order nothing.
 *
 * Times are vector clocks. A GPU's launch has too many threads for whole ones: a barrier makes all threads of a block
 * equal, so one number (`base`) says what they know of each other; a row of 32 is for the warp; the rest is sparse.
 * (Such compression is in Barracuda, Eizenberg and others, PLDI 2017; epochs of a word in FastTrack, PLDI 2009.) */
#include "watch.h"

#include <stdlib.h>
#include <string.h>

xb_cpu_watch *xb_cpu_watch_create(uint32_t checks)
{
  xb_cpu_watch *d = calloc(1, sizeof *d);
  if (!d)
    return NULL;
  *d = (xb_cpu_watch){.checks = checks, .global = shadow_create(), .shared = shadow_create(), .sync_slots = 256};
  d->syncs = calloc(d->sync_slots, sizeof *d->syncs);
  d->findings = calloc(MOST_FINDINGS, sizeof *d->findings);
  if (d->global && d->shared && d->syncs && d->findings)
    return d;
  xb_cpu_watch_destroy(d);
  return NULL;
}

static void drop(past **p)
{
  past_drop(*p);
  *p = NULL;
}

static void forget_strands(xb_cpu_watch *d)
{
  for (uint32_t i = 0; d->sparse && i < MOST; i++) {
    strand *s = &d->strands[i];
    drop(&s->extra), drop(&s->fenced_device), drop(&s->fenced_block);
    drop(&s->pending_device), drop(&s->pending_block);
  }
  drop(&d->known);
  d->sparse = false;
}

static void forget_syncs(xb_cpu_watch *d)
{
  for (size_t i = 0; d->syncs && i < d->sync_slots; i++)
    drop(&d->syncs[i].device), drop(&d->syncs[i].own);
  memset(d->syncs, 0, d->sync_slots * sizeof *d->syncs);
  d->sync_used = 0;
}

void xb_cpu_watch_destroy(xb_cpu_watch *d)
{
  if (!d)
    return;
  forget_strands(d);
  if (d->syncs)
    forget_syncs(d);
  shadow_destroy(d->global);
  shadow_destroy(d->shared);
  free(d->syncs);
  free(d->findings);
  free(d);
}

/* ---- Launches and blocks --------------------------------------------------------------------------------------- */

enum { MOST_SHADOW = 1 << 29 }; /* bytes that are kept from one launch to the next */

/* A launch comes after all others, so what was seen before counts no more. */
void xb_cpu_watch_launch(worker *w)
{
  xb_cpu_watch *d = w->launch->watch;
  const shared_layout *l = &w->team->shared;
  const xb_cpu_module_info *m = w->launch->module;
  d->first = ++d->last;
  const bool begins_again = d->first + w->team->blocks >= 1u << 28;
  if (begins_again)
    d->first = d->last = 1;
  d->block = d->first;
  if (begins_again || shadow_bytes(d->global) > MOST_SHADOW)
    shadow_clear(d->global);
  if (begins_again || d->module != m)
    shadow_clear(d->shared);
  d->module = m;
  forget_syncs(d);
  d->shared_from = (uintptr_t)m->shared() - l->offset;
  d->shared_bytes = l->bytes;
  d->dynamic_from = m->dynamic_shared ? (uintptr_t)m->dynamic_shared() : 0;
  d->dynamic_bytes = w->launch->dynamic_shared_bytes;
}

void xb_cpu_watch_block(worker *w)
{
  xb_cpu_watch *d = w->launch->watch;
  const uint32_t *b = w->block.block, *g = w->block.grid;
  forget_strands(d);
  d->block = d->first + b[0] + g[0] * (b[1] + g[1] * b[2]);
  d->last = d->block > d->last ? d->block : d->last;
  d->base = 0;
  for (uint32_t i = 0; i < w->count; i++) {
    d->strands[i].now = 1;
    memset(d->strands[i].row, 0, sizeof d->strands[i].row);
  }
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
typedef struct together {
  past *extra, *fenced_device, *fenced_block, *pending_device, *pending_block;
} together;

static void gather_strand(together *t, const strand *s)
{
  gather(&t->extra, s->extra);
  gather(&t->fenced_device, s->fenced_device);
  gather(&t->fenced_block, s->fenced_block);
  gather(&t->pending_device, s->pending_device);
  gather(&t->pending_block, s->pending_block);
}

static void give_strand(strand *s, const together *t)
{
  give(&s->extra, t->extra);
  give(&s->fenced_device, t->fenced_device);
  give(&s->fenced_block, t->fenced_block);
  give(&s->pending_device, t->pending_device);
  give(&s->pending_block, t->pending_block);
}

static void drop_together(together *t)
{
  drop(&t->extra), drop(&t->fenced_device), drop(&t->fenced_block);
  drop(&t->pending_device), drop(&t->pending_block);
}

void xb_cpu_watch_barrier(worker *w)
{
  xb_cpu_watch *d = w->launch->watch;
  together t = {0};
  if (!d)
    return;
  for (uint32_t i = 0; i < w->count; i++)
    d->base = d->strands[i].now > d->base ? d->strands[i].now : d->base;
  for (uint32_t i = 0; i < w->count; i++)
    d->strands[i].now = d->base + 1;
  if (!d->sparse)
    return;
  for (uint32_t i = 0; i < w->count; i++)
    gather_strand(&t, &d->strands[i]);
  gather(&d->known, t.extra);
  drop(&t.extra);
  for (uint32_t i = 0; i < w->count; i++)
    give_strand(&d->strands[i], &t);
  drop_together(&t);
}

void xb_cpu_watch_warp(worker *w, uint32_t warp_index, uint32_t lanes)
{
  xb_cpu_watch *d = w->launch->watch;
  uint32_t row[XB_CPU_WARP] = {0};
  together t = {0};
  if (!d)
    return;
  strand *all = &d->strands[warp_index * XB_CPU_WARP];
  for (uint32_t left = lanes; left; left &= left - 1) {
    const uint32_t l = (uint32_t)__builtin_ctz(left);
    for (uint32_t i = 0; i < XB_CPU_WARP; i++)
      row[i] = all[l].row[i] > row[i] ? all[l].row[i] : row[i];
    if (d->sparse)
      gather_strand(&t, &all[l]);
  }
  for (uint32_t left = lanes; left; left &= left - 1)
    row[__builtin_ctz(left)] = all[__builtin_ctz(left)].now;
  for (uint32_t left = lanes; left; left &= left - 1) {
    strand *s = &all[__builtin_ctz(left)];
    s->now++;
    memcpy(s->row, row, sizeof row);
    if (d->sparse)
      give_strand(s, &t);
  }
  drop_together(&t);
}

/* ---- Fences and atomics ----------------------------------------------------------------------------------------- */

static uint32_t self_of(const worker *w)
{
  return w->block.now->linear;
}

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
  p = past_join(p, s->extra);
  s->now++;
  return p;
}

void xb_cpu_watch_edge(const void *at, uint32_t edges)
{
  worker *w = xb_cpu_self();
  xb_cpu_watch *d = w->launch->watch;
  if (at || !d)
    return; /* atomics tell by themselves */
  strand *s = &d->strands[self_of(w)];
  d->sparse = true;
  gather(&s->extra, s->pending_block);
  drop(&s->pending_block);
  if (edges & XB_CPU_FENCE_DEVICE) {
    gather(&s->extra, s->pending_device);
    drop(&s->pending_device);
  }
  past *p = snapshot(d, self_of(w));
  give(&s->fenced_block, p);
  if (edges & XB_CPU_FENCE_DEVICE)
    give(&s->fenced_device, p);
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
    gather(&s->extra, own);
    if (!block_scope)
      gather(&s->extra, v->device);
    return;
  }
  gather(&s->pending_block, own);
  if (!block_scope) {
    gather(&s->pending_device, own);
    gather(&s->pending_device, v->device);
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
  gather(&v->own, all ? all : s->fenced_block);
  if (!block_scope)
    gather(&v->device, all ? all : s->fenced_device);
  past_drop(all);
}

/* ---- Accesses --------------------------------------------------------------------------------------------------- */

static bool ordered(const xb_cpu_watch *d, uint32_t self, epoch e)
{
  const uint32_t block = epoch_block(e), thread = epoch_thread(e), time = epoch_time(e);
  const strand *s = &d->strands[self];
  if (!e || block < d->first)
    return true;
  if (block == d->block) {
    if (thread == self || time <= d->base)
      return true;
    if (thread / XB_CPU_WARP == self / XB_CPU_WARP && time <= s->row[thread % XB_CPU_WARP])
      return true;
  }
  return d->sparse && (past_has(s->extra, block, thread, time) || past_has(d->known, block, thread, time));
}

/* Two atomics do not race if both scopes name both threads. */
static bool compatible(epoch a, epoch b)
{
  if (epoch_kind(a) == PLAIN || epoch_kind(b) == PLAIN)
    return false;
  return epoch_block(a) == epoch_block(b) || (epoch_kind(a) == ATOMIC_DEVICE && epoch_kind(b) == ATOMIC_DEVICE);
}

typedef struct looking {
  worker *w;
  xb_cpu_watch *d;
  uint32_t self, pc, bytes;
  const void *at;
  epoch me;
  bool write, reads, shared;
} looking;

static void compare(const looking *k, seen before, bool before_writes)
{
  if (!before.when || compatible(before.when, k->me) || ordered(k->d, k->self, before.when))
    return;
  if (k->shared && epoch_block(before.when) != k->d->block)
    return; /* another block's shared memory */
  xb_cpu_report_race(k->w, k->at, (access_place){k->me, k->pc, k->write},
                     (access_place){before.when, before.pc, before_writes});
}

static bool same_warp(epoch a, epoch b)
{
  return epoch_block(a) == epoch_block(b) && epoch_thread(a) / XB_CPU_WARP == epoch_thread(b) / XB_CPU_WARP;
}

/* Keeps the reader beside others that nothing orders before it. Where all places are taken, one of the same warp goes,
 * else any one. */
static void add_reader(const looking *k, cell *c, seen me)
{
  if (!c->read.when || ordered(k->d, k->self, c->read.when)) {
    c->read = me;
    return;
  }
  if (!c->others && !(c->others = calloc(1, sizeof *c->others)))
    return;
  readers *r = c->others;
  uint32_t of_warp = 0, victim = k->self % READERS;
  for (uint32_t i = 0; i < r->count; i++) {
    if (ordered(k->d, k->self, r->of[i].when)) {
      r->of[i] = me;
      return;
    }
    if (same_warp(r->of[i].when, me.when) && ++of_warp == 2)
      victim = i;
  }
  if (of_warp < 2 && r->count < READERS)
    victim = r->count++;
  r->of[victim] = me;
}

static void look(const looking *k, cell *c)
{
  const seen me = {k->me, k->pc};
  if (!k->write) {
    if (c->read.when == k->me)
      return;
    compare(k, c->write, true);
    compare(k, c->atomic, true);
    add_reader(k, c, me);
    return;
  }
  const bool plain = epoch_kind(k->me) == PLAIN;
  if ((plain ? c->write.when : c->atomic.when) == k->me && !c->read.when)
    return;
  compare(k, c->write, true);
  compare(k, c->atomic, true);
  compare(k, c->read, false);
  for (uint32_t i = 0; c->others && i < c->others->count; i++)
    compare(k, c->others->of[i], false);
  c->atomic = plain ? (seen){0} : me;
  if (plain)
    c->write = me;
  c->read = (seen){0};
  if (c->others)
    c->others->count = 0;
}

static bool unwritten(const looking *k, const cell *c)
{
  return k->shared && k->reads && epoch_block(c->write.when) != k->d->block &&
         epoch_block(c->atomic.when) != k->d->block;
}

static void look_at_bytes(const looking *k, uintptr_t from, uintptr_t end)
{
  shadow *s = k->shared ? k->d->shared : k->d->global;
  bool lacks = false;
  for (uintptr_t at = from & ~(uintptr_t)3; at < end; at += 4) {
    cell *word = shadow_at(s, at);
    if (!word)
      return;
    if (at >= from && at + 4 <= end && !word->bytes) {
      lacks |= unwritten(k, word);
      look(k, word);
      continue;
    }
    cell *bytes = shadow_split(word);
    for (uintptr_t b = 0; bytes && b < 4; b++) {
      if (at + b < from || at + b >= end)
        continue;
      lacks |= unwritten(k, &bytes[b]);
      look(k, &bytes[b]);
    }
  }
  if (lacks && k->d->checks & XB_CPU_MEMORY)
    xb_cpu_report_memory(k->w, k->at, k->bytes, (access_place){k->me, k->pc, false}, "that no thread has written yet");
}

/* True if it lies in a buffer, or in nothing that is known. */
static bool check_bounds(const looking *k, uintptr_t from, uintptr_t end)
{
  const xb_cpu_launch *l = k->w->launch;
  bool near = false;
  for (uint32_t i = 0; i < l->region_count; i++) {
    const uintptr_t first = (uintptr_t)l->regions[i].from, around = (uintptr_t)l->regions[i].around;
    if (from >= first && end <= first + l->regions[i].bytes)
      return true;
    near |= end > around && from < around + l->regions[i].around_bytes;
  }
  return !near;
}

static bool inside(uintptr_t at, uintptr_t from, uint64_t bytes)
{
  return at >= from && at - from < bytes;
}

static void examine(worker *w, const void *address, uint32_t bytes, uint32_t op, access_kind kind, const void *pc)
{
  xb_cpu_watch *d = w->launch->watch;
  const uintptr_t at = (uintptr_t)address;
  const bool write = (op & XB_CPU_STORE) != 0;
  looking k = {.w = w,
               .d = d,
               .self = self_of(w),
               .pc = (uint32_t)((uintptr_t)pc - 1 - w->team->shared.code_from),
               .bytes = bytes,
               .at = address,
               .write = write,
               .reads = (op & XB_CPU_LOAD) != 0,
               .shared = inside(at, d->shared_from, d->shared_bytes)};
  k.me = epoch_of(d->block, k.self, d->strands[k.self].now, kind);
  const access_place now = {k.me, k.pc, write};
  if (d->checks & XB_CPU_MEMORY) {
    const bool dynamic = d->dynamic_from && inside(at, d->dynamic_from, XB_CPU_MOST_SHARED + 64);
    if (dynamic ? at + bytes > d->dynamic_from + d->dynamic_bytes : !k.shared && !check_bounds(&k, at, at + bytes)) {
      xb_cpu_report_memory(w, address, bytes, now, "outside");
      return;
    }
    if ((bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16) && at % bytes && kind != PLAIN)
      xb_cpu_report_memory(w, address, bytes, now, "at an address that is no multiple of its size");
  }
  look_at_bytes(&k, at, at + bytes);
}

static bool on_stack(const worker *w, const void *at)
{
  return (((uintptr_t)at ^ (uintptr_t)w) & ~(uintptr_t)(XB_CPU_ARENA_BYTES - 1)) == 0;
}

void xb_cpu_watch_access(const void *at, uint32_t bytes, bool write, const void *pc)
{
  worker *w = xb_cpu_self();
  if (w->launch->watch && bytes && !on_stack(w, at))
    examine(w, at, bytes, write ? XB_CPU_STORE : XB_CPU_LOAD, PLAIN, pc);
}

void xb_cpu_watch_atomic(const void *at, uint32_t bytes, xb_cpu_atomic_op op, int order, const void *pc)
{
  worker *w = xb_cpu_self();
  xb_cpu_watch *d = w->launch->watch;
  const bool block_scope = w->block.scope & XB_CPU_SCOPE_BLOCK, old = w->block.scope & XB_CPU_OLD_ATOMIC;
  if (!d || on_stack(w, at))
    return;
  const uint32_t self = self_of(w);
  sync_word *v = sync_of(d, (uintptr_t)at);
  d->sparse = true;
  const bool seq = order == __ATOMIC_SEQ_CST || order == __ATOMIC_ACQ_REL;
  if (v && op & XB_CPU_LOAD)
    take(d, &d->strands[self], v,
         seq || order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME || (old && op != XB_CPU_LOAD), block_scope);
  examine(w, at, bytes, op, block_scope ? ATOMIC_BLOCK : ATOMIC_DEVICE, pc);
  if (v && op & XB_CPU_STORE)
    leave(d, self, v, op == XB_CPU_STORE, seq || order == __ATOMIC_RELEASE, block_scope);
}
