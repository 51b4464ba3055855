// Atomics 3: exchange.
// [update] one operation, and what it leaves
// Source: Mordohai, CS 677, lecture 2, slide 'Atomics'.
#define UPDATE(words, at) InterlockedExchange(words[at], x, old)
#define NEXT x

#include "update.h"
