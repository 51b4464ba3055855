/* Shared memory is thread_local in a module: one copy for each OS thread, and so for each running block. It holds what
 * the last block left; CUDA leaves it undefined. So it is poisoned before each block. */
#include "internal.h"

#include <link.h>
#include <string.h>

enum { BEHIND = 64 };

typedef struct search {
  const xb_cpu_module_info *module;
  shared_layout *layout;
  bool found;
} search;

static void find_ends(const struct dl_phdr_info *o, shared_layout *layout)
{
  *layout = (shared_layout){.code_from = UINTPTR_MAX};
  for (int i = 0; i < o->dlpi_phnum; i++) {
    const uintptr_t from = o->dlpi_addr + o->dlpi_phdr[i].p_vaddr, end = from + o->dlpi_phdr[i].p_memsz;
    if (o->dlpi_phdr[i].p_type != PT_LOAD)
      continue;
    layout->code_from = from < layout->code_from ? from : layout->code_from;
    layout->code_end = end > layout->code_end ? end : layout->code_end;
    if (o->dlpi_phdr[i].p_flags & PF_W)
      layout->data_from = from, layout->data_end = end;
  }
}

static int look(struct dl_phdr_info *o, size_t size, void *data)
{
  search *s = data;
  (void)size;
  find_ends(o, s->layout);
  if ((uintptr_t)s->module < s->layout->code_from || (uintptr_t)s->module >= s->layout->code_end)
    return 0;
  s->found = true;
  const char *some = s->module->shared();
  for (int i = 0; i < o->dlpi_phnum; i++)
    if (o->dlpi_phdr[i].p_type == PT_TLS)
      s->layout->bytes = o->dlpi_phdr[i].p_memsz;
  const uintptr_t own = (uintptr_t)o->dlpi_tls_data;
  s->layout->offset = (uintptr_t)some - own;
  return 1;
}

bool xb_cpu_shared_find(const xb_cpu_module_info *module, shared_layout *layout)
{
  search s = {.module = module, .layout = layout};
  module->shared(); /* this OS thread's copy exists from its first use on */
  dl_iterate_phdr(look, &s);
  return s.found;
}

static void poison(char *from, const char *to)
{
  const uint64_t word = POISON;
  size_t done = sizeof word, bytes = (size_t)(to - from);
  memcpy(from, &word, bytes < done ? bytes : done);
  for (; done < bytes; done *= 2) /* each time as much again */
    memcpy(from + done, from, bytes - done < done ? bytes - done : done);
}

static char *dynamic_of(const worker *w)
{
  return w->launch->module->dynamic_shared ? w->launch->module->dynamic_shared() : NULL;
}

void xb_cpu_shared_poison(const worker *w)
{
  const shared_layout *l = &w->team->shared;
  char *from = (char *)w->launch->module->shared() - l->offset, *to = from + l->bytes, *dynamic = dynamic_of(w);
  if (dynamic) {
    poison(from, dynamic);
    poison(dynamic, dynamic + w->launch->dynamic_shared_bytes + BEHIND);
    poison(dynamic + XB_CPU_MOST_SHARED + BEHIND, to);
  } else {
    poison(from, to);
  }
}

bool xb_cpu_shared_intact(const worker *w)
{
  const char *dynamic = dynamic_of(w);
  char clean[BEHIND];
  poison(clean, clean + BEHIND);
  return !dynamic || memcmp(dynamic + w->launch->dynamic_shared_bytes, clean, BEHIND) == 0;
}
