// Atomics 14: add to 64 bits, in two words. Whoever sees the low word wrap adds 1 to the high one.
// [update] the words are right together when all threads are done. CUDA also has an instruction
// Source: ours; none of the documents has it.
#define UPDATE(words, at)                                                                                              \
  InterlockedAdd(words[2 * (at)], x, old);                                                                             \
  if (old + x < old)                                                                                                   \
  InterlockedAdd(words[2 * (at) + 1], 1u)
#define NEXT old + x // the low word

#include "update.h"
