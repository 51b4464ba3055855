// Group shared memory: 48 KiB at most are static; beyond that the size is an argument of the launch, asked for before.
#include "guide.cuh"

// [tile] every word is written by one thread and read by another.
__device__ __forceinline__ void use_tile(uint words, uint *tile, uint thread, uint *g_out, const xb_guide_args &args)
{
  for (uint w = thread; w < words; w += GUIDE_BLOCK)
    tile[w] = w * 2654435761u + args.a;
  __syncthreads();
  uint sum = 0;
  for (uint r = thread; r < words; r += GUIDE_BLOCK)
    sum = sum * 31 + tile[words - 1 - r];
  g_out[thread] = sum;
}

// [k16] what Vulkan promises
XB_GUIDE_ENTRY(GUIDE_BLOCK) k16(const uint *, uint *g_out, xb_guide_args args)
{
  __shared__ uint tile16[16 * 256];
  use_tile(16 * 256, tile16, threadIdx.x, g_out, args);
}

// [k32] what Direct3D 12 takes at most
XB_GUIDE_ENTRY(GUIDE_BLOCK) k32(const uint *, uint *g_out, xb_guide_args args)
{
  __shared__ uint tile32[32 * 256];
  use_tile(32 * 256, tile32, threadIdx.x, g_out, args);
}

// [k48] what CUDA gives without asking
XB_GUIDE_ENTRY(GUIDE_BLOCK) k48(const uint *, uint *g_out, xb_guide_args args)
{
  __shared__ uint tile48[48 * 256];
  use_tile(48 * 256, tile48, threadIdx.x, g_out, args);
}

// [dynamic] sized by the launch
XB_GUIDE_ENTRY(GUIDE_BLOCK) dynamic(const uint *, uint *g_out, xb_guide_args args)
{
  extern __shared__ uint tile[];
  use_tile(args.n, tile, threadIdx.x, g_out, args);
}
