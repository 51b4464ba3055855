// Offset 1: 4 bytes per thread; the offset is added to the index.
// Source: NVIDIA, CUDA C++ Best Practices Guide, section 9.2.1.3: offsetCopy.
#include "offset_args.h"
#include "entry.cuh"

XB_KERNEL void offset(const T *__restrict__ g_idata, T *g_odata, xb_offset_args args)
{
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x, which HLSL lacks

  // [copy] CUDA could also add the offset to the pointers; HLSL has no pointers
  const uint at = i + args.offset;
  if (i < args.n)
    g_odata[at] = g_idata[at];
}

XB_ENTRIES(offset, (const T *__restrict__ g_idata, T *g_odata, xb_offset_args args), (g_idata, g_odata, args))
