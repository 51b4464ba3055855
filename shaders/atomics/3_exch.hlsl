// Atomics 3: exchange.
// [update] one operation, and what it leaves
#define UPDATE(words, at) InterlockedExchange(words[at], x, old)
#define NEXT x

#include "update.h"
