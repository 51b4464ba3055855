// Atomics 2: subtract.
// [update] one operation, and what it leaves
// Source: Mordohai, CS 677, lecture 2, slide 'Atomics'.
#define UPDATE(words, at) old = atomicSub(&words[at], x)
#define NEXT old - x

#include "update.cuh"
