// Atomics 14: add to 64 bits, in two words. Whoever sees the low word wrap adds 1 to the high one.
// [update] the words are right together when all threads are done. CUDA also has an instruction, which is row 15
// Source: ours; none of the documents has it.
#define UPDATE(words, at)                                                                                              \
  old = atomicAdd(&words[2 * (at)], x);                                                                                \
  if (old + x < old)                                                                                                   \
  atomicAdd(&words[2 * (at) + 1], 1u)
#define NEXT old + x // the low word

#include "update.cuh"

#undef ATOMICS
#undef UPDATE
#define ATOMICS atomics_native
#define UPDATE(words, at) old = (uint)atomicAdd((unsigned long long *)&words[2 * (at)], (unsigned long long)x)

#include "update.cuh"
