/* How long a test waits for something that has to happen: XB_TEST_PATIENCE seconds. It is one generous limit for all
 * tests, so that none fails because the machine is busy; it only ends a test that hangs. tests/python/patience.py is
 * the same. */
#ifndef XB_PATIENCE_H
#define XB_PATIENCE_H

#include <stdint.h>
#include <stdlib.h>

static inline double patience_s(void)
{
  const char *text = getenv("XB_TEST_PATIENCE");
  const double given = text ? strtod(text, NULL) : 0;
  return given > 0 ? given : 600;
}

static inline uint64_t patience_ns(void)
{
  return (uint64_t)(patience_s() * 1e9);
}

#endif
