/* Accesses of watched shaders. The translator (shader/accesses.c) writes a site for each: nothing depends on what a C
 * compiler makes of it, and an access outside of its buffer is a finding and is not made. */
#include "watch.h"

#include "xb_cpu.h"

static bool is_inside(const xb_cpu_buffer *b, const void *at, uint32_t bytes)
{
  return b->bytes >= bytes && (uint64_t)((const char *)at - (const char *)b->base) <= b->bytes - bytes;
}

bool xb_cpu_watch_touch(const xb_cpu_site *site, const xb_cpu_buffer *buffer, const void *at)
{
  worker *w = xb_cpu_enter();
  const char *place = (const char *)site + 1; /* as a return address */
  const bool inside = !buffer || is_inside(buffer, at, site->bytes);
  if (!w->launch->watch) {
    /* another order runs, without a detector */
  } else if (!inside) {
    xb_cpu_report_outside(w, site, buffer, at);
  } else if (site->kind == XB_CPU_ATOMIC) {
    w->block.scope = site->scope;
    w->block.memory = site->memory;
    xb_cpu_examine_atomic(w, at, site->bytes, site->op, site->order, place);
    w->block.scope = XB_CPU_SCOPE_DEVICE;
  } else if (!xb_cpu_on_stack(w, at)) {
    xb_cpu_examine(w, at, site->bytes, site->op, site->kind == XB_CPU_COHERENT ? COHERENT : PLAIN, place);
  }
  xb_cpu_exit(w);
  return inside;
}

void xb_cpu_watch_beyond(const xb_cpu_site *site, int64_t index, uint64_t length)
{
  worker *w = xb_cpu_enter();
  xb_cpu_report_index(w, site, index, length);
  xb_cpu_exit(w);
}
