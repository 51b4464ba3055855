// Wrong port 13: a byte is stored by a read and a write of its word. HLSL has no byte store, and the threads of the
// other three bytes do the same at the same time: their bytes are lost.
#include "args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> input : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> output : register(u1);

// The low byte of each element.
[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
  const uint at = id.x / 4, bit = id.x % 4 * 8, bits = (input[id.x] & 255u) << bit;
#ifdef WRONG
  output[at] = (output[at] & ~(255u << bit)) | bits;
#else
  InterlockedAnd(output[at], ~(255u << bit)); // or one thread for the four bytes
  InterlockedOr(output[at], bits);
#endif
}
