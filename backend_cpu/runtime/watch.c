/* Looks at each access of a watched launch. A race is two accesses to a word, one of them a write and one of them
 * plain, that nothing orders. A word keeps its last write and the readers since: FastTrack's epochs (Flanagan and
 * Freund, PLDI 2009). */
#include "watch.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SYNCS = 256 };

xb_cpu_watch *xb_cpu_watch_create(uint32_t checks)
{
  xb_cpu_watch *d = calloc(1, sizeof *d);
  if (!d)
    return NULL;
  d->checks = checks;
  d->global = shadow_create();
  d->shared = shadow_create();
  d->findings = calloc(MOST_FINDINGS, sizeof *d->findings);
  bool made = d->global && d->shared && d->findings;
  for (int k = 0; k < CLOCKS; k++) {
    d->of[k].sync_slots = FIRST_SYNCS;
    d->of[k].syncs = calloc(FIRST_SYNCS, sizeof *d->of[k].syncs);
    made &= d->of[k].syncs != NULL;
  }
  if (made)
    return d;
  xb_cpu_watch_destroy(d);
  return NULL;
}

void xb_cpu_watch_destroy(xb_cpu_watch *d)
{
  if (!d)
    return;
  xb_cpu_forget_strands(d);
  xb_cpu_forget_syncs(d);
  shadow_destroy(d->global);
  shadow_destroy(d->shared);
  for (int k = 0; k < CLOCKS; k++)
    free(d->of[k].syncs);
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
  d->shader = w->launch->wave != 0;
  d->wave = w->block.wave;
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
  for (clocks *c = d->of; c < d->of + (d->shader ? CLOCKS : 1); c++) {
    c->base = 0;
    for (uint32_t i = 0; i < w->count; i++) {
      c->strands[i].now = 1;
      c->strands[i].most = UINT32_MAX;
      c->strands[i].pc = NULL;
      memset(c->strands[i].row, 0, d->wave * sizeof *c->strands[i].row);
    }
  }
}

/* ---- Accesses --------------------------------------------------------------------------------------------------- */

/* Two atomics do not race if both scopes name both threads. */
static bool compatible(epoch a, epoch b)
{
  if (is_plain(a) || is_plain(b))
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
  clock_kind clock;
  bool fresh; /* it lies in a buffer that nothing wrote before the launch */
} looking;

/* What another group of this launch wrote to a buffer that is not coherent: its caches may keep it, or this group's may
 * have what was there before, although something orders the two. */
static bool may_be_stale(const looking *k, seen before, bool before_writes)
{
  return k->d->shader && !k->shared && before_writes && k->reads && epoch_block(before.when) >= k->d->first &&
         epoch_block(before.when) != k->d->block && (epoch_kind(before.when) == PLAIN || epoch_kind(k->me) == PLAIN);
}

static void compare(const looking *k, seen before, bool before_writes)
{
  const access_place now = {k->me, k->pc, k->write}, then = {before.when, before.pc, before_writes};
  if (!before.when || compatible(before.when, k->me))
    return;
  if (k->shared && epoch_block(before.when) != k->d->block)
    return; /* another block's shared memory */
  if (!xb_cpu_ordered(k->w, k->clock, k->self, before.when))
    xb_cpu_report_race(k->w, k->at, now, then, "nothing orders them");
  else if (may_be_stale(k, before, before_writes))
    xb_cpu_report_race(k->w, k->at, now, then,
                       "they are ordered, but between groups only a coherent buffer is up to date (globallycoherent, "
                       "coherent)");
}

static bool same_warp(const looking *k, epoch a, epoch b)
{
  const fiber *f = k->w->fibers;
  return epoch_block(a) == epoch_block(b) &&
         f[epoch_thread(a)].place.lane / k->d->wave == f[epoch_thread(b)].place.lane / k->d->wave;
}

/* Keeps the reader beside others that nothing orders before it. Where all places are taken, one of the same warp goes,
 * else any one. */
static void add_reader(const looking *k, cell *c, seen me)
{
  if (!c->read.when || xb_cpu_ordered(k->w, k->clock, k->self, c->read.when)) {
    c->read = me;
    return;
  }
  if (!c->others && !(c->others = calloc(1, sizeof *c->others)))
    return;
  readers *r = c->others;
  uint32_t of_warp = 0, victim = k->self % READERS;
  for (uint32_t i = 0; i < r->count; i++) {
    if (xb_cpu_ordered(k->w, k->clock, k->self, r->of[i].when)) {
      r->of[i] = me;
      return;
    }
    if (same_warp(k, r->of[i].when, me.when) && ++of_warp == 2)
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
  const bool plain = is_plain(k->me);
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
  if (!k->reads || (!k->shared && !k->fresh))
    return false;
  return k->shared ? epoch_block(c->write.when) != k->d->block && epoch_block(c->atomic.when) != k->d->block
                   : !c->write.when && !c->atomic.when;
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

/* The buffer that it lies in; NULL: none. *near: then, it lies beside one. */
static const xb_cpu_region *region_of(const looking *k, uintptr_t from, uintptr_t end, bool *near)
{
  const xb_cpu_launch *l = k->w->launch;
  *near = false;
  for (uint32_t i = 0; i < l->region_count; i++) {
    const xb_cpu_region *r = &l->regions[i];
    const uintptr_t first = (uintptr_t)r->from, around = (uintptr_t)r->around;
    if (from >= first && end <= first + r->bytes)
      return r;
    *near |= end > around && from < around + r->around_bytes;
  }
  return NULL;
}

/* False: it lies beside a buffer. */
static bool check_region(looking *k, uintptr_t at, access_place now)
{
  bool near;
  const xb_cpu_region *r = region_of(k, at, at + k->bytes, &near);
  if (!r && near)
    xb_cpu_report_memory(k->w, k->at, k->bytes, now, "outside");
  if (r && r->unnamed)
    xb_cpu_report_memory(k->w, k->at, k->bytes, now, "of a buffer that is neither bound nor named with xb_cmd_use,");
  if (!r || !k->d->shader)
    return r || !near;
  k->fresh = r->fresh;
  return true;
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
  k.clock = k.shared || !d->shader ? OF_SHARED : op & XB_CPU_TEXEL ? OF_IMAGES : OF_BUFFERS;
  k.me = epoch_of(d->block, k.self, d->of[k.clock].strands[k.self].now, kind);
  const access_place now = {k.me, k.pc, write};
  d->of[OF_SHARED].strands[k.self].pc = (const char *)pc - 1;
  if (d->checks & XB_CPU_MEMORY) {
    const bool dynamic = d->dynamic_from && inside(at, d->dynamic_from, XB_CPU_MOST_SHARED + 64);
    if (dynamic && at + bytes > d->dynamic_from + d->dynamic_bytes) {
      xb_cpu_report_memory(w, address, bytes, now, "outside");
      return;
    }
    if (!dynamic && !k.shared && !check_region(&k, at, now))
      return;
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
  const uint32_t linear = thread[0] + l->threads[0] * (thread[1] + l->threads[1] * thread[2]);
  return l->watch && !l->wave ? l->watch->of[OF_SHARED].strands[linear].pc : NULL; /* a shader's is a site */
}

void xb_cpu_watch_access(const void *at, uint32_t bytes, bool write, const void *pc)
{
  worker *w = xb_cpu_self();
  if (w->launch->watch && bytes && !xb_cpu_on_stack(w, at))
    xb_cpu_examine(w, at, bytes, write ? XB_CPU_STORE : XB_CPU_LOAD, PLAIN, pc);
}
