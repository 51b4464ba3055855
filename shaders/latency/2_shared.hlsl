// Latency 2: one thread follows a list in shared memory.
// The words are masked when they are copied, so a step is a load and its address, and nothing else.
// Source: National Tsing Hua University, Performance (Memory) Optimization, slide 'Communication vs Computation'.
#include "latency_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_list : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_odata : register(u0);
XB_ARGS(xb_latency_args);

groupshared uint words[LATENCY_SHARED];

[numthreads(BLOCK, 1, 1)]
void latency(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint i = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + threadIdx.x;

  // [touch] all threads copy the list
  uint sum = 0;
  for (uint e = args.first + i; e < args.end; e += args.threads) {
    const uint word = g_list[e * args.stride];
    words[e * args.stride] = word & args.mask;
    sum += word;
  }
  GroupMemoryBarrierWithGroupSync();

  // [walk] each address is the word before, and the last one is written
  uint at = 0;
  if (i == 0)
    for (uint s = 0; s < args.steps; s++)
      at = words[at];

  // [write] one word a thread
  if (i < args.threads)
    g_odata[i] = sum + at;
}
