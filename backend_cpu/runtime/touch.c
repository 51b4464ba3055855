/* Accesses of watched shaders. The translator (shader/accesses.c) writes a site for each: nothing depends on what a C
 * compiler makes of it, and an access outside of its buffer is a finding and is not made. */
#include "watch.h"

#include "xb_cpu.h"

static bool is_inside(const xb_cpu_buffer *b, const void *at, uint32_t bytes)
{
  return b->bytes >= bytes && (uint64_t)((const char *)at - (const char *)b->base) <= b->bytes - bytes;
}

static void examine(worker *w, const xb_cpu_site *site, const void *at, uint32_t bytes)
{
  const char *place = (const char *)site + 1; /* as a return address */
  if (site->kind == XB_CPU_ATOMIC) {
    w->block.scope = site->scope;
    w->block.memory = site->memory;
    xb_cpu_examine_atomic(w, at, bytes, site->op, site->order, place);
    w->block.scope = XB_CPU_SCOPE_DEVICE;
  } else if (!xb_cpu_on_stack(w, at)) {
    xb_cpu_examine(w, at, bytes, site->op, site->kind == XB_CPU_COHERENT ? COHERENT : PLAIN, place);
  }
}

/* Without a watch another order runs: only what lies outside matters. */
bool xb_cpu_watch_touch(const xb_cpu_site *site, const xb_cpu_buffer *buffer, const void *at)
{
  worker *w = xb_cpu_enter();
  const bool inside = !buffer || is_inside(buffer, at, site->bytes);
  if (w->launch->watch && inside)
    examine(w, site, at, site->bytes);
  else if (w->launch->watch)
    xb_cpu_report_outside(w, site, buffer, at);
  xb_cpu_exit(w);
  return inside;
}

bool xb_cpu_watch_texel(const xb_cpu_site *site, const xb_cpu_texture *image, const int32_t at[3])
{
  worker *w = xb_cpu_enter();
  const uint32_t height = image->height ? image->height : 1, depth = image->depth ? image->depth : 1;
  const uint32_t bytes = image->channels * image->bits / 8;
  const uint32_t x = (uint32_t)at[0], y = (uint32_t)at[1], z = (uint32_t)at[2];
  const bool inside = x < image->width && y < height && z < depth;
  if (w->launch->watch && inside)
    examine(w, site, (const char *)image->data + ((uint64_t)z * height + y) * image->pitch + (uint64_t)x * bytes,
            bytes);
  else if (w->launch->watch)
    xb_cpu_report_texel(w, site, image, at);
  xb_cpu_exit(w);
  return inside;
}

void xb_cpu_watch_beyond(const xb_cpu_site *site, int64_t index, uint64_t length)
{
  worker *w = xb_cpu_enter();
  xb_cpu_report_index(w, site, index, length);
  xb_cpu_exit(w);
}
