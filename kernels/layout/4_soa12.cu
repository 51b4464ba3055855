// Layout 4: an array for each of three 4-byte members.
// Source: ours; none of the documents has it.
#include "layout_args.h"
#include "entry.cuh"

XB_KERNEL void layout(const uint *__restrict__ g_idata, uint *g_odata, xb_layout_args args)
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

XB_ENTRIES(layout, (const uint *__restrict__ g_idata, uint *g_odata, xb_layout_args args), (g_idata, g_odata, args))
