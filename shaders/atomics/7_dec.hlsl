// Atomics 7: subtract 1, and wrap.
// [update] HLSL has no such operation: a loop around compare-and-swap
// Source: Mordohai, CS 677, lecture 2, slide 'Atomics'.
#define WRAPPED (old == 0 || old > ATOMICS_LIMIT ? ATOMICS_LIMIT : old - 1)
#define UPDATE(words, at) SWAP(words[at], WRAPPED)
#define NEXT WRAPPED

#include "update.h"
