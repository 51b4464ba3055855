// Adding floats from many threads: three ways that HLSL also has, and CUDA's own atomic.
// Source: ours; none of the documents has it.
#include "guide.cuh"

// [cas] in any order, so the last bits differ from run to run
XB_GUIDE_ENTRY(GUIDE_BLOCK) cas(const uint *__restrict__ g_in, uint *g_out, xb_guide_args args)
{
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= args.n)
    return;
  const float x = __uint_as_float(g_in[i]);
  uint seen = 0, expected; // the first try is a guess; it reads the real value
  do {
    expected = seen;
    seen = atomicCAS(&g_out[0], expected, __float_as_uint(__uint_as_float(expected) + x));
  } while (seen != expected);
}

// [fixed point] integers have the same sum in any order
XB_GUIDE_ENTRY(GUIDE_BLOCK) fixed_point(const uint *__restrict__ g_in, uint *g_out, xb_guide_args args)
{
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= args.n)
    return;
  atomicAdd(&g_out[0], (uint)(int)(__uint_as_float(g_in[i]) * 1048576.0f));
}

// [two phases] a fixed order: a tree in each group, then a tree over the groups' sums
XB_GUIDE_ENTRY(GUIDE_BLOCK) two_phase(const uint *__restrict__ g_in, uint *g_out, xb_guide_args args)
{
  __shared__ float tile[GUIDE_BLOCK];
  const uint tid = threadIdx.x;
  const uint i = blockIdx.x * GUIDE_BLOCK + tid;
  float x = 0;
  if (i < args.n)
    x = __uint_as_float(g_in[i]);
  tile[tid] = x;
  for (uint s = GUIDE_BLOCK / 2; s > 0; s >>= 1) {
    __syncthreads();
    if (tid < s)
      tile[tid] += tile[tid + s];
  }
  if (tid == 0)
    g_out[blockIdx.x] = __float_as_uint(tile[0]);
}

// [native] one instruction, in any order
XB_GUIDE_ENTRY(GUIDE_BLOCK) native(const uint *__restrict__ g_in, uint *g_out, xb_guide_args args)
{
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= args.n)
    return;
  atomicAdd((float *)&g_out[0], __uint_as_float(g_in[i]));
}
