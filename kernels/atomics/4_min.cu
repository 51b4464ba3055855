// Atomics 4: minimum.
// [update] one operation, and what it leaves
// Source: Mordohai, CS 677, lecture 2, slide 'Atomics'.
#define UPDATE(words, at) old = atomicMin(&words[at], x)
#define NEXT min(old, x)

#include "update.cuh"
