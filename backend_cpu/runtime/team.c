/* A team of OS threads that run a launch's blocks. They take the blocks in order, so a block that waits for an earlier
 * one waits for one that runs. The caller of xb_cpu_run is the first worker; a launch of one block wakes nobody. */
#include "internal.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The block that runs as number `index`: another one by each seed, and each block once. */
static uint64_t block_at(const xb_cpu_launch *l, uint64_t index, uint64_t blocks)
{
  if (!l->shuffle_blocks || !l->seed)
    return index;
  uint64_t step = ((uint64_t)l->seed * 0x9E3779B97F4A7C15ull >> 33) % blocks | 1, a = step, b = blocks;
  while (b != 1 && a != 1) { /* until the step has no divisor with the number of blocks in common */
    while (b) {
      const uint64_t rest = a % b;
      a = b, b = rest;
    }
    if (a == 1)
      break;
    a = step += 2, b = blocks;
  }
  return (uint64_t)(((__uint128_t)index * step + (l->seed * 0xD1B54A32D192ED03ull >> 32)) % blocks);
}

/* Runs blocks until none is left. The mutex is not held. */
static void take_blocks(worker *w)
{
  xb_cpu_team *team = w->team;
  bool prepared = false;
  while (!atomic_load(&team->over)) {
    const uint64_t index = atomic_fetch_add(&team->next_block, 1);
    if (index >= team->blocks)
      return;
    if (!prepared && !xb_cpu_block_prepare(w)) {
      xb_cpu_fault_at(w, XB_CPU_BAD_LAUNCH, NULL, "no memory for the stacks of %u threads", w->count);
      return;
    }
    prepared = true;
    xb_cpu_shared_poison(w);
    xb_cpu_block_run(w, block_at(w->launch, index, team->blocks));
    atomic_fetch_add(&team->ended, 1);
    if (!xb_cpu_shared_intact(w) && !atomic_load(&team->over))
      xb_cpu_fault_at(w, XB_CPU_BAD_ACCESS, NULL, "a thread writes behind the %u bytes of dynamic shared memory",
                      w->launch->dynamic_shared_bytes);
  }
}

static void work(worker *w, const xb_cpu_launch *launch)
{
  stack_t old_stack;
  sigset_t old_mask;
  w->launch = launch;
  w->thread = pthread_self();
  if (!xb_cpu_signals_on_this_thread(w, &old_stack, &old_mask))
    return; /* others run its blocks; the caller has checked that it can */
  take_blocks(w);
  xb_cpu_signals_off_this_thread(&old_stack, &old_mask);
}

/* The mutex is held, but not meanwhile. */
static void kick_and_wait(xb_cpu_team *team)
{
  struct timespec at;
  xb_cpu_team_kick(team, NULL);
  clock_gettime(CLOCK_REALTIME, &at);
  at.tv_nsec += 1000000;
  if (at.tv_nsec >= 1000000000)
    at.tv_sec++, at.tv_nsec -= 1000000000;
  pthread_cond_timedwait(&team->ends, &team->mutex, &at);
}

/* Waits until no worker runs blocks of the launch. When it is over, those that do not end by themselves get a signal,
 * again and again. The mutex is held. */
static void wait_for_workers(xb_cpu_team *team, uint64_t launch_number)
{
  while (team->taking > 0 && team->launch_number == launch_number) {
    if (atomic_load(&team->over))
      kick_and_wait(team);
    else
      pthread_cond_wait(&team->ends, &team->mutex);
  }
}

static void *help(void *data)
{
  worker *w = data;
  xb_cpu_team *team = w->team;
  uint64_t seen = 0;
  pthread_mutex_lock(&team->mutex);
  for (;;) {
    while (!team->closing && (!team->active || team->launch_number == seen || w->index >= team->wanted))
      pthread_cond_wait(&team->begins, &team->mutex);
    if (team->closing)
      break;
    seen = team->launch_number;
    team->taking++;
    w->takes = true;
    pthread_mutex_unlock(&team->mutex);
    work(w, team->launch);
    pthread_mutex_lock(&team->mutex);
    w->takes = false;
    team->taking--;
    pthread_cond_broadcast(&team->ends);
    if (atomic_load(&team->over))
      wait_for_workers(team, seen);
  }
  pthread_mutex_unlock(&team->mutex);
  return NULL;
}

static bool add_worker(xb_cpu_team *team)
{
  worker *w = xb_cpu_arena_create();
  if (!w || !xb_cpu_signals_prepare(w)) {
    if (w)
      xb_cpu_arena_destroy(w);
    return false;
  }
  w->team = team;
  w->index = team->worker_count;
  if (w->index > 0) {
    sigset_t all, old; /* signals of the process belong to the program's own threads */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    const int failed = pthread_create(&w->thread, NULL, help, w);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (failed) {
      free(w->signal_stack);
      xb_cpu_arena_destroy(w);
      return false;
    }
  }
  team->workers[w->index] = w;
  team->worker_count++;
  return true;
}

uint64_t xb_cpu_most_resident(uint32_t threads)
{
  const uint64_t arenas = xb_cpu_arenas_for(threads);
  return arenas < XB_CPU_MOST_RESIDENT ? arenas : XB_CPU_MOST_RESIDENT;
}

bool xb_cpu_team_hold(xb_cpu_team *team)
{
  if (atomic_load(&team->holds_all))
    return true;
  bool ready = true;
  pthread_mutex_lock(&team->mutex);
  while (ready && team->worker_count < team->blocks)
    ready = add_worker(team);
  team->wanted = (uint32_t)team->blocks;
  atomic_store(&team->holds_all, ready);
  pthread_cond_broadcast(&team->begins);
  pthread_mutex_unlock(&team->mutex);
  return ready;
}

static uint32_t processors(void)
{
  cpu_set_t set;
  const int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  return count > 0 ? (uint32_t)count : 1;
}

xb_cpu_team *xb_cpu_team_create(uint32_t workers)
{
  xb_cpu_team *team = calloc(1, sizeof *team);
  if (!team)
    return NULL;
  pthread_mutex_init(&team->mutex, NULL);
  pthread_cond_init(&team->begins, NULL);
  pthread_cond_init(&team->ends, NULL);
  bool ready = xb_cpu_signals_take();
  team->plain = workers ? workers : processors();
  team->workers = calloc(team->plain + XB_CPU_MOST_RESIDENT, sizeof *team->workers);
  ready = ready && team->workers;
  while (ready && team->worker_count < team->plain)
    ready = add_worker(team);
  if (!ready) {
    xb_cpu_team_destroy(team);
    return NULL;
  }
  return team;
}

void xb_cpu_team_destroy(xb_cpu_team *team)
{
  if (!team)
    return;
  pthread_mutex_lock(&team->mutex);
  team->closing = true;
  pthread_cond_broadcast(&team->begins);
  pthread_mutex_unlock(&team->mutex);
  for (uint32_t i = 0; i < team->worker_count; i++) {
    if (i > 0)
      pthread_join(team->workers[i]->thread, NULL);
    free(team->workers[i]->signal_stack);
    xb_cpu_arena_destroy(team->workers[i]);
  }
  xb_cpu_signals_give_back();
  pthread_cond_destroy(&team->begins);
  pthread_cond_destroy(&team->ends);
  pthread_mutex_destroy(&team->mutex);
  free(team->workers);
  free(team);
}

static bool refuse(xb_cpu_fault *fault, const xb_cpu_launch *l, const char *what, uint64_t is, uint64_t most)
{
  *fault = (xb_cpu_fault){.kind = XB_CPU_BAD_LAUNCH};
  snprintf(fault->what, sizeof fault->what, "kernel %s: %s: %llu, expected 1 to %llu", l->entry->name, what,
           (unsigned long long)is, (unsigned long long)most);
  return false;
}

static bool check(const xb_cpu_launch *l, uint64_t blocks, xb_cpu_fault *fault)
{
  const uint64_t threads = (uint64_t)l->threads[0] * l->threads[1] * l->threads[2];
  if (threads == 0 || threads > MOST || l->threads[0] > MOST || l->threads[1] > MOST)
    return refuse(fault, l, "threads of a block", threads, MOST);
  if (blocks == 0)
    return refuse(fault, l, "blocks", 0, UINT32_MAX);
  if (l->dynamic_shared_bytes > XB_CPU_MOST_SHARED)
    return refuse(fault, l, "bytes of dynamic shared memory", l->dynamic_shared_bytes, XB_CPU_MOST_SHARED);
  return true;
}

static bool say_line(xb_cpu_fault *fault, const shared_layout *module, const void *pc)
{
  const size_t used = strlen(fault->what);
  const uintptr_t at = (uintptr_t)pc;
  char line[256];
  if (at < module->code_from || at >= module->code_end || !xb_cpu_line_of(pc, line, sizeof line))
    return false;
  snprintf(fault->what + used, sizeof fault->what - used, ", at %s", line);
  return true;
}

/* Adds the line of the fault's address. If that address has none, as in memcpy, adds the line of the thread's last
 * access. */
static void say_more(xb_cpu_fault *fault, const xb_cpu_launch *l)
{
  xb_cpu_team *team = l->team;
  const uint64_t begun = atomic_load(&team->next_block);
  if (fault->pc && !say_line(fault, &team->shared, fault->pc) && fault->has_thread)
    say_line(fault, &team->shared, xb_cpu_watch_last(l, fault->thread));
  const size_t used = strlen(fault->what);
  if (fault->kind == XB_CPU_STOPPED && fault->has_thread && begun < team->blocks)
    snprintf(fault->what + used, sizeof fault->what - used,
             "; %llu of %llu blocks had not begun: if it waits for one of these, it relies on the order of blocks",
             (unsigned long long)(team->blocks - begun), (unsigned long long)team->blocks);
}

bool xb_cpu_run_once(const xb_cpu_launch *launch, xb_cpu_fault *fault)
{
  xb_cpu_team *team = launch->team;
  const uint64_t blocks = (uint64_t)launch->groups[0] * launch->groups[1] * launch->groups[2];
  const uint32_t threads = launch->threads[0] * launch->threads[1] * launch->threads[2];
  *fault = (xb_cpu_fault){0};
  const uint32_t arenas = xb_cpu_arenas_for(threads), plain = team->plain < arenas ? team->plain : arenas;
  const uint64_t most = launch->watch || launch->shuffle_blocks ? 1 : plain;

  pthread_mutex_lock(&team->mutex);
  team->launch = launch;
  team->fault = fault;
  team->blocks = blocks;
  team->wanted = (uint32_t)(blocks < most ? blocks : most);
  team->taking = 1;
  team->workers[0]->takes = true;
  team->workers[0]->thread = pthread_self();
  team->launch_number++;
  atomic_store(&team->next_block, 0);
  atomic_store(&team->ended, 0);
  atomic_store(&team->holds_all, false);
  atomic_store(&team->over, false);
  atomic_store(&team->faulted, false);
  atomic_store(&team->grid_waits, 0);
  team->active = true;
  if (team->wanted > 1)
    pthread_cond_broadcast(&team->begins);
  pthread_mutex_unlock(&team->mutex);

  work(team->workers[0], launch);

  pthread_mutex_lock(&team->mutex);
  team->workers[0]->takes = false;
  team->taking--;
  team->active = false; /* all blocks are taken: a helper that wakes now has nothing to do */
  wait_for_workers(team, team->launch_number);
  team->active = false;
  pthread_cond_broadcast(&team->ends);
  if (atomic_load(&team->over) && fault->kind == XB_CPU_NO_FAULT) {
    fault->kind = XB_CPU_STOPPED;
    snprintf(fault->what, sizeof fault->what, "kernel %s was stopped between two blocks", launch->entry->name);
  }
  pthread_mutex_unlock(&team->mutex);
  say_more(fault, launch);
  return fault->kind == XB_CPU_NO_FAULT;
}

bool xb_cpu_run(const xb_cpu_launch *launch, xb_cpu_fault *fault)
{
  if (!check(launch, (uint64_t)launch->groups[0] * launch->groups[1] * launch->groups[2], fault))
    return false;
  if (!xb_cpu_shared_find(launch->module, &launch->team->shared) || !xb_cpu_signals_check())
    return refuse(fault, launch, "handlers of signals", 0, 1);
  return launch->watch ? xb_cpu_run_again(launch, fault) : xb_cpu_run_once(launch, fault);
}

void xb_cpu_team_kick(xb_cpu_team *team, const worker *but)
{
  for (uint32_t i = 0; i < team->worker_count; i++)
    if (team->workers[i] != but && team->workers[i]->takes)
      pthread_kill(team->workers[i]->thread, SIGURG);
}

void xb_cpu_stop(xb_cpu_team *team)
{
  enum { ROUNDS = 100 }; /* a millisecond each */
  pthread_mutex_lock(&team->mutex);
  const uint64_t launch = team->launch_number;
  if (team->taking > 0) /* a launch runs, even if the caller's thread has no block left and waits for the others */
    atomic_store(&team->over, true);
  for (int i = 0; i < ROUNDS && team->taking > 0 && team->launch_number == launch; i++)
    kick_and_wait(team);
  pthread_mutex_unlock(&team->mutex);
}
