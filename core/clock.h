/* The host's clock, for core, the backends and the program. */
#ifndef XB_CLOCK_H
#define XB_CLOCK_H

#include <time.h>

/* Nanoseconds since some fixed moment; never goes back. */
static inline double xb_clock_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

#endif
