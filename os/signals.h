/* Signals that ask the program to end. */
#ifndef XB_SIGNALS_H
#define XB_SIGNALS_H

#include <signal.h>
#include <stddef.h>

static const int xb_endings[] = {SIGINT, SIGTERM, SIGHUP};
enum { XB_ENDINGS = sizeof xb_endings / sizeof *xb_endings };

/* Calls `handler` for them; with `once`, a second Ctrl-C ends the program. SIGTERM must not: timeout(1) sends it twice
 * for one request. One that is ignored stays ignored, as nohup(1) expects. `before` is what was set; NULL: not asked.
 */
static inline void xb_handle_endings(void (*handler)(int), int once, struct sigaction *before)
{
  for (int i = 0; i < XB_ENDINGS; i++) {
    struct sigaction set = {.sa_handler = handler}, was;
    set.sa_flags = once && xb_endings[i] == SIGINT ? (int)SA_RESETHAND : 0;
    if (!sigaction(xb_endings[i], NULL, &was) && was.sa_handler != SIG_IGN)
      sigaction(xb_endings[i], &set, NULL);
    if (before)
      before[i] = was;
  }
}

#endif
