// Atomics 8: compare and swap.
// [update] as often as there are updates, some thread is the first to find k and to store k + 1
#define UPDATE(words, at) InterlockedCompareExchange(words[at], k, k + 1, old)
#define NEXT (old == k ? k + 1 : old)

#include "update.h"
