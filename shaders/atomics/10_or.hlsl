// Atomics 10: or.
// [update] one operation, and what it leaves
#define UPDATE(words, at) InterlockedOr(words[at], x, old)
#define NEXT old | x

#include "update.h"
