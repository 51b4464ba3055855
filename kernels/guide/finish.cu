// The last group finishes the work. Barriers order accesses inside one group; to see what other groups stored, a group
// needs fences and an atomic.
// Source: ours; none of the documents has it.
#include "guide.cuh"

// [group sum] a tree in shared memory
__device__ __forceinline__ uint group_sum(uint value, uint tid)
{
  __shared__ uint tile[GUIDE_BLOCK];
  __syncthreads();
  tile[tid] = value;
  for (uint s = GUIDE_BLOCK / 2; s > 0; s >>= 1) {
    __syncthreads();
    if (tid < s)
      tile[tid] += tile[tid + s];
  }
  __syncthreads();
  return tile[0];
}

// [last group] every group adds up its own elements
XB_GUIDE_ENTRY(GUIDE_BLOCK) last_group(const uint *__restrict__ g_in, uint *g_out, uint *g_exchange, xb_guide_args args)
{
  __shared__ uint done_before;
  const uint tid = threadIdx.x;
  const uint i = blockIdx.x * GUIDE_BLOCK + tid;
  const uint sum = group_sum(i < args.n ? g_in[i] : 0, tid);

  // [exchange] store the sum, then count: a thread that sees the count also sees the sum
  if (tid == 0) {
    g_exchange[1 + blockIdx.x] = sum;
    __threadfence();
    done_before = atomicAdd(&g_exchange[0], 1u); // implies no fence
    __threadfence();                             // acquires; in HLSL the barrier below does
  }
  __syncthreads(); // for the block: all its threads see what thread 0 sees
  if (done_before + 1 != args.a)
    return;

  // [finish] add up the sums, and reset the counter
  uint rest = 0;
  for (uint g = tid; g < args.a; g += GUIDE_BLOCK)
    rest += g_exchange[1 + g];
  rest = group_sum(rest, tid);
  if (tid == 0) {
    g_out[0] = rest;
    g_out[1] += 1;
    g_exchange[0] = 0u;
  }
}
