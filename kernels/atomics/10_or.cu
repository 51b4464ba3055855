// Atomics 10: or.
// [update] one operation, and what it leaves
#define UPDATE(words, at) old = atomicOr(&words[at], x)
#define NEXT old | x

#include "update.cuh"
