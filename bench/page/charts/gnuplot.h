/* gnuplot, as a process of its own. */
#ifndef XB_GNUPLOT_H
#define XB_GNUPLOT_H

#include <stddef.h>

/* Runs gnuplot on `script`, which it reads from a pipe, with no start-up file; what it prints is left in `*text`, ended
 * by a 0 byte; free() it. -1: good; else the exit code, and one line reports why: it is not installed, it failed (with
 * the first error of what it said), it printed too much or took too long. */
int xb_gnuplot(const char *script, size_t length, char **text);

#endif
