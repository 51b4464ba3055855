/* Signals that end a run cleanly. */
#ifndef XB_SIGNALS_H
#define XB_SIGNALS_H

#include <signal.h>

/* A signal that is ignored at the start stays ignored, as nohup(1) expects. */
static inline void xb_handle_signal(int number, void (*handler)(int), int flags)
{
  struct sigaction before;
  if (!sigaction(number, NULL, &before) && before.sa_handler != SIG_IGN)
    sigaction(number, &(struct sigaction){.sa_handler = handler, .sa_flags = flags}, NULL);
}

#endif
