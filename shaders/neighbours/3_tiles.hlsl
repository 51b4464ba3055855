// Ten nearest neighbours 3: as rung 2, but a group loads each point once, to shared memory.
// Source: ours; none of the documents has it.
#include "neighbours_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<float2> g_ps : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<float2> g_qs : register(t1);
[[vk::binding(2, 0)]] RWStructuredBuffer<float2> g_nearest : register(u0);
XB_ARGS(xb_neighbours_args);

groupshared float2 tile[BLOCK];

[numthreads(BLOCK, 1, 1)]
void neighbours(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tid = threadIdx.x;
  const uint i = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + tid;

  // [load] all in registers; a thread without a point helps to load tiles
  const float2 p = g_ps[min(i, args.n - 1)];
  float2 nearest[NEAREST];
  float distance[NEAREST];
  uint k;
  UNROLL for (k = 0; k < NEAREST; k++) {
    nearest[k] = float2(0, 0);
    distance[k] = NEIGHBOURS_FAR;
  }

  for (uint first = 0; first < args.among; first += BLOCK) {
    // [tile] one point a thread
    const uint count = min(BLOCK, args.among - first);
    if (tid < count)
      tile[tid] = g_qs[first + tid];
    GroupMemoryBarrierWithGroupSync();

    // [nearest] a point that is nearer than the last one: all that are farther move by one place
    for (uint j = 0; j < count; j++) {
      float2 q = tile[j];
      float d = NEIGHBOURS_DISTANCE(p, q);
      if (d < distance[NEAREST - 1]) {
        UNROLL for (k = 0; k < NEAREST; k++) {
          const bool nearer = d < distance[k];
          const float2 other = nearest[k];
          const float farther = distance[k];
          nearest[k] = nearer ? q : other; // both are there already: no branch
          distance[k] = nearer ? d : farther;
          q = nearer ? other : q;
          d = nearer ? farther : d;
        }
      }
    }
    GroupMemoryBarrierWithGroupSync(); // before the next tile replaces this one
  }

  // [write] the nearest first
  if (i < args.n) {
    UNROLL for (k = 0; k < NEAREST; k++)
      g_nearest[i * NEAREST + k] = nearest[k];
  }
}
