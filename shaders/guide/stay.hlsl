// Threads without an element stay until the last barrier of their group.
// Source: ours; none of the documents has it.
#include "guide_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_in : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_out : register(u1);
XB_ARGS(xb_guide_args);

groupshared uint tile[GUIDE_BLOCK];

// [stays] only loads and stores are guarded: no `return` before a barrier
[numthreads(GUIDE_BLOCK, 1, 1)]
void stays(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tid = threadIdx.x, i = groupIdx.x * GUIDE_BLOCK + tid;
  uint x = 0;
  if (i < args.n)
    x = g_in[i];
  tile[tid] = x;
  for (uint s = GUIDE_BLOCK / 2; s > 0; s >>= 1) {
    GroupMemoryBarrierWithGroupSync();
    if (tid < s)
      tile[tid] += tile[tid + s];
  }
  if (tid == 0)
    g_out[groupIdx.x] = tile[0];
}

// [leaves] undefined in HLSL and SPIR-V, and no compiler says so: CUDA only
