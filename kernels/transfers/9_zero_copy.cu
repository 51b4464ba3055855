// Transfers 9: one word a thread, from memory of the host to memory of the device, or back.
// Source: NVIDIA, CUDA C++ Best Practices Guide, section 9.1.3.
#include "transfers_args.h"
#include "entry.cuh"

XB_KERNEL void transfers(const T *__restrict__ g_idata, T *g_odata, xb_transfers_args args)
{
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x, which HLSL lacks

  // [copy] each word once, neighbours by neighbours; pieces may lie apart in the output
  if (i < args.n)
    g_odata[i / args.piece * args.step + i % args.piece] = g_idata[i];
}

XB_ENTRIES(transfers, (const T *__restrict__ g_idata, T *g_odata, xb_transfers_args args), (g_idata, g_odata, args))
