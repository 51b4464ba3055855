/* Random numbers of the tests of statistics. */
#ifndef XB_NOISE_H
#define XB_NOISE_H

#include <math.h>
#include <stdint.h>

#include "judge/stats.h"

static inline double uniform(uint64_t *random)
{
  return ((double)(xb_random(random) >> 11) + 0.5) * 0x1p-53;
}

static inline double normal(uint64_t *random)
{
  return sqrt(-2 * log(uniform(random))) * cos(6.283185307179586 * uniform(random));
}

#endif
