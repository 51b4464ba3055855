// Adding floats from many threads. HLSL has no atomic for it; CUDA also has each way shown here.
// Source: ours; none of the documents has it.
#include "guide_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_in : register(t0); // bits of floats
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_out : register(u1);
XB_ARGS(xb_guide_args);

// [cas] in any order, so the last bits differ from run to run
[numthreads(GUIDE_BLOCK, 1, 1)]
void cas(uint3 id : SV_DispatchThreadID)
{
  if (id.x >= args.n)
    return;
  const float x = asfloat(g_in[id.x]);
  uint seen = 0, expected; // the first try is a guess; it reads the real value
  do {
    expected = seen;
    InterlockedCompareExchange(g_out[0], expected, asuint(asfloat(expected) + x), seen);
  } while (seen != expected);
}

// [fixed point] integers have the same sum in any order
[numthreads(GUIDE_BLOCK, 1, 1)]
void fixed_point(uint3 id : SV_DispatchThreadID)
{
  if (id.x >= args.n)
    return;
  InterlockedAdd(g_out[0], asuint((int)(asfloat(g_in[id.x]) * 1048576.0f)));
}

// [two phases] a fixed order: a tree in each group, then a tree over the groups' sums
groupshared float tile[GUIDE_BLOCK];

[numthreads(GUIDE_BLOCK, 1, 1)]
void two_phase(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tid = threadIdx.x;
  const uint i = groupIdx.x * GUIDE_BLOCK + tid;
  float x = 0;
  if (i < args.n)
    x = asfloat(g_in[i]);
  tile[tid] = x;
  for (uint s = GUIDE_BLOCK / 2; s > 0; s >>= 1) {
    GroupMemoryBarrierWithGroupSync();
    if (tid < s)
      tile[tid] += tile[tid + s];
  }
  if (tid == 0)
    g_out[groupIdx.x] = asuint(tile[0]);
}

// [native] HLSL has none, even where the device has one
