// Atomics 1: add.
// [update] one operation, and what it leaves
// Source: Mordohai, CS 677, lecture 2, slide 'Atomics'.
#define UPDATE(words, at) InterlockedAdd(words[at], x, old)
#define NEXT old + x

#include "update.h"
