// Latency 1: one thread follows a list in device memory, through its caches.
// The buffer is const and __restrict__, so loads are ld.global.nc: through L1 and L2.
// Source: National Tsing Hua University, Performance (Memory) Optimization, slide 'Communication vs Computation'.
#include "latency_args.h"
#include "entry.cuh"

XB_KERNEL void latency(const uint *__restrict__ g_list, uint *g_odata, xb_latency_args args)
{
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x, which HLSL lacks

  // [touch] all threads read the list, so that caches have what they can hold of it
  uint sum = 0;
  for (uint e = args.first + i; e < args.end; e += args.threads)
    sum += g_list[e * args.stride];
  __syncthreads();

  // [walk] each address is the word before, and the last one is written
  uint at = 0;
  if (i == 0)
    for (uint s = 0; s < args.steps; s++)
      at = g_list[at] & args.mask;

  // [write] one word a thread; a folded grid has groups too many at its end
  if (i < args.threads)
    g_odata[i] = sum + at;
}

XB_ENTRIES(latency, (const uint *__restrict__ g_list, uint *g_odata, xb_latency_args args), (g_list, g_odata, args))
