// Break-even 1: C = A + B, one element a thread.
// Source: NVIDIA, CUDA C++ Best Practices Guide, section 2.2.
#include "breakeven_args.h"
#include "entry.cuh"

XB_KERNEL void breakeven(const T *__restrict__ A, const T *__restrict__ B, T *C, xb_breakeven_args args)
{
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x, which HLSL lacks

  // [add]
  if (i < args.n)
    C[i] = A[i] + B[i];
}

XB_ENTRIES(breakeven, (const T *__restrict__ A, const T *__restrict__ B, T *C, xb_breakeven_args args), (A, B, C, args))
