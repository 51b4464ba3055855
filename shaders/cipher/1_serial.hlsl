// Shift cipher 1: one thread loops over all letters.
// Source: Mordohai, CS 677, lecture 2, slide 'Encryption Example'.
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
  // [shift] letter by letter; the other threads of the group have nothing to do. HLSL has no bytes: a letter is a part of
  // a word
  for (uint i = 0; i < args.n && threadIdx.x == 0; i++) {
    const uint word = g_text[i / 4], bit = i % 4 * 8;
    const int letter = (int)(word << (24 - bit)) >> 24;
    g_text[i / 4] = (word & ~(255u << bit)) | shifted(letter) << bit;
  }
}
