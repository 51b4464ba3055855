// Maximum 3: the largest element of each wave, then an atomic a wave.
// Source: ours; none of the documents has it.
#include "maximum_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<T> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_keys : register(u0);
XB_ARGS(xb_maximum_args);

[numthreads(BLOCK, 1, 1)]
void maximum(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint i = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + threadIdx.x;

  // [maximum] threads past the end have the least key
  uint key = 0;
  if (i < args.n)
    key = KEY_OF(g_idata[i]);
  key = WaveActiveMax(key);
  if (WaveIsFirstLane())
    InterlockedMax(g_keys[0], key);
}
