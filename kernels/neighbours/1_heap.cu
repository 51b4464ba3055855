// Ten nearest neighbours 1: each thread has a heap of its own, whose top is the farthest of the ten.
// Source: Mordohai, CS 677, lecture 2, slide 'Example - thread-local variables'.
#include "neighbours_args.h"
#include "entry.cuh"

XB_KERNEL void neighbours(const float2 *__restrict__ g_ps, const float2 *__restrict__ g_qs, float2 *g_nearest,
                          xb_neighbours_args args)
{
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x, which HLSL lacks
  if (i >= args.n) // a folded grid has groups too many at its end
    return;

  // [load] p is in registers; the heap is indexed by data, so it is in memory
  const float2 p = g_ps[i];
  float2 heap[NEAREST];
  float distance[NEAREST]; // of a parent: never less than those of its two children
  uint k;
  for (k = 0; k < NEAREST; k++) {
    heap[k] = float2{0, 0};
    distance[k] = NEIGHBOURS_FAR;
  }

  // [nearest] a point that is nearer replaces the farthest of the ten, and sinks to its place
  for (uint j = 0; j < args.among; j++) {
    const float2 q = g_qs[j];
    const float d = NEIGHBOURS_DISTANCE(p, q);
    if (d < distance[0]) {
      uint at = 0, child = 1;
      while (child < NEAREST) {
        if (child + 1 < NEAREST && distance[child + 1] > distance[child])
          child++;
        if (distance[child] <= d)
          break;
        heap[at] = heap[child];
        distance[at] = distance[child];
        at = child;
        child = 2 * at + 1;
      }
      heap[at] = q;
      distance[at] = d;
    }
  }

  // [write] in the order of the heap
  for (k = 0; k < NEAREST; k++)
    g_nearest[i * NEAREST + k] = heap[k];
}

XB_ENTRIES(neighbours,
           (const float2 *__restrict__ g_ps, const float2 *__restrict__ g_qs, float2 *g_nearest, xb_neighbours_args args),
           (g_ps, g_qs, g_nearest, args))
