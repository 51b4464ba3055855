// Ten nearest neighbours 1: each thread has a heap of its own, whose top is the farthest of the ten.
// Source: Mordohai, CS 677, lecture 2, slide 'Example - thread-local variables'.
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

  // [load] p is in registers; the heap is indexed by data, so it is in memory
  const float2 p = g_ps[i];
  float2 heap[NEAREST];
  float distance[NEAREST]; // of a parent: never less than those of its two children
  uint k;
  for (k = 0; k < NEAREST; k++) {
    heap[k] = float2(0, 0);
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
