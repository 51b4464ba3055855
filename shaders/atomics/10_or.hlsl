// Atomics 10: or.
// [update] one operation, and what it leaves
// Source: Mordohai, CS 677, lecture 2, slide 'Atomics'.
#define UPDATE(words, at) InterlockedOr(words[at], x, old)
#define NEXT old | x

#include "update.h"
