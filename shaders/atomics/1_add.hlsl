// Atomics 1: add.
// [update] one operation, and what it leaves
#define UPDATE(words, at) InterlockedAdd(words[at], x, old)
#define NEXT old + x

#include "update.h"
