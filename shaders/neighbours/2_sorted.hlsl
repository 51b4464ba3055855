// Ten nearest neighbours 2: the ten are sorted, and each index is a constant: they are in registers.
// Source: ours; none of the documents has it.
#include "neighbours_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<float2> g_ps : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<float2> g_qs : register(t1);
[[vk::binding(2, 0)]] RWStructuredBuffer<float2> g_nearest : register(u0);
XB_ARGS(xb_neighbours_args);

[numthreads(BLOCK, 1, 1)]
void neighbours(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint i = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + threadIdx.x;
  if (i >= args.n) // a folded grid has groups too many at its end
    return;

  // [load] all in registers
  const float2 p = g_ps[i];
  float2 nearest[NEAREST];
  float distance[NEAREST];
  uint k;
  UNROLL for (k = 0; k < NEAREST; k++) {
    nearest[k] = float2(0, 0);
    distance[k] = NEIGHBOURS_FAR;
  }

  // [nearest] a point that is nearer than the last one: all that are farther move by one place
  for (uint j = 0; j < args.among; j++) {
    float2 q = g_qs[j];
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

  // [write] the nearest first
  UNROLL for (k = 0; k < NEAREST; k++)
    g_nearest[i * NEAREST + k] = nearest[k];
}
