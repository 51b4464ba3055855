/* Looks at each access of a watched launch. A race is two accesses to a word, one of them a write and one of them
 * plain, that nothing orders. A word keeps its last write and the readers since: FastTrack's epochs (Flanagan and
 * Freund, PLDI 2009). */
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

void xb_cpu_watch_destroy(xb_cpu_watch *d)
{
  if (!d)
    return;
  xb_cpu_forget_strands(d);
  if (d->syncs)
    xb_cpu_forget_syncs(d);
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
  xb_cpu_forget_syncs(d);
  d->shared_from = (uintptr_t)m->shared() - l->offset;
  d->shared_bytes = l->bytes;
  d->dynamic_from = m->dynamic_shared ? (uintptr_t)m->dynamic_shared() : 0;
  d->dynamic_bytes = w->launch->dynamic_shared_bytes;
}

void xb_cpu_watch_block(worker *w)
{
  xb_cpu_watch *d = w->launch->watch;
  const uint32_t *b = w->block.block, *g = w->block.grid;
  xb_cpu_forget_strands(d);
  d->block = d->first + b[0] + g[0] * (b[1] + g[1] * b[2]);
  d->last = d->block > d->last ? d->block : d->last;
  d->base = 0;
  for (uint32_t i = 0; i < w->count; i++) {
    d->strands[i].now = 1;
    d->strands[i].most = UINT32_MAX;
    d->strands[i].pc = NULL;
    memset(d->strands[i].row, 0, sizeof d->strands[i].row);
  }
}

/* ---- Accesses --------------------------------------------------------------------------------------------------- */

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
  if (!before.when || compatible(before.when, k->me) || xb_cpu_ordered(k->d, k->self, before.when))
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
  if (!c->read.when || xb_cpu_ordered(k->d, k->self, c->read.when)) {
    c->read = me;
    return;
  }
  if (!c->others && !(c->others = calloc(1, sizeof *c->others)))
    return;
  readers *r = c->others;
  uint32_t of_warp = 0, victim = k->self % READERS;
  for (uint32_t i = 0; i < r->count; i++) {
    if (xb_cpu_ordered(k->d, k->self, r->of[i].when)) {
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

void xb_cpu_examine(worker *w, const void *address, uint32_t bytes, uint32_t op, access_kind kind, const void *pc)
{
  xb_cpu_watch *d = w->launch->watch;
  const uintptr_t at = (uintptr_t)address;
  const bool write = (op & XB_CPU_STORE) != 0;
  looking k = {.w = w,
               .d = d,
               .self = w->block.now->linear,
               .pc = (uint32_t)((uintptr_t)pc - 1 - w->team->shared.code_from),
               .bytes = bytes,
               .at = address,
               .write = write,
               .reads = (op & XB_CPU_LOAD) != 0,
               .shared = inside(at, d->shared_from, d->shared_bytes)};
  k.me = epoch_of(d->block, k.self, d->strands[k.self].now, kind);
  const access_place now = {k.me, k.pc, write};
  d->strands[k.self].pc = (const char *)pc - 1;
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

/* Addresses behind the arena's slots are given back: a module's shared memory may lie there. */
bool xb_cpu_on_stack(const worker *w, const void *at)
{
  return inside((uintptr_t)at, (uintptr_t)w, ARENA_USED);
}

const void *xb_cpu_watch_last(const xb_cpu_launch *l, const uint32_t thread[3])
{
  return l->watch ? l->watch->strands[thread[0] + l->threads[0] * (thread[1] + l->threads[1] * thread[2])].pc : NULL;
}

void xb_cpu_watch_access(const void *at, uint32_t bytes, bool write, const void *pc)
{
  worker *w = xb_cpu_self();
  if (w->launch->watch && bytes && !xb_cpu_on_stack(w, at))
    xb_cpu_examine(w, at, bytes, write ? XB_CPU_STORE : XB_CPU_LOAD, PLAIN, pc);
}
