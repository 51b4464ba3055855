// Atomics 12: add to a float, by compare-and-swap.
// [update] CUDA also has an instruction, which is row 13; glslc 2023.2 and DXC 1.8 have no word for it
// Source: Mordohai, CS 677, lecture 2, slide 'Compare and Swap': it can emulate all others.
#define SUM __float_as_uint(__uint_as_float(old) + ATOMICS_FLOAT(x))
#define UPDATE(words, at) SWAP(words[at], SUM)
#define NEXT to

#include "update.cuh"

#undef ATOMICS
#undef UPDATE
#undef NEXT
#define ATOMICS atomics_native
#define UPDATE(words, at) old = __float_as_uint(atomicAdd((float *)&words[at], ATOMICS_FLOAT(x)))
#define NEXT SUM

#include "update.cuh"
