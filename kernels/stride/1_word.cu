// Stride 1: 4 bytes per thread; the index is multiplied by the stride.
// Source: NVIDIA, CUDA C++ Best Practices Guide, section 9.2.1.4: strideCopy.
#include "stride_args.h"
#include "entry.cuh"

XB_KERNEL void stride(const T *__restrict__ g_idata, T *g_odata, xb_stride_args args)
{
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x, which HLSL lacks

  // [copy] every stride-th word; the words between are not accessed
  const uint at = i * args.stride;
  if (i < args.n)
    g_odata[at] = g_idata[at];
}

XB_ENTRIES(stride, (const T *__restrict__ g_idata, T *g_odata, xb_stride_args args), (g_idata, g_odata, args))
