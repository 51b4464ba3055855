// Shared layout 4: an array for each of three 4-byte members.
// Source: ours; none of the documents has it.
#include "shared_layout_args.h"
#include "entry.cuh"

XB_KERNEL void shared_layout(const uint *__restrict__ g_idata, uint *g_odata, xb_shared_layout_args args)
{
  __shared__ uint xs[BLOCK];
  __shared__ uint ys[BLOCK];
  __shared__ uint zs[BLOCK];

  const uint tid = threadIdx.x;
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + tid; // grid_x is gridDim.x, which HLSL lacks

  // [load] each thread its own struct; a thread that has none writes zeros
  xs[tid] = 0;
  ys[tid] = 0;
  zs[tid] = 0;
  if (i < args.n) { // HLSL's ?: would load beyond the end
    xs[tid] = g_idata[i];
    ys[tid] = g_idata[args.pitch + i];
    zs[tid] = g_idata[2 * args.pitch + i];
  }
  __syncthreads();

  // [one] the last member; the wave reads neighbouring words
  uint x = 0, y = 0, z = 0;
  for (uint r = 0; !args.all && r < args.rounds; r++) {
    const uint value = zs[tid ^ r % LAYOUT_ROUNDS];
    z = 3 * z + value;
  }

  // [all] sums in which the order counts, so no load can be left out
  for (uint r = 0; args.all && r < args.rounds; r++) {
    const uint vx = xs[tid ^ r % LAYOUT_ROUNDS];
    const uint vy = ys[tid ^ r % LAYOUT_ROUNDS];
    const uint vz = zs[tid ^ r % LAYOUT_ROUNDS];
    x = 3 * x + vx;
    y = 3 * y + vy;
    z = 3 * z + vz;
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

XB_ENTRIES(shared_layout, (const uint *__restrict__ g_idata, uint *g_odata, xb_shared_layout_args args),
           (g_idata, g_odata, args))
