// Wave operations inside a branch: CUDA needs a mask of the lanes, which has to be made before the branch.
// Source: ours; none of the documents has it.
#include "guide.cuh"

// [sums] over the lanes of `mask`, one after the other: __reduce_add_sync needs compute capability 8.0
__device__ __forceinline__ void add_up(uint slot, uint x, uint mask, uint *g_out)
{
  const uint lanes = __popc(mask);
  uint sum = 0;
  for (uint rest = mask; rest; rest &= rest - 1)
    sum += __shfl_sync(mask, x, __ffs((int)rest) - 1);
  if (threadIdx.x % warpSize == (uint)__ffs((int)mask) - 1) {
    atomicAdd(&g_out[slot], lanes);
    atomicAdd(&g_out[slot + 1], sum);
  }
}

// [branch] masks are made before the branch, by ballots of lanes that are known to be active
XB_GUIDE_ENTRY(GUIDE_BLOCK) branch(const uint *__restrict__ g_in, uint *g_out, xb_guide_args args)
{
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  const uint present = __ballot_sync(0xffffffffu, i < args.n);
  if (i >= args.n)
    return;
  const uint x = g_in[i];
  const uint third = __ballot_sync(present, x % 3 == 0); // not __activemask(), which guarantees nothing
  if (x % 3 == 0)
    add_up(0, x, third, g_out);
  else
    add_up(2, x, present & ~third, g_out);
}

// [votes] over the lanes that are still active
XB_GUIDE_ENTRY(GUIDE_BLOCK) votes(const uint *__restrict__ g_in, uint *g_out, xb_guide_args args)
{
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  const uint present = __ballot_sync(0xffffffffu, i < args.n);
  if (i >= args.n)
    return;
  const uint x = g_in[i];
  const uint ballot = __ballot_sync(present, x % 3 == 0);
  const bool any = __any_sync(present, x == args.a);
  const bool all = __all_sync(present, x != args.a);
  if (threadIdx.x % warpSize == (uint)__ffs((int)present) - 1) {
    atomicAdd(&g_out[0], __popc(ballot));
    atomicOr(&g_out[1], any ? 1u : 0u);
    atomicAnd(&g_out[2], all ? 1u : 0u);
  }
}
