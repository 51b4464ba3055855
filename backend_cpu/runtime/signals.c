/* Signals that a kernel's code causes (a bad access, a division by zero) or that end it (SIGURG, sent by the runtime).
 * The handler runs on a stack of its own. It leaves the kernel by going on, after the signal, where the block was
 * begun. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

static const int taken[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGURG};
enum { TAKEN = sizeof taken / sizeof *taken, STACK_BYTES = 64 << 10, WRITE_BIT = 2 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned users;
static struct sigaction before[TAKEN];

/* The worker of this OS thread. Initial-exec: a handler must not allocate. */
static _Thread_local worker *mine __attribute__((tls_model("initial-exec")));

static void pass_on(int signal, siginfo_t *info, void *context)
{
  for (int i = 0; i < TAKEN; i++) {
    if (taken[i] != signal)
      continue;
    const struct sigaction *old = &before[i];
    if (old->sa_flags & SA_SIGINFO)
      old->sa_sigaction(signal, info, context);
    else if (old->sa_handler == SIG_DFL && signal != SIGURG)
      sigaction(signal, old, NULL); /* the instruction runs again, and the signal ends the process */
    else if (old->sa_handler != SIG_IGN && old->sa_handler != SIG_DFL)
      old->sa_handler(signal);
  }
}

static xb_cpu_fault_kind kind_of(const worker *w, int signal, const siginfo_t *info)
{
  switch (signal) {
  case SIGURG: return XB_CPU_STOPPED;
  case SIGFPE: return XB_CPU_BAD_ARITHMETIC;
  case SIGILL: return XB_CPU_ILLEGAL;
  default: return xb_cpu_in_guard(w, info->si_addr) ? XB_CPU_OVERFLOW : XB_CPU_BAD_ACCESS;
  }
}

static void handle(int signal, siginfo_t *info, void *context)
{
  worker *w = mine;
  greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  const uintptr_t stack = (uintptr_t)registers[REG_RSP] & ~(uintptr_t)(XB_CPU_ARENA_BYTES - 1);
  const bool ours = w && w->running && (stack == (uintptr_t)w || signal != SIGURG);
  if (signal == SIGURG && w && atomic_load(&w->team->over)) {
    /* Anywhere else than in the kernel's own code, it may be on its way in or out. The signal comes again. */
    const shared_layout *module = &w->team->shared;
    const uintptr_t pc = (uintptr_t)registers[REG_RIP];
    w->asked = 1;
    if (!ours || !w->inside || pc < module->code_from || pc >= module->code_end)
      return;
  } else if (!ours || signal == SIGURG) {
    pass_on(signal, info, context);
    return;
  }
  xb_cpu_fault_signal(w, kind_of(w, signal, info), info->si_addr, (registers[REG_ERR] & WRITE_BIT) != 0,
                      (const void *)registers[REG_RIP]);
  w->inside = 0;
  registers[REG_RIP] = *(greg_t *)w->scheduler; /* as xb_cpu_switch() would go on */
  registers[REG_RSP] = (greg_t)((char *)w->scheduler + sizeof(greg_t));
}

/* Others may have put handlers of their own over ours since. */
static bool handlers_stand(void)
{
  struct sigaction now;
  return sigaction(SIGSEGV, NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == handle;
}

static bool install(void)
{
  struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaddset(&action.sa_mask, SIGURG);
  bool all = true;
  for (int i = 0; i < TAKEN; i++) {
    struct sigaction old;
    all = sigaction(taken[i], &action, &old) == 0 && all;
    if (!(old.sa_flags & SA_SIGINFO) || old.sa_sigaction != handle)
      before[i] = old;
  }
  return all;
}

bool xb_cpu_signals_take(void)
{
  pthread_mutex_lock(&mutex);
  users++;
  const bool ready = install();
  pthread_mutex_unlock(&mutex);
  return ready;
}

bool xb_cpu_signals_check(void)
{
  if (handlers_stand())
    return true;
  pthread_mutex_lock(&mutex);
  const bool ready = install();
  pthread_mutex_unlock(&mutex);
  return ready;
}

void xb_cpu_signals_give_back(void)
{
  pthread_mutex_lock(&mutex);
  users--;
  for (int i = 0; users == 0 && handlers_stand() && i < TAKEN; i++)
    sigaction(taken[TAKEN - 1 - i], &before[TAKEN - 1 - i], NULL); /* SIGSEGV's, which handlers_stand() asks, last */
  pthread_mutex_unlock(&mutex);
}

bool xb_cpu_signals_prepare(worker *w)
{
  w->signal_stack = malloc(STACK_BYTES);
  return w->signal_stack;
}

bool xb_cpu_signals_on_this_thread(worker *w, stack_t *old_stack, sigset_t *old_mask)
{
  const stack_t stack = {.ss_sp = w->signal_stack, .ss_size = STACK_BYTES};
  sigset_t mask;
  sigemptyset(&mask);
  for (int i = 0; i < TAKEN; i++)
    sigaddset(&mask, taken[i]);
  if (sigaltstack(&stack, old_stack))
    return false;
  pthread_sigmask(SIG_UNBLOCK, &mask, old_mask);
  w->asked = 0;
  mine = w;
  return true;
}

void xb_cpu_signals_off_this_thread(const stack_t *old_stack, const sigset_t *old_mask)
{
  mine = NULL;
  pthread_sigmask(SIG_SETMASK, old_mask, NULL);
  sigaltstack(old_stack, NULL);
}
