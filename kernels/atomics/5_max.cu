// Atomics 5: maximum.
// [update] one operation, and what it leaves
#define UPDATE(words, at) old = atomicMax(&words[at], x)
#define NEXT max(old, x)

#include "update.cuh"
