// Shift cipher 3: four letters per thread, packed into a word.
// Source: ours; none of the documents has it.
#include "cipher_args.h"
#include "entry.cuh"

// The byte that replaces this letter.
__device__ __forceinline__ uint shifted(int letter, xb_cipher_args args)
{
  const int place = letter - 'a' + (int)args.shift;
  return (uint)(place % 26 + 'a') & 255;
}

XB_KERNEL void cipher(uint *g_text, xb_cipher_args args)
{
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x, which HLSL lacks

  // [load] four letters
  if (i >= (args.n + 3) / 4)
    return;
  const uint word = g_text[i];

  // [shift] each byte; those that fill the last word stay
  uint result = 0;
  for (uint k = 0; k < 4; k++) {
    const uint bit = k * 8;
    const int letter = (int)(word << (24 - bit)) >> 24;
    result |= (i * 4 + k < args.n ? shifted(letter, args) : (uint)letter & 255) << bit;
  }

  // [write] four letters
  g_text[i] = result;
}

XB_ENTRIES(cipher, (uint *g_text, xb_cipher_args args), (g_text, args))
