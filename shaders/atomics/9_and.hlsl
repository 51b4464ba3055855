// Atomics 9: and.
// [update] one operation, and what it leaves
#define UPDATE(words, at) InterlockedAnd(words[at], x, old)
#define NEXT old & x

#include "update.h"
