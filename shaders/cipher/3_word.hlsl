// Shift cipher 3: four letters per thread, packed into a word.
// Source: ours; none of the documents has it.
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

  // [load] four letters
  if (i >= (args.n + 3) / 4)
    return;
  const uint word = g_text[i];

  // [shift] each byte; those that fill the last word stay
  uint result = 0;
  for (uint k = 0; k < 4; k++) {
    const uint bit = k * 8;
    const int letter = (int)(word << (24 - bit)) >> 24;
    result |= (i * 4 + k < args.n ? shifted(letter) : (uint)letter & 255) << bit;
  }

  // [write] four letters
  g_text[i] = result;
}
