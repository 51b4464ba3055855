/* The memory of an OS thread that runs blocks: one aligned range of addresses. Its first slot holds the block and its
 * threads, each other one a stack that ends at a guard page. Only what is touched takes memory; but each guard page
 * takes two of a process's mappings, so only stacks that are used get one, and large blocks run on fewer OS threads
 * where processors are many. */
#include "internal.h"

#include <sys/mman.h>

enum { GUARD = 4096 };

static char *slot_at(const worker *w, uint32_t slot)
{
  return (char *)w + (size_t)(slot + 1) * XB_CPU_SLOT_BYTES;
}

worker *xb_cpu_arena_create(void)
{
  const size_t bytes = XB_CPU_ARENA_BYTES, used = ARENA_USED;
  char *all = mmap(NULL, 2 * bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED)
    return NULL;
  char *at = (char *)(((uintptr_t)all + bytes - 1) & ~(uintptr_t)(bytes - 1));
  if (at != all)
    munmap(all, (size_t)(at - all));
  munmap(at + used, (size_t)(all + 2 * bytes - (at + used)));
  worker *w = (worker *)at;
  if (mprotect(at, used, PROT_READ | PROT_WRITE)) {
    munmap(at, used);
    return NULL;
  }
  madvise(at, used, MADV_NOHUGEPAGE); /* a stack needs a page or two, not 2 MB */
  return w;
}

bool xb_cpu_arena_guard(worker *w, uint32_t slots)
{
  for (; w->guarded < slots; w->guarded++)
    if (mprotect(slot_at(w, w->guarded), GUARD, PROT_NONE))
      return false;
  return true;
}

uint32_t xb_cpu_arenas_for(uint32_t slots)
{
  enum { MAPPINGS = 24000 }; /* for the largest blocks. Linux allows a process 65,530 */
  return MAPPINGS / (2 * slots);
}

void xb_cpu_arena_destroy(worker *w)
{
  munmap(w, ARENA_USED);
}

/* Stacks begin at different lines of their pages. Else the first lines of all stacks share few places in the caches. */
void *xb_cpu_stack_top(worker *w, uint32_t slot)
{
  return slot_at(w, slot) + XB_CPU_SLOT_BYTES - 64 - slot * 7 % 64 * 64;
}

bool xb_cpu_in_guard(const worker *w, const void *address)
{
  const uintptr_t at = (uintptr_t)address - (uintptr_t)w;
  return at >= XB_CPU_SLOT_BYTES && at < (size_t)(MOST + 1) * XB_CPU_SLOT_BYTES && at % XB_CPU_SLOT_BYTES < GUARD;
}
