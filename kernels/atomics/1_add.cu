// Atomics 1: add.
// [update] one operation, and what it leaves
#define UPDATE(words, at) old = atomicAdd(&words[at], x)
#define NEXT old + x

#include "update.cuh"
