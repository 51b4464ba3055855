// The device makes a list, then a fixed number of groups loops over it: CUDA has no indirect launch on a stream.
// Source: ours; none of the documents has it.
#include "guide.cuh"

static const uint ELEMENTS = 3, FIRST = 4;

// [choose] the numbers that args.a divides, in any order
XB_GUIDE_ENTRY(GUIDE_BLOCK) choose(const uint *__restrict__ g_in, uint *g_out, uint *g_list, xb_guide_args args)
{
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0)
    g_list[1] = g_list[2] = 1;
  if (i < args.n)
    g_out[i] = 0;
  if (i < args.n && g_in[i] % args.a == 0) {
    const uint slot = atomicAdd(&g_list[ELEMENTS], 1u);
    g_list[FIRST + slot] = i;
    atomicMax(&g_list[0], slot / GUIDE_BLOCK + 1);
  }
}

// [process] each thread takes every gridDim.x * blockDim.x-th element of the list
XB_GUIDE_ENTRY(GUIDE_BLOCK) process(const uint *__restrict__ g_in, uint *g_out, const uint *g_chosen, xb_guide_args args)
{
  for (uint slot = blockIdx.x * blockDim.x + threadIdx.x; slot < g_chosen[ELEMENTS]; slot += gridDim.x * blockDim.x) {
    const uint i = g_chosen[FIRST + slot];
    g_out[i] = g_in[i] / args.a + 1;
  }
  if (threadIdx.x == 0)
    atomicAdd(&g_out[args.n], 1u);
}
