// Shared layout 2: an array for each of three 8-byte members.
// Source: National Tsing Hua University, Performance (Memory) Optimization, slide 'Address linearization (SoA)'.
#include "shared_layout_args.h"
#include "entry.cuh"

XB_KERNEL void shared_layout(const uint2 *__restrict__ g_idata, uint2 *g_odata, xb_shared_layout_args args)
{
  __shared__ uint2 xs[BLOCK];
  __shared__ uint2 ys[BLOCK];
  __shared__ uint2 zs[BLOCK];

  const uint tid = threadIdx.x;
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + tid; // grid_x is gridDim.x, which HLSL lacks

  // [load] each thread its own struct; a thread that has none writes zeros
  xs[tid] = make_uint2(0, 0);
  ys[tid] = make_uint2(0, 0);
  zs[tid] = make_uint2(0, 0);
  if (i < args.n) { // HLSL's ?: would load beyond the end
    xs[tid] = g_idata[i];
    ys[tid] = g_idata[args.pitch + i];
    zs[tid] = g_idata[2 * args.pitch + i];
  }
  __syncthreads();

  // [one] the last member; the wave reads neighbouring words
  uint2 x = make_uint2(0, 0), y = make_uint2(0, 0), z = make_uint2(0, 0);
  for (uint r = 0; !args.all && r < args.rounds; r++) {
    const uint2 value = zs[tid ^ r % LAYOUT_ROUNDS];
    z = make_uint2(3 * z.x + value.x, 3 * z.y + value.y);
  }

  // [all] sums in which the order counts, so no load can be left out
  for (uint r = 0; args.all && r < args.rounds; r++) {
    const uint2 vx = xs[tid ^ r % LAYOUT_ROUNDS];
    const uint2 vy = ys[tid ^ r % LAYOUT_ROUNDS];
    const uint2 vz = zs[tid ^ r % LAYOUT_ROUNDS];
    x = make_uint2(3 * x.x + vx.x, 3 * x.y + vx.y);
    y = make_uint2(3 * y.x + vy.x, 3 * y.y + vy.y);
    z = make_uint2(3 * z.x + vz.x, 3 * z.y + vz.y);
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

XB_ENTRIES(shared_layout, (const uint2 *__restrict__ g_idata, uint2 *g_odata, xb_shared_layout_args args),
           (g_idata, g_odata, args))
