// Group shared memory: at most 48 KiB are static. More is an argument of the launch, and has to be enabled first.
// Source: ours; none of the documents has it.
#include "guide.cuh"

// [tile] one thread writes a word, another one reads it
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

// [k16] the size that Vulkan guarantees
XB_GUIDE_ENTRY(GUIDE_BLOCK) k16(const uint *, uint *g_out, xb_guide_args args)
{
  __shared__ uint tile16[16 * 256];
  use_tile(16 * 256, tile16, threadIdx.x, g_out, args);
}

// [k32] the most that Direct3D 12 allows
XB_GUIDE_ENTRY(GUIDE_BLOCK) k32(const uint *, uint *g_out, xb_guide_args args)
{
  __shared__ uint tile32[32 * 256];
  use_tile(32 * 256, tile32, threadIdx.x, g_out, args);
}

// [k48] the most that CUDA allows by default
XB_GUIDE_ENTRY(GUIDE_BLOCK) k48(const uint *, uint *g_out, xb_guide_args args)
{
  __shared__ uint tile48[48 * 256];
  use_tile(48 * 256, tile48, threadIdx.x, g_out, args);
}

// [dynamic] the launch sets the size
XB_GUIDE_ENTRY(GUIDE_BLOCK) dynamic(const uint *, uint *g_out, xb_guide_args args)
{
  extern __shared__ uint tile[];
  use_tile(args.n, tile, threadIdx.x, g_out, args);
}
