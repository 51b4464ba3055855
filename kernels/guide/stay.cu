// Threads without an element stay until the last barrier of their group.
// Source: ours; none of the documents has it.
#include "guide.cuh"

// [stays] only loads and stores are guarded: no `return` before a barrier
XB_GUIDE_ENTRY(GUIDE_BLOCK) stays(const uint *__restrict__ g_in, uint *g_out, xb_guide_args args)
{
  __shared__ uint tile[GUIDE_BLOCK];
  const uint tid = threadIdx.x, i = blockIdx.x * GUIDE_BLOCK + tid;
  uint x = 0;
  if (i < args.n)
    x = g_in[i];
  tile[tid] = x;
  for (uint s = GUIDE_BLOCK / 2; s > 0; s >>= 1) {
    __syncthreads();
    if (tid < s)
      tile[tid] += tile[tid + s];
  }
  if (tid == 0)
    g_out[blockIdx.x] = tile[0];
}

// [leaves] from compute capability 7.0 on a barrier waits for the threads that have not exited
XB_GUIDE_ENTRY(GUIDE_BLOCK) leaves(const uint *__restrict__ g_in, uint *g_out, xb_guide_args args)
{
  __shared__ uint tile[GUIDE_BLOCK];
  const uint tid = threadIdx.x, i = blockIdx.x * GUIDE_BLOCK + tid;
  tile[tid] = 0;
  __syncthreads();
  if (i >= args.n)
    return;
  tile[tid] = g_in[i];
  for (uint s = GUIDE_BLOCK / 2; s > 0; s >>= 1) {
    __syncthreads();
    if (tid < s)
      tile[tid] += tile[tid + s];
  }
  if (tid == 0)
    g_out[blockIdx.x] = tile[0];
}
