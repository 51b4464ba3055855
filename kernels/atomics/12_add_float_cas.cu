// Atomics 12: add to a float, by compare-and-swap. With args.native by an instruction: row 13.
// [update] the instruction is CUDA's alone
#define SUM __float_as_uint(__uint_as_float(old) + ATOMICS_FLOAT(x))
#define UPDATE(words, at)                                                                                              \
  if (args.native) {                                                                                                   \
    old = __float_as_uint(atomicAdd((float *)&words[at], ATOMICS_FLOAT(x)));                                           \
  } else {                                                                                                             \
    SWAP(words[at], SUM);                                                                                              \
  }
#define NEXT SUM

#include "update.cuh"
