// Atomics 2: subtract.
// [update] HLSL has no subtraction: an addition of -x does the same
// Source: Mordohai, CS 677, lecture 2, slide 'Atomics'.
#define UPDATE(words, at) InterlockedAdd(words[at], 0u - x, old)
#define NEXT old - x

#include "update.h"
