// Atomics 3: exchange.
// [update] one operation, and what it leaves
#define UPDATE(words, at) old = atomicExch(&words[at], x)
#define NEXT x

#include "update.cuh"
