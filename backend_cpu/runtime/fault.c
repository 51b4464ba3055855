/* What went wrong in a launch, in one line. */
#include "internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Writes the fault's beginning, its kernel, block and thread. Returns the length. Signal handlers call it, so no
 * printf. */
typedef struct text {
  char *at;
  size_t size, length;
} text;

static void put(text *t, const char *s)
{
  for (; *s && t->length + 1 < t->size; s++)
    t->at[t->length++] = *s;
  t->at[t->length] = '\0';
}

static void put_number(text *t, uint64_t n)
{
  char digits[24];
  size_t i = sizeof digits;
  digits[--i] = '\0';
  do
    digits[--i] = (char)('0' + n % 10);
  while (n /= 10);
  put(t, digits + i);
}

static void put_three(text *t, const char *what, const uint32_t at[3])
{
  put(t, what);
  put(t, " (");
  for (int i = 0; i < 3; i++) {
    put(t, i ? ", " : "");
    put_number(t, at[i]);
  }
  put(t, ")");
}

/* The launch's fault, if this is the first one; its text has the place. */
static xb_cpu_fault *first_fault(worker *w, xb_cpu_fault_kind kind, const fiber *f, text *t)
{
  bool over = false;
  if (!atomic_compare_exchange_strong(&w->team->faulted, &over, true))
    return NULL;
  xb_cpu_fault *fault = w->team->fault;
  *t = (text){.at = fault->what, .size = sizeof fault->what};
  fault->kind = kind;
  memcpy(fault->block, w->block.block, sizeof fault->block);
  put(t, "kernel ");
  put(t, w->launch->entry->name);
  put_three(t, ", block", fault->block);
  fault->has_thread = f != NULL;
  if (f) {
    memcpy(fault->thread, f->place.index, sizeof fault->thread);
    put_three(t, ", thread", fault->thread);
  }
  return fault;
}

/* The other blocks of the launch end, too. */
static void end_launch(worker *w)
{
  atomic_store(&w->team->over, true);
  xb_cpu_team_kick(w->team, w);
}

void xb_cpu_fault_at(worker *w, xb_cpu_fault_kind kind, const fiber *f, const char *format, ...)
{
  text t;
  if (first_fault(w, kind, f, &t)) {
    put(&t, f ? " " : ": ");
    va_list list;
    va_start(list, format);
    vsnprintf(t.at + t.length, t.size - t.length, format, list);
    va_end(list);
  }
  end_launch(w);
}

static const fiber *first_in(const worker *w, fiber_state state)
{
  for (uint32_t i = 0; i < w->count; i++)
    if (w->warps[i / XB_CPU_WARP].live >> i % XB_CPU_WARP & 1 && w->fibers[i].state == (uint8_t)state)
      return &w->fibers[i];
  return NULL;
}

void xb_cpu_fault_dead_end(worker *w)
{
  const fiber *b = first_in(w, AT_BARRIER), *s = first_in(w, AT_WARP);
  if (!s) { /* cannot be: a barrier at which all wait opens */
    xb_cpu_fault_at(w, XB_CPU_DEAD_END, b, "waits forever");
    return;
  }
  const uint32_t self = s->place.linear % XB_CPU_WARP, in = s->place.linear / XB_CPU_WARP;
  const uint32_t missing = s->mask & w->warps[in].live & ~(w->warps[in].waiting & s->mask);
  const uint32_t other = (uint32_t)__builtin_ctz(missing ? missing : s->mask);
  const fiber *o = &w->fibers[in * XB_CPU_WARP + other];
  char barrier[128] = "";
  if (w->waits)
    snprintf(barrier, sizeof barrier, "; %u of %u threads wait at the barrier %s:%u", w->waits, w->live, b->file,
             b->line);
  xb_cpu_fault_at(
      w, XB_CPU_DEAD_END, s,
      "waits forever: lane %u is in %s with the mask 0x%08x at %s:%u, but lane %u of the mask waits in %s at "
      "%s:%u%s",
      self, xb_cpu_warp_word(s->op), s->mask, s->file, s->line, other,
      o->state == AT_BARRIER ? "a barrier" : xb_cpu_warp_word(o->op), o->file, o->line,
      o->state == AT_BARRIER ? "" : barrier);
}

void xb_cpu_fault_signal(worker *w, xb_cpu_fault_kind kind, const void *address, bool write, const void *pc)
{
  text t;
  xb_cpu_fault *fault = first_fault(w, kind, (const fiber *)w->block.now, &t);
  if (fault) {
    fault->address = address;
    fault->write = write;
    fault->pc = pc;
    put(&t, " ");
    switch (kind) {
    case XB_CPU_OVERFLOW:
      put(&t, "has used up its stack of ");
      put_number(&t, (XB_CPU_SLOT_BYTES >> 10) - 4);
      put(&t, " KiB: it recurses too deeply, or its local arrays are too large");
      break;
    case XB_CPU_BAD_ACCESS: put(&t, write ? "writes outside of all buffers" : "reads outside of all buffers"); break;
    case XB_CPU_BAD_ARITHMETIC: put(&t, "divides an integer by zero, or the smallest integer by -1"); break;
    case XB_CPU_STOPPED: put(&t, "was still running when it was stopped"); break;
    default: put(&t, "reached an instruction that this processor lacks");
    }
  }
  end_launch(w);
}
