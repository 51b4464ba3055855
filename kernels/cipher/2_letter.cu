// Shift cipher 2: a thread for each letter.
// Source: Mordohai, CS 677, lecture 2, slide 'Parallel Encryption Example'.
#include "cipher_args.h"
#include "entry.cuh"

XB_KERNEL void cipher(signed char *g_text, xb_cipher_args args)
{
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x, which HLSL lacks

  // [shift] one letter
  if (i < args.n) {
    const int place = g_text[i] - 'a' + (int)args.shift;
    g_text[i] = (signed char)(place % 26 + 'a');
  }
}

XB_ENTRIES(cipher, (signed char *g_text, xb_cipher_args args), (g_text, args))
