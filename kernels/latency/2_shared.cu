// Latency 2: one thread follows a list in shared memory.
// The words are masked when they are copied, so a step is a load and its address, and nothing else.
// Source: National Tsing Hua University, Performance (Memory) Optimization, slide 'Communication vs Computation'.
#include "latency_args.h"
#include "entry.cuh"

XB_KERNEL void latency(const uint *__restrict__ g_list, uint *g_odata, xb_latency_args args)
{
  __shared__ uint words[LATENCY_SHARED];

  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x, which HLSL lacks

  // [touch] all threads copy the list
  uint sum = 0;
  for (uint e = args.first + i; e < args.end; e += args.threads) {
    const uint word = g_list[e * args.stride];
    words[e * args.stride] = word & args.mask;
    sum += word;
  }
  __syncthreads();

  // [walk] each address is the word before, and the last one is written
  uint at = 0;
  if (i == 0)
    for (uint s = 0; s < args.steps; s++)
      at = words[at];

  // [write] one word a thread
  if (i < args.threads)
    g_odata[i] = sum + at;
}

XB_ENTRIES(latency, (const uint *__restrict__ g_list, uint *g_odata, xb_latency_args args), (g_list, g_odata, args))
