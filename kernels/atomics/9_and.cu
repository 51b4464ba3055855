// Atomics 9: and.
// [update] one operation, and what it leaves
#define UPDATE(words, at) old = atomicAnd(&words[at], x)
#define NEXT old & x

#include "update.cuh"
