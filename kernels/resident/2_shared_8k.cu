// Resident 2: groups count how many of them are on the device at a time. 8 KiB of shared memory.
// Source: NVIDIA, Optimizing CUDA, slide 'Occupancy'.
#include "resident_args.h"
#include "entry.cuh"

XB_KERNEL void resident(const uint *__restrict__ g_idata, uint *g_counters, uint *g_odata, xb_resident_args args)
{
  __shared__ uint words[2048];

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

  // [share] each thread takes its neighbour's operand, through shared memory that is longer than that needs
  words[tid] = g_idata[tid];
  __syncthreads();
  uint x = words[(tid + 1) % BLOCK];

  // [work] long enough for other groups to begin
  const uint a = g_idata[tid];
  for (uint r = 0; r < args.rounds; r++) {
    UNROLL for (uint k = 0; k < 32; k++)
      x = x * a + k;
  }

  // [leave] after all of the group have worked
  g_odata[group * BLOCK + tid] = x;
  __syncthreads();
  if (tid == 0)
    atomicSub(&g_counters[RESIDENT_INSIDE], 1u); // HLSL adds -1
}

XB_ENTRIES(resident, (const uint *__restrict__ g_idata, uint *g_counters, uint *g_odata, xb_resident_args args),
           (g_idata, g_counters, g_odata, args))
