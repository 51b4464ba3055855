// Layout 1: 24-byte structs.
// Source: National Tsing Hua University, Performance (Memory) Optimization, slide 'Address linearization (SoA)'.
#include "layout_args.h"
#include "entry.cuh"

XB_KERNEL void layout(const xb_point24 *__restrict__ g_idata, uint2 *g_odata, xb_layout_args args)
{
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x, which HLSL lacks

  // [one] the last member; the others come along in the same segments
  if (i < args.n && !args.all)
    g_odata[i] = g_idata[i].z;

  // [all] each load of the wave touches the segments of the whole structs
  if (i < args.n && args.all) {
    const xb_point24 p = g_idata[i];
    g_odata[i] = p.x;
    g_odata[args.pitch + i] = p.y;
    g_odata[2 * args.pitch + i] = p.z;
  }
}

XB_ENTRIES(layout, (const xb_point24 *__restrict__ g_idata, uint2 *g_odata, xb_layout_args args),
           (g_idata, g_odata, args))
