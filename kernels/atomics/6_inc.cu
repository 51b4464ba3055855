// Atomics 6: add 1, and wrap.
// [update] one operation, and what it leaves
// Source: Mordohai, CS 677, lecture 2, slide 'Atomics'.
#define WRAPPED (old >= ATOMICS_LIMIT ? 0u : old + 1)
#define UPDATE(words, at) old = atomicInc(&words[at], ATOMICS_LIMIT)
#define NEXT WRAPPED

#include "update.cuh"
