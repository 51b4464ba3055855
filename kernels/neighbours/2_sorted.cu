// Ten nearest neighbours 2: the ten are sorted, and each index is a constant: they are in registers.
// Source: ours; none of the documents has it.
#include "neighbours_args.h"
#include "entry.cuh"

XB_KERNEL void neighbours(const float2 *__restrict__ g_ps, const float2 *__restrict__ g_qs, float2 *g_nearest,
                          xb_neighbours_args args)
{
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x, which HLSL lacks
  if (i >= args.n) // a folded grid has groups too many at its end
    return;

  // [load] all in registers
  const float2 p = g_ps[i];
  float2 nearest[NEAREST];
  float distance[NEAREST];
  uint k;
  UNROLL for (k = 0; k < NEAREST; k++) {
    nearest[k] = float2{0, 0};
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

XB_ENTRIES(neighbours,
           (const float2 *__restrict__ g_ps, const float2 *__restrict__ g_qs, float2 *g_nearest, xb_neighbours_args args),
           (g_ps, g_qs, g_nearest, args))
