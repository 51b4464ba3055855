// Atomics 1: add.
// [update] one operation, and what it leaves
// Source: Mordohai, CS 677, lecture 2, slide 'Atomics'.
#define UPDATE(words, at) old = atomicAdd(&words[at], x)
#define NEXT old + x

#include "update.cuh"
