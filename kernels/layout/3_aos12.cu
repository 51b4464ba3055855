// Layout 3: 12-byte structs.
// Source: ours; none of the documents has it.
#include "layout_args.h"
#include "entry.cuh"

XB_KERNEL void layout(const xb_point12 *__restrict__ g_idata, uint *g_odata, xb_layout_args args)
{
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x, which HLSL lacks

  // [one] the last member; the others come along in the same segments
  if (i < args.n && !args.all)
    g_odata[i] = g_idata[i].z;

  // [all] each load of the wave touches the segments of the whole structs
  if (i < args.n && args.all) {
    const xb_point12 p = g_idata[i];
    g_odata[i] = p.x;
    g_odata[args.pitch + i] = p.y;
    g_odata[2 * args.pitch + i] = p.z;
  }
}

XB_ENTRIES(layout, (const xb_point12 *__restrict__ g_idata, uint *g_odata, xb_layout_args args),
           (g_idata, g_odata, args))
