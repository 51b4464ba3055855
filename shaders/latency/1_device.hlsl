// Latency 1: one thread follows a list in device memory, through its caches.
// The buffer is read-only, so the driver may use any cache for it.
// Source: National Tsing Hua University, Performance (Memory) Optimization, slide 'Communication vs Computation'.
#include "latency_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_list : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_odata : register(u0);
XB_ARGS(xb_latency_args);

[numthreads(BLOCK, 1, 1)]
void latency(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint i = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + threadIdx.x;

  // [touch] all threads read the list, so that caches have what they can hold of it
  uint sum = 0;
  for (uint e = args.first + i; e < args.end; e += args.threads)
    sum += g_list[e * args.stride];
  GroupMemoryBarrierWithGroupSync();

  // [walk] each address is the word before, and the last one is written
  uint at = 0;
  if (i == 0)
    for (uint s = 0; s < args.steps; s++)
      at = g_list[at] & args.mask;

  // [write] one word a thread; a folded grid has groups too many at its end
  if (i < args.threads)
    g_odata[i] = sum + at;
}
