// Atomics 8: compare and swap.
// [update] the word counts turns: in turn k the first thread finds k and stores k + 1, the others find k + 1
// Source: Mordohai, CS 677, lecture 2, slide 'Compare and Swap'.
#define UPDATE(words, at) InterlockedCompareExchange(words[at], k, k + 1, old)
#define NEXT (old == k ? k + 1 : old)

#include "update.h"
