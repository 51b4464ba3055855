// Wrong port 17: a texture that its own kernel writes. The mistake is in the host's code (cases.c): it filters in place, so
// the texel buffer is made of the memory that the kernel writes. Both forms use this kernel.
#include "args.h"

[[vk::binding(0, 0)]] Buffer<float> texels : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> output : register(u1);
XB_ARGS(groups_args);

// The first byte of a word, and of the next one, through a texture of bytes.
[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
  const uint next = (id.x + 1) % (args.groups * 64);
  output[id.x] = (uint)(texels[id.x * 4] * 255 + 0.5) + (uint)(texels[next * 4] * 255 + 0.5);
}
