// Sums over tiles of 8 neighbouring threads.
// Source: ours; none of the documents has it.
#include "guide.cuh"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

static const uint TILE = 8;

// [lanes]
__device__ __forceinline__ uint sum_of_lanes(uint x)
{
  const auto tile = cg::tiled_partition<TILE>(cg::this_thread_block());
  return cg::reduce(tile, x, cg::plus<uint>());
}

// [memory] as in HLSL
__device__ __forceinline__ uint sum_of_memory(uint x, uint tid)
{
  __shared__ uint values[GUIDE_BLOCK];
  values[tid] = x;
  __syncthreads();
  uint sum = 0;
  for (uint i = 0; i < TILE; i++)
    sum += values[tid / TILE * TILE + i];
  return sum;
}

// [tiles] the first word by lanes, the second one by memory
XB_GUIDE_ENTRY(GUIDE_BLOCK) tiles(const uint *__restrict__ g_in, uint *g_out, xb_guide_args args)
{
  const uint tid = threadIdx.x, id = blockIdx.x * blockDim.x + tid;
  uint x = 0;
  if (id < args.n)
    x = g_in[id];
  const uint by_memory = sum_of_memory(x, tid);
  const uint by_lanes = sum_of_lanes(x);
  if (tid % TILE == 0 && id < args.n) {
    g_out[id / TILE * 2] = by_lanes;
    g_out[id / TILE * 2 + 1] = by_memory;
  }
}
