/* What the detector says: one line a finding, with both places in the source. */
#include "watch.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* "byte 4 of shared memory 'tile'", "word 32 of binding 1, 'out', which has 16": a word has 4 bytes. */
static void name_texel(const xb_cpu_region *r, const int32_t at[3], char *text, size_t size)
{
  const xb_cpu_texture *i = r->image;
  if (i->depth)
    snprintf(text, size, "texel (%d, %d, %d) of %s, which has %u x %u x %u", at[0], at[1], at[2], r->name, i->width,
             i->height, i->depth);
  else if (i->height)
    snprintf(text, size, "texel (%d, %d) of %s, which has %u x %u", at[0], at[1], r->name, i->width, i->height);
  else
    snprintf(text, size, "texel %d of %s, which has %u", at[0], r->name, i->width);
}

static void name_texel_at(const xb_cpu_region *r, uint64_t offset, char *text, size_t size)
{
  const xb_cpu_texture *i = r->image;
  const uint64_t row = i->pitch ? i->pitch : r->bytes, rows = i->height ? i->height : 1;
  const int32_t at[3] = {(int32_t)(offset % row / (i->channels * i->bits / 8)), (int32_t)(offset / row % rows),
                         (int32_t)(offset / row / rows)};
  name_texel(r, at, text, size);
}

static void name_memory(const worker *w, uintptr_t at, char *text, size_t size)
{
  const xb_cpu_watch *d = w->launch->watch;
  const xb_cpu_launch *l = w->launch;
  char name[96];
  uint64_t within;
  if (d->dynamic_from && at >= d->dynamic_from && at - d->dynamic_from < XB_CPU_MOST_SHARED) {
    snprintf(text, size, "byte %" PRIu64 " of dynamic shared memory, which has %" PRIu64,
             (uint64_t)(at - d->dynamic_from), d->dynamic_bytes);
    return;
  }
  if (at >= d->shared_from && at - d->shared_from < d->shared_bytes) {
    if (xb_cpu_shared_name(l->module, at - d->shared_from, name, sizeof name, &within))
      snprintf(text, size, "byte %" PRIu64 " of shared memory '%s'", within, name);
    else
      snprintf(text, size, "shared memory");
    return;
  }
  for (uint32_t i = 0; i < l->region_count; i++) {
    const xb_cpu_region *r = &l->regions[i];
    if (at < (uintptr_t)r->around || at - (uintptr_t)r->around >= r->around_bytes)
      continue;
    if (r->image && at >= (uintptr_t)r->from && at - (uintptr_t)r->from < r->bytes) {
      name_texel_at(r, at - (uintptr_t)r->from, text, size);
      return;
    }
    const int64_t offset = (int64_t)(at - (uintptr_t)r->from), unit = offset % 4 == 0 && r->bytes % 4 == 0 ? 4 : 1;
    snprintf(text, size, "%s %" PRId64 " of %s, which has %" PRIu64, unit == 4 ? "word" : "byte", offset / unit,
             r->name, r->bytes / (uint64_t)unit);
    return;
  }
  const bool variable = at >= w->team->shared.code_from && at < w->team->shared.code_end;
  snprintf(text, size, variable ? "a __device__ variable" : "global memory");
}

/* What a compiler keeps of a variable with a constructor is not the kernel's. */
static bool is_guard(const worker *w, uintptr_t at)
{
  const xb_cpu_watch *d = w->launch->watch;
  char name[96];
  uint64_t within;
  return at >= d->shared_from && at - d->shared_from < d->shared_bytes &&
         xb_cpu_shared_name(w->launch->module, at - d->shared_from, name, sizeof name, &within) && !*name;
}

/* A shader's place is a site of its module. */
static void line_of(const worker *w, uint32_t pc, char *text, size_t size)
{
  const xb_cpu_site *site = (const xb_cpu_site *)(w->team->shared.code_from + pc);
  if (w->launch->wave && site->line)
    snprintf(text, size, "%s:%u", site->file, site->line);
  else if (w->launch->wave || !xb_cpu_line_of((const void *)(w->team->shared.code_from + pc), text, size))
    snprintf(text, size, "an unknown line");
}

static void name_thread(const worker *w, epoch e, char *text, size_t size)
{
  const uint32_t block = epoch_block(e) - w->launch->watch->first, thread = epoch_thread(e);
  const uint32_t *g = w->launch->groups, *t = w->launch->threads;
  snprintf(text, size, "block (%u, %u, %u), thread (%u, %u, %u)", block % g[0], block / g[0] % g[1],
           block / g[0] / g[1], thread % t[0], thread / t[0] % t[1], thread / t[0] / t[1]);
}

static const char *verb(const access_place *p)
{
  const access_kind kind = epoch_kind(p->when);
  if (kind == ATOMIC_BLOCK)
    return p->write ? "writes, atomic in its block" : "reads, atomic in its block";
  if (kind == ATOMIC_DEVICE)
    return p->write ? "writes, atomic or volatile" : "reads, atomic or volatile";
  return p->write ? "writes" : "reads";
}

static void keep(xb_cpu_watch *d, xb_cpu_check kind, const char *text)
{
  if (d->finding_count == MOST_FINDINGS)
    return;
  finding *f = &d->findings[d->finding_count++];
  f->kind = kind;
  snprintf(f->text, sizeof f->text, "%s", text);
}

/* Two lines of source are one finding, however many instructions they became. */
static bool is_new_text(const xb_cpu_watch *d, const char *a, const char *b)
{
  char end[2][340];
  snprintf(end[0], sizeof end[0], " at %s; ", a);
  snprintf(end[1], sizeof end[1], " at %s; ", b);
  for (uint32_t i = 0; i < d->finding_count; i++)
    if (d->findings[i].kind == XB_CPU_RACES && strstr(d->findings[i].text, end[0]) &&
        strstr(d->findings[i].text, end[1]))
      return false;
  return true;
}

static bool known(const xb_cpu_watch *d, uint32_t a, uint32_t b)
{
  for (uint32_t i = 0; i < d->pair_count; i++)
    if (d->pairs[i][0] == a && d->pairs[i][1] == b)
      return true;
  return false;
}

/* Lines are looked up once for two places in the code. */
static bool is_new(xb_cpu_watch *d, uint32_t a, uint32_t b)
{
  if (known(d, a, b))
    return false;
  if (d->pair_count == MOST_PAIRS)
    return false;
  d->pairs[d->pair_count][0] = a;
  d->pairs[d->pair_count++][1] = b;
  return true;
}

void xb_cpu_report_race(worker *w, const void *at, access_place now, access_place before, const char *why)
{
  xb_cpu_watch *d = w->launch->watch;
  char memory[192], lines[2][160], who[2][80], text[1024];
  if (!(d->checks & XB_CPU_RACES) || !is_new(d, now.pc << 1 | now.write, before.pc << 1 | before.write) ||
      is_guard(w, (uintptr_t)at))
    return;
  name_memory(w, (uintptr_t)at, memory, sizeof memory);
  line_of(w, now.pc, lines[0], sizeof lines[0]);
  line_of(w, before.pc, lines[1], sizeof lines[1]);
  if (!is_new_text(d, lines[0], lines[1]))
    return;
  name_thread(w, now.when, who[0], sizeof who[0]);
  name_thread(w, before.when, who[1], sizeof who[1]);
  snprintf(text, sizeof text, "race: kernel %s, %s: %s %s at %s; %s %s at %s; %s", w->launch->entry->name, memory,
           who[1], verb(&before), lines[1], who[0], verb(&now), lines[0], why);
  keep(d, XB_CPU_RACES, text);
}

void xb_cpu_report_memory(worker *w, const void *at, uint32_t bytes, access_place now, const char *what)
{
  xb_cpu_watch *d = w->launch->watch;
  char memory[192], line[160], who[80], text[1024];
  if (!is_new(d, now.pc << 1 | now.write, ~0u) || is_guard(w, (uintptr_t)at))
    return;
  name_memory(w, (uintptr_t)at, memory, sizeof memory);
  line_of(w, now.pc, line, sizeof line);
  name_thread(w, now.when, who, sizeof who);
  snprintf(text, sizeof text, "memory: kernel %s, %s %s %u bytes %s at %s: %s", w->launch->entry->name, who,
           now.write ? "writes" : "reads", bytes, what, line, memory);
  keep(d, XB_CPU_MEMORY, text);
}

/* Likewise what one line does to memory: a finding each. */
static bool is_new_line(const xb_cpu_watch *d, const char *line, const char *what)
{
  char part[200];
  snprintf(part, sizeof part, "%s at %s: ", what, line);
  for (uint32_t i = 0; i < d->finding_count; i++)
    if (d->findings[i].kind == XB_CPU_MEMORY && strstr(d->findings[i].text, part))
      return false;
  return true;
}

/* What a shader does not do, as it would be outside. */
static void report_site(worker *w, const xb_cpu_site *site, uint32_t bytes, const char *what, const char *memory)
{
  xb_cpu_watch *d = w->launch->watch;
  const uint32_t place = (uint32_t)((uintptr_t)site - w->team->shared.code_from);
  char line[160], who[80], text[1024];
  if (!d || !(d->checks & XB_CPU_MEMORY) || !is_new(d, place << 1, ~0u))
    return;
  line_of(w, place, line, sizeof line);
  if (!is_new_line(d, line, what))
    return;
  name_thread(w, epoch_of(d->block, w->block.now->linear, 0, PLAIN), who, sizeof who);
  snprintf(text, sizeof text, "memory: kernel %s, %s %s %u bytes %s at %s: %s", w->launch->entry->name, who,
           site->op & XB_CPU_STORE ? "writes" : "reads", bytes, what, line, memory);
  keep(d, XB_CPU_MEMORY, text);
}

void xb_cpu_report_outside(worker *w, const xb_cpu_site *site, const xb_cpu_buffer *buffer, const void *at)
{
  const int64_t offset = (int64_t)((uintptr_t)at - (uintptr_t)buffer->base);
  const uint32_t unit = offset % 4 == 0 && buffer->bytes % 4 == 0 ? 4 : 1;
  const char *name = site->of;
  char memory[192];
  for (uint32_t i = 0; i < w->launch->region_count; i++)
    if (w->launch->regions[i].from == buffer->base)
      name = w->launch->regions[i].name;
  snprintf(memory, sizeof memory, "%s %" PRId64 " of %s, which has %" PRIu64, unit == 4 ? "word" : "byte",
           offset / (int)unit, name, buffer->bytes / unit);
  report_site(w, site, site->bytes, "outside", memory);
}

void xb_cpu_report_texel(worker *w, const xb_cpu_site *site, const xb_cpu_texture *image, const int32_t at[3])
{
  xb_cpu_region r = {.image = image};
  char memory[192];
  snprintf(r.name, sizeof r.name, "%.70s", site->of);
  for (uint32_t i = 0; i < w->launch->region_count; i++)
    if (w->launch->regions[i].from == image->data)
      r = w->launch->regions[i];
  r.image = image;
  name_texel(&r, at, memory, sizeof memory);
  report_site(w, site, image->channels * image->bits / 8, "outside", memory);
}

void xb_cpu_report_index(worker *w, const xb_cpu_site *site, int64_t index, uint64_t length)
{
  char memory[192];
  snprintf(memory, sizeof memory, "index %" PRId64 " of '%s', which has %" PRIu64, index, site->of, length);
  report_site(w, site, site->bytes, "outside", memory);
}

void xb_cpu_watch_undefined(const char *what, const void *pc)
{
  worker *w = xb_cpu_self();
  xb_cpu_watch *d = w->launch->watch;
  const uint32_t place = (uint32_t)((uintptr_t)pc - 1 - w->team->shared.code_from);
  char line[160], who[80], text[1024];
  if (!d || !(d->checks & XB_CPU_MEMORY) || !is_new(d, place, (uint32_t)(uintptr_t)what))
    return;
  line_of(w, place, line, sizeof line);
  name_thread(w, epoch_of(d->block, w->block.now->linear, 0, PLAIN), who, sizeof who);
  snprintf(text, sizeof text, "memory: kernel %s, %s: %s, at %s", w->launch->entry->name, who, what, line);
  keep(d, XB_CPU_MEMORY, text);
}

void xb_cpu_report_lane(const xb_cpu_launch *l, const lane_read *r)
{
  char text[1024];
  if (l->wave)
    snprintf(text, sizeof text,
             "memory: kernel %s, block (%u, %u, %u), thread (%u, %u, %u): the result depends on lane %d, "
             "which is not active or not in the wave of %u, at %s:%u",
             l->entry->name, r->block[0], r->block[1], r->block[2], r->thread[0], r->thread[1], r->thread[2],
             (int)r->from, l->wave, r->file, r->line);
  else
    snprintf(text, sizeof text,
             "memory: kernel %s, block (%u, %u, %u), thread (%u, %u, %u): the result depends on a shuffle from "
             "lane %u, which is not in the mask 0x%08x or has ended, at %s:%u",
             l->entry->name, r->block[0], r->block[1], r->block[2], r->thread[0], r->thread[1], r->thread[2], r->from,
             r->mask, r->file, r->line);
  keep(l->watch, XB_CPU_MEMORY, text);
}

const char *xb_cpu_watch_finding(const xb_cpu_watch *d, uint32_t index)
{
  return index < d->finding_count ? d->findings[index].text : NULL;
}

xb_cpu_check xb_cpu_watch_kind(const xb_cpu_watch *d, uint32_t index)
{
  return d->findings[index].kind;
}

void xb_cpu_watch_forget(xb_cpu_watch *d)
{
  d->finding_count = d->pair_count = 0;
}
