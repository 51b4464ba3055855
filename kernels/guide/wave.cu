// One sum inside each warp, one slot per warp: for any warp size, and in the form that assumes 32.
// Source: ours; none of the documents has it.
#include "guide.cuh"

__device__ __forceinline__ uint warp_sum(uint sum)
{
  for (uint s = warpSize / 2; s > 0; s >>= 1)
    sum += __shfl_down_sync(0xffffffffu, sum, s);
  return sum; // lane 0 has it; WaveActiveSum gives it to all
}

// [any size] warpSize, not 32
XB_GUIDE_ENTRY(GUIDE_WAVE_BLOCK) any_size(const uint *__restrict__ g_in, uint *g_out, xb_guide_args args)
{
  __shared__ uint sdata[GUIDE_WAVE_BLOCK];
  __shared__ uint waves, widest;
  const uint tid = threadIdx.x;
  if (tid == 0)
    waves = widest = 0;
  __syncthreads();

  // tid / warpSize is the warp's index; here each warp allocates a slot as in HLSL
  const uint sum = warp_sum(tid < args.n ? g_in[tid] : 0);
  if (tid % warpSize == 0) {
    const uint slot = atomicAdd(&waves, 1u);
    sdata[slot] = sum;
  }
  atomicMax(&widest, __popc(__activemask()));
  __syncthreads();
  if (tid == 0) {
    uint total = 0;
    for (uint w = 0; w < waves; w++)
      total += sdata[w];
    g_out[0] = total;
    g_out[1] = warpSize;
    g_out[2] = waves;
    g_out[3] = widest;
  }
}

// [assumes 32] correct: a warp has 32 threads on every GPU that CUDA supports. The port is wrong
XB_GUIDE_ENTRY(GUIDE_WAVE_BLOCK) assumes_32(const uint *__restrict__ g_in, uint *g_out, xb_guide_args args)
{
  __shared__ uint sdata[GUIDE_WAVE_BLOCK / 32];
  const uint tid = threadIdx.x;
  const uint sum = warp_sum(tid < args.n ? g_in[tid] : 0);
  if (tid % 32 == 0)
    sdata[tid / 32] = sum;
  __syncthreads();
  if (tid == 0) {
    uint total = 0;
    for (uint w = 0; w < GUIDE_WAVE_BLOCK / 32; w++)
      total += sdata[w];
    g_out[0] = total;
    g_out[1] = warpSize;
    g_out[2] = GUIDE_WAVE_BLOCK / 32;
  }
}
