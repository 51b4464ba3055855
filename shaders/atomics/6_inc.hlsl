// Atomics 6: add 1, and wrap.
// [update] HLSL has no such operation: a loop around compare-and-swap
// Source: Mordohai, CS 677, lecture 2, slide 'Atomics'.
#define WRAPPED (old >= ATOMICS_LIMIT ? 0u : old + 1)
#define UPDATE(words, at) SWAP(words[at], WRAPPED)
#define NEXT WRAPPED

#include "update.h"
