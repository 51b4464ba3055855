// Atomics 5: maximum.
// [update] one operation, and what it leaves
// Source: Mordohai, CS 677, lecture 2, slide 'Atomics'.
#define UPDATE(words, at) InterlockedMax(words[at], x, old)
#define NEXT max(old, x)

#include "update.h"
