// Resident 5: groups count how many of them are on the device at a time. 32 chains, so many registers.
// Source: NVIDIA, Optimizing CUDA, slide 'Occupancy'.
#include "resident_args.h"
#include "entry.cuh"

XB_KERNEL void resident(const uint *__restrict__ g_idata, uint *g_counters, uint *g_odata, xb_resident_args args)
{
  const uint tid = threadIdx.x;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  if (group >= args.groups) // a folded grid has groups too many at its end
    return;

  // [enter] one thread counts its group
  if (tid == 0) {
    const uint before = atomicAdd(&g_counters[RESIDENT_INSIDE], 1u);
    atomicMax(&g_counters[RESIDENT_MOST], before + 1);
    atomicAdd(&g_counters[RESIDENT_BEGUN], 1u);
  }

  // [work] chains in registers, long enough for other groups to begin
  const uint a = g_idata[tid];
  uint h[RESIDENT_CHAINS];
  UNROLL for (uint s = 0; s < RESIDENT_CHAINS; s++)
    h[s] = g_idata[(tid + 1) % BLOCK] + s;
  for (uint r = 0; r < args.rounds; r++) {
    UNROLL for (uint c = 0; c < RESIDENT_CHAINS; c++)
      h[c] = h[c] * a + c;
  }
  uint x = 0;
  UNROLL for (uint e = 0; e < RESIDENT_CHAINS; e++)
    x ^= h[e];

  // [leave] after all of the group have worked
  g_odata[group * BLOCK + tid] = x;
  __syncthreads();
  if (tid == 0)
    atomicSub(&g_counters[RESIDENT_INSIDE], 1u); // HLSL adds -1
}

XB_ENTRIES(resident, (const uint *__restrict__ g_idata, uint *g_counters, uint *g_odata, xb_resident_args args),
           (g_idata, g_counters, g_odata, args))
