// Layout 2: an array for each of three 8-byte members.
// Source: National Tsing Hua University, Performance (Memory) Optimization, slide 'Address linearization (SoA)'.
#include "layout_args.h"
#include "entry.cuh"

XB_KERNEL void layout(const uint2 *__restrict__ g_idata, uint2 *g_odata, xb_layout_args args)
{
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x, which HLSL lacks

  // [one] the last member; its array has no other members
  if (i < args.n && !args.all)
    g_odata[i] = g_idata[2 * args.pitch + i];

  // [all] each load of the wave is of neighbouring words
  if (i < args.n && args.all) {
    g_odata[i] = g_idata[i];
    g_odata[args.pitch + i] = g_idata[args.pitch + i];
    g_odata[2 * args.pitch + i] = g_idata[2 * args.pitch + i];
  }
}

XB_ENTRIES(layout, (const uint2 *__restrict__ g_idata, uint2 *g_odata, xb_layout_args args), (g_idata, g_odata, args))
