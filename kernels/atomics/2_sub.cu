// Atomics 2: subtract.
// [update] one operation, and what it leaves
#define UPDATE(words, at) old = atomicSub(&words[at], x)
#define NEXT old - x

#include "update.cuh"
