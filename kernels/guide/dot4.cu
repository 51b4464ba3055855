// Dot products of four bytes.
// Source: ours; none of the documents has it.
#include "guide.cuh"

// [unsigned]
__device__ __forceinline__ uint dot_of_bytes(uint a, uint b, uint sum)
{
  return __dp4a(a, b, sum);
}

// [signed]
__device__ __forceinline__ int dot_of_signed_bytes(uint a, uint b, int sum)
{
  return __dp4a((int)a, (int)b, sum);
}

// [dot products]
XB_GUIDE_ENTRY(GUIDE_BLOCK) dots(const uint *__restrict__ g_in, uint *g_out, xb_guide_args args)
{
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= args.n)
    return;
  const uint a = g_in[2 * i], b = g_in[2 * i + 1];
  g_out[2 * i] = dot_of_bytes(a, b, args.a);
  g_out[2 * i + 1] = (uint)dot_of_signed_bytes(a, b, (int)args.a);
}
