// Layout 5: vectors of four members.
// Source: ours; none of the documents has it.
#include "layout_args.h"
#include "entry.cuh"

XB_KERNEL void layout(const uint4 *__restrict__ g_idata, uint *g_odata, xb_layout_args args)
{
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x, which HLSL lacks

  // [one] the last member; four bytes of sixteen
  if (i < args.n && !args.all)
    g_odata[i] = g_idata[i].w;

  // [all] one load for all members
  if (i < args.n && args.all) {
    const uint4 p = g_idata[i];
    g_odata[i] = p.x;
    g_odata[args.pitch + i] = p.y;
    g_odata[2 * args.pitch + i] = p.z;
    g_odata[3 * args.pitch + i] = p.w;
  }
}

XB_ENTRIES(layout, (const uint4 *__restrict__ g_idata, uint *g_odata, xb_layout_args args), (g_idata, g_odata, args))
