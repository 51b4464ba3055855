/* The clock of xb_tested, in programs that have none of their own. */
#include <time.h>

int __wrap_clock_gettime(clockid_t id, struct timespec *t);
int __wrap_clock_gettime(clockid_t id, struct timespec *t)
{
  return clock_gettime(id, t);
}
