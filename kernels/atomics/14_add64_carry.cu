// Atomics 14: add to 64 bits, in two words. Whoever sees the low word wrap adds 1 to the high one. With args.native by an
// instruction: row 15.
// [update] the words are right together when all threads are done. The instruction is CUDA's alone
#define UPDATE(words, at)                                                                                              \
  if (args.native) {                                                                                                   \
    old = (uint)atomicAdd((unsigned long long *)&words[2 * (at)], (unsigned long long)x);                              \
  } else {                                                                                                             \
    old = atomicAdd(&words[2 * (at)], x);                                                                              \
    if (old + x < old)                                                                                                 \
      atomicAdd(&words[2 * (at) + 1], 1u);                                                                             \
  }
#define NEXT old + x // the low word

#include "update.cuh"
