/* sigaction() for the signals that the C library of Windows knows. A closed window is SIGHUP. */
#pragma once

#include_next <signal.h>

#define SIGHUP SIGBREAK
#define SIGALRM 14
#define SIGBUS SIGSEGV
#define SA_RESTART 0
#define SA_ONSTACK 0
#define SA_RESETHAND 1

typedef struct stack_t {
  void *ss_sp;
  size_t ss_size;
} stack_t;
static inline int sigaltstack(const stack_t *other, stack_t *before)
{
  (void)other, (void)before;
  return 0;
}

struct sigaction {
  void (*sa_handler)(int);
  int sa_flags;
};
int sigaction(int number, const struct sigaction *set, struct sigaction *before);
