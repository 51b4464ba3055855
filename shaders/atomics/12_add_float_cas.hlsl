// Atomics 12: add to a float, by compare-and-swap.
// [update] CUDA also has an instruction; glslc 2023.2 and DXC 1.8 have no word for it
// Source: Mordohai, CS 677, lecture 2, slide 'Compare and Swap': it can emulate all others.
#define SUM asuint(asfloat(old) + ATOMICS_FLOAT(x))
#define UPDATE(words, at) SWAP(words[at], SUM)
#define NEXT to

#include "update.h"
