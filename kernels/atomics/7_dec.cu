// Atomics 7: subtract 1, and wrap.
// [update] one operation, and what it leaves
// Source: Mordohai, CS 677, lecture 2, slide 'Atomics'.
#define WRAPPED (old == 0 || old > ATOMICS_LIMIT ? ATOMICS_LIMIT : old - 1)
#define UPDATE(words, at) old = atomicDec(&words[at], ATOMICS_LIMIT)
#define NEXT WRAPPED

#include "update.cuh"
