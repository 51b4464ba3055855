// Atomics 5: maximum.
// [update] one operation, and what it leaves
// Source: Mordohai, CS 677, lecture 2, slide 'Atomics'.
#define UPDATE(words, at) old = atomicMax(&words[at], x)
#define NEXT max(old, x)

#include "update.cuh"
