// Atomics 5: maximum.
// [update] one operation, and what it leaves
#define UPDATE(words, at) InterlockedMax(words[at], x, old)
#define NEXT max(old, x)

#include "update.h"
