/* Arguments and paths of the divergence kernels, for C, CUDA and HLSL. */
#ifndef XB_DIVERGENCE_ARGS_H
#define XB_DIVERGENCE_ARGS_H

#include "xb/abi.h"

#define PATHS 32
#define VECTORS 4  /* that a thread reads and writes: 16 elements */
#define STARTS 256 /* values that a recurrence may start from: a power of two */

struct xb_divergence_args {
  xb_u32 threads; /* of this window */
  xb_u32 ways;    /* paths in use */
  xb_u32 run;     /* neighbouring threads that take the same path: 1, or a wave */
  xb_u32 phase;   /* threads before this window, modulo ways * run */
  xb_u32 rounds;  /* of the recurrence; at least 1, but no compiler knows it */
  xb_u32 grid_x;  /* groups in x; the rest is in y */
};

/* One round of a path's recurrence. Each bit of the path's number picks one of two forms of a step, which cost the
 * same. So the paths differ in their operations, not only in constants: no compiler can make one path with a table of
 * constants of them. The last step changes both words; without it some paths would never change one of them. */
#define XB_ROUND(path, x, y)                                                                                           \
  {                                                                                                                    \
    if (((path)&1) != 0)                                                                                               \
      x = x * 1664525u + y;                                                                                            \
    else                                                                                                               \
      y = y * 22695477u + x;                                                                                           \
    if (((path)&2) != 0)                                                                                               \
      x ^= y >> 13;                                                                                                    \
    else                                                                                                               \
      y ^= x >> 11;                                                                                                    \
    if (((path)&4) != 0)                                                                                               \
      x += y << 7;                                                                                                     \
    else                                                                                                               \
      y += x << 9;                                                                                                     \
    if (((path)&8) != 0)                                                                                               \
      x = (x << 5) | (x >> 27);                                                                                        \
    else                                                                                                               \
      y = (y << 3) | (y >> 29);                                                                                        \
    if (((path)&16) != 0)                                                                                              \
      x ^= y | 0x9E3779B9u;                                                                                            \
    else                                                                                                               \
      y ^= x | 0x7F4A7C15u;                                                                                            \
    x += y;                                                                                                            \
    y += x;                                                                                                            \
  }

#define XB_EACH_PATH(macro)                                                                                            \
  macro(0) macro(1) macro(2) macro(3) macro(4) macro(5) macro(6) macro(7) macro(8) macro(9) macro(10) macro(11)        \
      macro(12) macro(13) macro(14) macro(15) macro(16) macro(17) macro(18) macro(19) macro(20) macro(21) macro(22)    \
          macro(23) macro(24) macro(25) macro(26) macro(27) macro(28) macro(29) macro(30) macro(31)

/* In a kernel with x, y and args: all rounds of a path. */
#define XB_ROUNDS(path)                                                                                                \
  for (uint r = 0; r < args.rounds; r++)                                                                               \
  XB_ROUND(path, x, y)

#endif
