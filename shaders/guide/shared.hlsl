// Group shared memory: its size is part of the compiled code. args.a hides the contents from the compiler.
// Source: ours; none of the documents has it.
#include "guide_args.h"

[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_out : register(u1);
XB_ARGS(xb_guide_args);

// [tile] one thread writes a word, another one reads it. A macro, because a groupshared argument would be a copy
#define TILE(words, tile, thread) \
  for (uint w = thread; w < words; w += GUIDE_BLOCK) \
    tile[w] = w * 2654435761u + args.a; \
  GroupMemoryBarrierWithGroupSync(); \
  uint sum = 0; \
  for (uint r = thread; r < words; r += GUIDE_BLOCK) \
    sum = sum * 31 + tile[words - 1 - r]; \
  g_out[thread] = sum

// [k16] the size that Vulkan guarantees
groupshared uint tile16[16 * 256];
[numthreads(GUIDE_BLOCK, 1, 1)]
void k16(uint3 threadIdx : SV_GroupThreadID)
{
  TILE(16 * 256, tile16, threadIdx.x);
}

// [k32] the most that Direct3D 12 allows
groupshared uint tile32[32 * 256];
[numthreads(GUIDE_BLOCK, 1, 1)]
void k32(uint3 threadIdx : SV_GroupThreadID)
{
  TILE(32 * 256, tile32, threadIdx.x);
}

// [k48] not for Direct3D 12: DXIL allows 32 KiB, and DXC refuses this entry point
groupshared uint tile48[48 * 256];
[numthreads(GUIDE_BLOCK, 1, 1)]
void k48(uint3 threadIdx : SV_GroupThreadID)
{
  TILE(48 * 256, tile48, threadIdx.x);
}

// [dynamic] HLSL has none: compile one variant per size
