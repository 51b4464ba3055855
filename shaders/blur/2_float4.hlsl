// Blur 2: the pixels are in shared memory, unpacked: four floats each.
// Source: Young, DirectCompute Optimizations and Best Practices (GTC 2010), slide 'TGSM Performance'.
#include "blur_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_odata : register(u0);
XB_ARGS(xb_blur_args);

groupshared float4 tile[BLOCK + BLUR_TAPS];

[numthreads(BLOCK, 1, 1)]
void blur(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tid = threadIdx.x, group = XB_GROUP_INDEX(groupIdx, args.grid_x);
  const uint first = group * BLOCK, i = first + tid;

  // [load] the pixels of the group, and those around them
  for (uint t = tid; t < BLOCK + BLUR_TAPS - 1; t += BLOCK) {
    const uint word = g_idata[BLUR_CLAMP(args.lead + first + t - BLUR_BEFORE, args.all - 1)];
    tile[t] = UNPACK(FLOAT4, word);
  }
  GroupMemoryBarrierWithGroupSync();

  // [sum] of the neighbours; whole numbers, which float32 holds exactly
  float4 all = FLOAT4(0, 0, 0, 0);
  LOOP for (uint k = 0; k < BLUR_TAPS; k++)
    all += tile[tid + k];
  const uint4 sum = UINT4(all.x, all.y, all.z, all.w);

  // [write]
  if (i < args.n)
    g_odata[i] = PACK_MEAN(sum);
}
