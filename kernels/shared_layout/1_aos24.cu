// Shared layout 1: 24-byte structs.
// Source: National Tsing Hua University, Performance (Memory) Optimization, slide 'Address linearization (SoA)'.
#include "shared_layout_args.h"
#include "entry.cuh"

XB_KERNEL void shared_layout(const xb_point24 *__restrict__ g_idata, uint2 *g_odata, xb_shared_layout_args args)
{
  __shared__ xb_point24 points[BLOCK];

  const uint tid = threadIdx.x;
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + tid; // grid_x is gridDim.x, which HLSL lacks

  // [load] each thread its own struct; a thread that has none writes zeros
  xb_point24 p = {};
  if (i < args.n)
    p = g_idata[i];
  points[tid] = p;
  __syncthreads();

  // [one] the last member; the wave reads words that lie a struct apart
  uint2 x = make_uint2(0, 0), y = make_uint2(0, 0), z = make_uint2(0, 0);
  for (uint r = 0; !args.all && r < args.rounds; r++) {
    const uint2 value = points[tid ^ r % LAYOUT_ROUNDS].z;
    z = make_uint2(3 * z.x + value.x, 3 * z.y + value.y);
  }

  // [all] sums in which the order counts, so no load can be left out
  for (uint r = 0; args.all && r < args.rounds; r++) {
    const xb_point24 q = points[tid ^ r % LAYOUT_ROUNDS];
    x = make_uint2(3 * x.x + q.x.x, 3 * x.y + q.x.y);
    y = make_uint2(3 * y.x + q.y.x, 3 * y.y + q.y.y);
    z = make_uint2(3 * z.x + q.z.x, 3 * z.y + q.z.y);
  }

  // [write] an array for each member
  if (i < args.n && !args.all)
    g_odata[i] = z;
  if (i < args.n && args.all) {
    g_odata[i] = x;
    g_odata[args.pitch + i] = y;
    g_odata[2 * args.pitch + i] = z;
  }
}

XB_ENTRIES(shared_layout, (const xb_point24 *__restrict__ g_idata, uint2 *g_odata, xb_shared_layout_args args),
           (g_idata, g_odata, args))
