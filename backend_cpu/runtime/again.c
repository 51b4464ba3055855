/* What a shuffle reads from a lane outside of its mask is undefined, and many right kernels do so without using it. A
 * launch with such a read runs again with other values there: the read is a finding if the launch then ends otherwise.
 */
#include "watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Beside POISON, a NaN: large, as float and as int; very negative as float; the least unsigned number. */
static const uint64_t others[] = {0x5A5A5A5A5A5A5A5A, 0xDA5ADA5ADA5ADA5A, 0};

typedef struct range {
  char *at;
  size_t bytes;
} range;

/* What a launch may write: the regions, and at last the module's variables. */
static range range_of(const xb_cpu_launch *l, uint32_t i)
{
  const shared_layout *module = &l->team->shared;
  if (i == l->region_count)
    return (range){(char *)module->data_from, module->data_end - module->data_from};
  return (range){(char *)(uintptr_t)l->regions[i].from, l->regions[i].bytes};
}

static size_t all_bytes(const xb_cpu_launch *l)
{
  size_t bytes = 0;
  for (uint32_t i = 0; i <= l->region_count; i++)
    bytes += range_of(l, i).bytes;
  return bytes;
}

static void save(const xb_cpu_launch *l, char *copy)
{
  for (uint32_t i = 0; i <= l->region_count; i++) {
    const range r = range_of(l, i);
    memcpy(copy, r.at, r.bytes);
    copy += r.bytes;
  }
}

/* Only what differs: a part of the module may not be written. Returns whether anything did. */
static bool put_back(const xb_cpu_launch *l, const char *copy)
{
  bool differs = false;
  for (uint32_t i = 0; i <= l->region_count; i++) {
    const range r = range_of(l, i);
    const bool same = memcmp(r.at, copy, r.bytes) == 0;
    for (size_t at = 0; !same && at < r.bytes; at++)
      if (r.at[at] != copy[at])
        r.at[at] = copy[at];
    differs = differs || !same;
    copy += r.bytes;
  }
  return differs;
}

uint64_t xb_cpu_watch_lane(const fiber *f, uint32_t from)
{
  const worker *w = xb_cpu_self();
  xb_cpu_watch *d = w->launch->watch;
  uint32_t i = 0;
  if (!d)
    return POISON;
  while (i < d->lane_count && (d->lanes[i].line != f->line || d->lanes[i].file != f->file))
    i++;
  if (d->trial)
    return i < d->lane_count && d->trial == i + 1 ? d->value : POISON;
  if (i == d->lane_count && i < MOST_LANES) {
    const uint32_t *b = w->block.block, *t = f->place.index;
    d->lanes[d->lane_count++] = (lane_read){f->file, f->line, f->mask, from, {b[0], b[1], b[2]}, {t[0], t[1], t[2]}};
  }
  return POISON;
}

/* Whether the launch ends otherwise with other values at this place. `after`: what the first run left. */
static bool matters(const xb_cpu_launch *l, uint32_t place, const char *before, const char *after, xb_cpu_fault *fault)
{
  xb_cpu_watch *d = l->watch;
  const bool right = !fault->kind;
  const uint32_t count = d->finding_count;
  bool differs = false;
  for (size_t i = 0; i < sizeof others / sizeof *others && !differs && fault->kind != XB_CPU_STOPPED; i++) {
    xb_cpu_fault now;
    put_back(l, before);
    d->trial = place + 1;
    d->value = others[i];
    differs = xb_cpu_run_once(l, &now) != right || d->finding_count != count;
    differs = put_back(l, after) || differs;
    if (now.kind == XB_CPU_STOPPED) {
      *fault = now;
      differs = false;
    }
  }
  d->trial = 0;
  return differs;
}

bool xb_cpu_run_again(const xb_cpu_launch *l, xb_cpu_fault *fault)
{
  xb_cpu_watch *d = l->watch;
  if (!(d->checks & XB_CPU_MEMORY))
    return xb_cpu_run_once(l, fault);
  const size_t bytes = all_bytes(l);
  char *before = malloc(2 * bytes), *after = before ? before + bytes : NULL;
  if (!before) {
    *fault = (xb_cpu_fault){.kind = XB_CPU_BAD_LAUNCH};
    snprintf(fault->what, sizeof fault->what, "kernel %s: no memory for a copy of its buffers", l->entry->name);
    return false;
  }
  const uint32_t count = d->finding_count;
  save(l, before);
  d->lane_count = 0;
  xb_cpu_run_once(l, fault);
  if (d->lane_count)
    save(l, after);
  for (uint32_t i = 0; i < d->lane_count && d->finding_count == count; i++)
    if (matters(l, i, before, after, fault))
      xb_cpu_report_lane(l, &d->lanes[i]);
  free(before);
  return !fault->kind;
}
