/* Shifts each letter from a to z in the alphabet. HLSL has no byte type: four letters are a word, and a thread's. */
#include "hello_args.h"

XB_ARGS(hello_args);
[[vk::binding(0, 0)]] RWStructuredBuffer<uint> text : register(u0);

[numthreads(32, 1, 1)]
void hello(uint3 id : SV_DispatchThreadID)
{
  const uint first = id.x * 4;
  for (uint i = first; i < first + 4 && i < args.letters; i++) {
    const uint bit = (i - first) * 8, letter = text[id.x] >> bit & 255;
    const uint shifted = (letter - 97 + args.shift) % 26 + 97; // 97 is 'a'
    text[id.x] ^= (letter ^ shifted) << bit;
  }
}
