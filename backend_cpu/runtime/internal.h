/* What the files of the runtime share. */
#ifndef XB_CPU_INTERNAL_H
#define XB_CPU_INTERNAL_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include "core/elf.h"
#include "xb_cpu.h"

/* Yields since a thread ended or all met: until the OS thread lets others run; until the block is said to wait for
 * ever. */
enum { FEW_IDLE = 16, MOST_IDLE = 1 << 19 };
/* Of shaders: a wave may lack a lane. */
enum {
  MOST_LANES_OF_BLOCK = XB_CPU_MOST_THREADS / (XB_CPU_LEAST_WAVE - 1) * XB_CPU_LEAST_WAVE + XB_CPU_MOST_WAVE,
  MOST_WAVES = MOST_LANES_OF_BLOCK / XB_CPU_LEAST_WAVE,
  NO_THREAD = UINT16_MAX
};
enum { MOST = XB_CPU_MOST_THREADS, PATIENCE = 64, HEAD_BYTES = XB_CPU_SLOT_BYTES };

/* A shuffle's value where no live lane left one, and shared memory before a block: a NaN as float and as half. */
#define POISON 0xFFA5FFA5FFA5FFA5ull

typedef enum fiber_state { RUNS, AT_BARRIER, AT_WARP, AT_WAVE, ENDED } fiber_state;

typedef struct fiber {
  xb_cpu_thread place;
  void *sp;         /* while it waits */
  uint64_t value;   /* left at a warp's operation; then the operation's result */
  const char *file; /* where it waits */
  uint32_t line;
  uint32_t number; /* of a barrier's place */
  uint32_t mask;   /* of a warp's operation */
  uint8_t op, state, extra;
  uint16_t slot; /* its stack */
  /* At an operation of a shader's wave (wave.c). */
  void (*work)(const xb_cpu_wave *lanes);
  void *own;
  const uint32_t *row;
  uint32_t row_words;
} fiber;

typedef struct warp {
  uint32_t live, waiting, converging; /* lanes; converging: at __activemask */
} warp;

/* An OS thread's arena begins with this; slots with stacks follow. */
typedef struct worker {
  xb_cpu_block block;            /* first: kernels find it */
  volatile sig_atomic_t inside;  /* a kernel's code runs, which a signal may leave for good */
  volatile sig_atomic_t asked;   /* to leave, while the runtime's code ran */
  volatile sig_atomic_t running; /* on a fiber's stack */
  void *scheduler;               /* the stack pointer of the code that runs the block */
  const xb_cpu_launch *launch;
  xb_cpu_team *team;
  uint32_t index; /* in the team: the first ones run a launch */
  pthread_t thread;
  volatile bool takes; /* blocks of the current launch */
  void *signal_stack;
  uint32_t converging; /* threads at __activemask */
  uint32_t yields;     /* while there are such */
  uint64_t idle;       /* yields since a thread ended or all met */
  uint32_t count, live, waits, counted, result, all;
  uint32_t started;                  /* threads of `order` that have begun */
  uint32_t queue_first, queue_count; /* threads that can go on */
  uint32_t free_count, guarded;
  warp warps[MOST / XB_CPU_WARP];
  /* Of a shader's waves: lanes that can go on by themselves, and that wait at an operation of their wave. */
  uint8_t awake[MOST_WAVES], meeting[MOST_WAVES];
  uint16_t at_lane[MOST_LANES_OF_BLOCK]; /* the thread at xb_cpu_thread.lane; NO_THREAD: none */
  _Alignas(64) fiber fibers[MOST];
  uint16_t order[MOST], queue[MOST], waiting[MOST], free_slots[MOST];
} worker;

_Static_assert(sizeof(worker) <= HEAD_BYTES, "the first slot holds a worker");
/* Bytes of an arena that are its own: the worker, and the stacks. */
#define ARENA_USED ((size_t)(MOST + 1) * XB_CPU_SLOT_BYTES)
_Static_assert(ARENA_USED <= XB_CPU_ARENA_BYTES, "an arena holds a block's stacks");

typedef struct shared_layout {
  size_t bytes, offset;          /* the module's TLS: its size, and where in it module->shared() points */
  uintptr_t code_from, code_end; /* where the module lies */
  uintptr_t data_from, data_end; /* and its variables */
} shared_layout;

struct xb_cpu_team {
  pthread_mutex_t mutex;
  pthread_cond_t begins, ends;
  worker **workers;              /* the first one's OS thread is the caller of xb_cpu_run */
  _Atomic uint32_t worker_count; /* grows */
  uint32_t plain;                /* workers, unless a launch needs all blocks at once */
  uint32_t wanted;               /* workers for the current launch */
  uint32_t taking;               /* workers that run blocks of it, the caller among them */
  uint64_t launch_number;
  bool active; /* the launch may have blocks that nobody has taken */
  bool closing;
  const xb_cpu_launch *launch;
  shared_layout shared;
  uint64_t blocks;
  _Atomic uint64_t next_block, ended;      /* ended: blocks that came to their end */
  _Atomic uint64_t grid_waits, grid_round; /* blocks at the grid's barrier; barriers that opened */
  _Atomic bool holds_all;                  /* each block has its own OS thread */
  _Atomic bool over;                       /* a fault, or stopped: blocks end */
  _Atomic bool faulted;                    /* *fault is taken */
  xb_cpu_fault *fault;
};

/* arena.c: NULL if there is no memory */
worker *xb_cpu_arena_create(void);
void xb_cpu_arena_destroy(worker *w);
bool xb_cpu_arena_guard(worker *w, uint32_t slots); /* puts guard pages to the first stacks. false: no memory */
uint32_t xb_cpu_arenas_for(uint32_t slots);         /* how many arenas may use so many stacks */
void *xb_cpu_stack_top(worker *w, uint32_t slot);
bool xb_cpu_in_guard(const worker *w, const void *address);

/* switch.c: begins `run`, which never returns, on another stack. */
void xb_cpu_start(void **save, void *top, void (*run)(void));

/* The worker on whose stacks this code runs. */
static inline worker *xb_cpu_self(void)
{
  return (worker *)((uintptr_t)__builtin_frame_address(0) & ~(uintptr_t)(XB_CPU_ARENA_BYTES - 1));
}

/* block.c */
bool xb_cpu_block_prepare(worker *w); /* once a launch. false: no memory */
void xb_cpu_block_run(worker *w, uint64_t index);
void xb_cpu_pause_empty(worker *w); /* xb_cpu_pause() where the queue is empty */
void xb_cpu_queue_front(worker *w, const fiber *f);
_Noreturn void xb_cpu_abandon(worker *w);                 /* leaves the block for good */
_Noreturn void xb_cpu_stopped(worker *w, const void *pc); /* likewise, as the launch is over; pc: where it was */
uint32_t xb_cpu_barrier(xb_cpu_barrier_op op, uint32_t predicate, uint32_t number, const char *file, uint32_t line);
void xb_cpu_yield(void);

/* A byte of the call of this function: the address that it returns to may belong to another line. */
#define CALLED_FROM ((const char *)__builtin_return_address(0) - 1)

/* Around the runtime's code that a kernel calls: a signal does not leave it in the middle. */
static inline worker *xb_cpu_enter(void)
{
  worker *w = xb_cpu_self();
  w->inside = 0;
  return w;
}
static inline __attribute__((always_inline)) void xb_cpu_exit(worker *w)
{
  atomic_signal_fence(memory_order_seq_cst);
  w->inside = 1;
  if (w->asked)
    xb_cpu_stopped(w, CALLED_FROM);
}

/* Changes stacks. What a stack was left with lies on it: its top word is the address of the code that goes on. Inline,
 * and by a jump: processors then foresee this jump, and the return from the runtime's function behind it. 128: the red
 * zone. */
static inline __attribute__((always_inline)) void xb_cpu_switch(void **save, void *load)
{
  __asm__ volatile("subq $128, %%rsp\n\t"
                   "pushq %%rbp\n\t"
                   "leaq 1f(%%rip), %%rax\n\t"
                   "pushq %%rax\n\t"
                   "movq %%rsp, (%0)\n\t"
                   "movq %1, %%rsp\n\t"
                   "popq %%rax\n\t"
                   "jmp *%%rax\n\t"
                   "1: popq %%rbp\n\t"
                   "addq $128, %%rsp"
                   : "+D"(save), "+S"(load)
                   :
                   : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1",
                     "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13",
                     "xmm14", "xmm15", "memory", "cc");
}

/* What the next two will need is asked of the memory now: their stacks lie far apart. */
static inline fiber *xb_cpu_queue_take(worker *w)
{
  fiber *f = &w->fibers[w->queue[w->queue_first]];
  w->queue_first = (w->queue_first + 1) % MOST;
  w->queue_count--;
  const char *ahead = w->fibers[w->queue[w->queue_first]].sp;
  __builtin_prefetch(ahead);
  __builtin_prefetch(ahead + 128);
  __builtin_prefetch(ahead + 192);
  __builtin_prefetch(&w->fibers[w->queue[(w->queue_first + 2) % MOST]]);
  return f;
}

/* The next thread of the queue goes on. `f` waits. */
static inline __attribute__((always_inline)) void xb_cpu_next(worker *w, fiber *f)
{
  fiber *next = xb_cpu_queue_take(w);
  w->block.now = &next->place;
  if (next != f)
    xb_cpu_switch(&f->sp, next->sp);
}

/* The running thread waits, until something puts it into the queue. */
static inline void xb_cpu_pause(worker *w, fiber_state state)
{
  fiber *f = (fiber *)w->block.now;
  f->state = (uint8_t)state;
  w->block.patience = PATIENCE;
  if (w->queue_count)
    xb_cpu_next(w, f);
  else
    xb_cpu_pause_empty(w);
  f->state = RUNS;
}

/* warp.c */
uint64_t xb_cpu_warp(xb_cpu_warp_op op, uint32_t mask, uint64_t value, uint32_t extra, const char *file, uint32_t line);
void xb_cpu_warp_left(worker *w, uint32_t warp_index); /* a lane has ended: others may have waited for it alone */
bool xb_cpu_warp_converge(worker *w);                  /* nobody else can go on: false: nobody waits at __activemask */
const char *xb_cpu_warp_word(uint8_t op);

/* wave.c: a shader's waves */
void xb_cpu_wave_prepare(worker *w); /* a launch: which thread is which lane */
void xb_cpu_wave_begin(worker *w);
uint64_t xb_cpu_wave_absent(const xb_cpu_wave *lanes, uint32_t lane, uint32_t from);
void xb_cpu_wave_waits(worker *w, const fiber *f); /* a lane waits at a barrier, or has ended */
void xb_cpu_wave_barrier_opens(worker *w);
void xb_cpu_wave_meet(void (*work)(const xb_cpu_wave *lanes), void *own, const uint32_t *row, uint32_t words,
                      const char *file, uint32_t line);

/* fault.c: the first fault of a launch counts, and ends it */
void xb_cpu_fault_at(worker *w, xb_cpu_fault_kind kind, const fiber *f, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void xb_cpu_fault_dead_end(worker *w);
void xb_cpu_fault_signal(worker *w, xb_cpu_fault_kind kind, const void *address, bool write, const void *pc);

/* signals.c */
bool xb_cpu_signals_take(void);
bool xb_cpu_signals_check(void); /* before a launch: takes them again, if somebody else has them now */
void xb_cpu_signals_give_back(void);
bool xb_cpu_signals_prepare(worker *w); /* false: out of memory */
bool xb_cpu_signals_on_this_thread(worker *w, stack_t *old_stack, sigset_t *old_mask);
void xb_cpu_signals_off_this_thread(const stack_t *old_stack, const sigset_t *old_mask);

/* lines.c: writes FILE:LINE. false: the module has no such table. */
bool xb_cpu_line_of(const void *pc, char *text, size_t size);

/* shared.c */
bool xb_cpu_shared_find(const xb_cpu_module_info *module, shared_layout *layout);
void xb_cpu_shared_poison(const worker *w);
bool xb_cpu_shared_intact(const worker *w); /* nobody wrote behind the dynamic shared memory */

/* watch.c, edges.c: a watched launch, its accesses and what orders them */
void xb_cpu_watch_launch(worker *w);
void xb_cpu_watch_block(worker *w);
void xb_cpu_watch_ended(worker *w, uint32_t thread);
void xb_cpu_watch_barrier(worker *w);
void xb_cpu_watch_warp(worker *w, uint32_t warp_index, uint32_t lanes);
void xb_cpu_watch_wave(worker *w, uint32_t count, const fiber *const *lanes); /* a barrier of a shader's wave */
void xb_cpu_watch_edge(const void *at, uint32_t edges);
const void *xb_cpu_watch_last(const xb_cpu_launch *l, const uint32_t thread[3]); /* where it last accessed memory */
void xb_cpu_watch_access(const void *at, uint32_t bytes, bool write, const void *pc);
void xb_cpu_watch_atomic(const void *at, uint32_t bytes, xb_cpu_atomic_op op, int order, const void *pc);

/* touch.c: accesses of watched shaders */
bool xb_cpu_watch_touch(const xb_cpu_site *site, const xb_cpu_buffer *buffer, const void *at);
bool xb_cpu_watch_texel(const xb_cpu_site *site, const xb_cpu_texture *image, const int32_t at[3]);
void xb_cpu_watch_beyond(const xb_cpu_site *site, int64_t index, uint64_t length);

/* finding.c */
void xb_cpu_watch_undefined(const char *what, const void *pc);

/* again.c */
uint64_t xb_cpu_watch_lane(const fiber *f, uint32_t from); /* what a shuffle reads from a lane that is not in it */
bool xb_cpu_run_again(const xb_cpu_launch *launch, xb_cpu_fault *fault);

/* names.c: opens the file of the module that has this address, of code or data. `base`: where its first byte is in
 * memory. The caller closes it in each case. */
bool xb_cpu_open_file_of(const void *address, xb_elf *elf, const void **base);
void xb_cpu_close_file(xb_elf *elf);
/* The variable at the offset in the module's shared memory. "": the compiler's own, no variable. */
bool xb_cpu_shared_name(const void *module, uint64_t offset, char *text, size_t size, uint64_t *within);

/* grid.c */
void xb_cpu_grid_barrier(const char *file, uint32_t line);

/* team.c */
bool xb_cpu_run_once(const xb_cpu_launch *launch, xb_cpu_fault *fault); /* a launch that is checked */
void xb_cpu_team_kick(xb_cpu_team *team, const worker *but);
bool xb_cpu_team_hold(xb_cpu_team *team);        /* all blocks of the launch at once. false: no memory or threads */
uint64_t xb_cpu_most_resident(uint32_t threads); /* blocks of so many threads */

#endif
