/* Barriers of the whole grid. CUDA wants a cooperative launch for them, with all blocks on the GPU at once. Here the
 * first thread that comes to one gives an OS thread to each block that has none yet, so any launch that is small enough
 * has them. */
#include "internal.h"

static _Noreturn void refuse(worker *w, const char *file, uint32_t line, const char *why, uint64_t most)
{
  xb_cpu_fault_at(w, XB_CPU_UNSUPPORTED, (const fiber *)w->block.now,
                  "reaches a grid barrier at %s:%u: %s %llu; this launch has %llu", file, line, why,
                  (unsigned long long)most, (unsigned long long)w->team->blocks);
  xb_cpu_abandon(w);
}

/* The lowest thread of the block that has not ended waits for the other blocks. */
static bool leads(const worker *w)
{
  uint32_t i = 0;
  while (!w->warps[i].live)
    i++;
  return w->block.now->linear == i * XB_CPU_WARP + (uint32_t)__builtin_ctz(w->warps[i].live);
}

/* A block that ended before the barrier opened never comes to it. */
static void check_ended(worker *w, uint64_t round, const char *file, uint32_t line)
{
  xb_cpu_team *team = w->team;
  const uint64_t ended = atomic_load(&team->ended);
  if (!ended || atomic_load(&team->grid_round) != round)
    return;
  xb_cpu_enter();
  xb_cpu_fault_at(w, XB_CPU_DEAD_END, (const fiber *)w->block.now,
                  "waits forever at a grid barrier at %s:%u: %llu of %llu blocks ended without it", file, line,
                  (unsigned long long)ended, (unsigned long long)team->blocks);
  xb_cpu_abandon(w);
}

static void wait_for_blocks(worker *w, const char *file, uint32_t line)
{
  xb_cpu_team *team = w->team;
  const uint64_t round = atomic_load(&team->grid_round);
  if (atomic_fetch_add(&team->grid_waits, 1) + 1 == team->blocks) {
    atomic_store(&team->grid_waits, 0);
    atomic_fetch_add(&team->grid_round, 1);
  }
  while (atomic_load(&team->grid_round) == round) {
    check_ended(w, round, file, line);
    xb_cpu_yield();
  }
}

void xb_cpu_grid_barrier(const char *file, uint32_t line)
{
  worker *w = xb_cpu_enter();
  const uint64_t most = w->launch->watch ? 1 : xb_cpu_most_resident(w->count);
  if (w->team->blocks > most)
    refuse(w, file, line,
           w->launch->watch ? "with --check, blocks run one after another, and a grid barrier allows"
                            : "all blocks must run at once, and with blocks of this size the limit is",
           most);
  if (!xb_cpu_team_hold(w->team))
    refuse(w, file, line, "not enough memory or OS threads for all blocks; the limit is", most);
  xb_cpu_exit(w);
  xb_cpu_barrier(XB_CPU_SYNC, 0, UINT32_MAX, file, line); /* the block meets, before it waits and afterwards */
  if (leads(w))
    wait_for_blocks(w, file, line);
  xb_cpu_barrier(XB_CPU_SYNC, 0, UINT32_MAX, file, line);
}
