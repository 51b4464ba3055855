// Shift cipher 2: a thread for each letter.
// Source: Mordohai, CS 677, lecture 2, slide 'Parallel Encryption Example'.
#include "cipher_args.h"

[[vk::binding(0, 0)]] RWStructuredBuffer<uint> g_text : register(u0);
XB_ARGS(xb_cipher_args);

// HLSL's % of a negative number is undefined, and DXC makes such a % of place - place / 26 * 26. So % takes the absolute value.
uint shifted(int letter)
{
  const int place = letter - 97 + (int)args.shift; // 97 is 'a'
  const int rest = (int)((uint)abs(place) % 26);
  return (uint)((place < 0 ? -rest : rest) + 97) & 255;
}

[numthreads(BLOCK, 1, 1)]
void cipher(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint i = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + threadIdx.x;

  // [shift] one letter. HLSL has no bytes: four threads change one word, so each changes its bits by an atomic. The read
  // is one, too: an ordinary read would race with the others' atomics
  if (i < args.n) {
    const uint bit = i % 4 * 8;
    uint word, before;
    InterlockedOr(g_text[i / 4], 0, word);
    const int letter = (int)(word << (24 - bit)) >> 24;
    InterlockedXor(g_text[i / 4], (((uint)letter & 255) ^ shifted(letter)) << bit, before);
  }
}
