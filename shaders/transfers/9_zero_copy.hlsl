// Transfers 9: one word a thread, from memory of the host to memory of the device, or back.
// Source: NVIDIA, CUDA C++ Best Practices Guide, section 9.1.3.
#include "transfers_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<T> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<T> g_odata : register(u0);
XB_ARGS(xb_transfers_args);

[numthreads(BLOCK, 1, 1)]
void transfers(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint i = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + threadIdx.x;

  // [copy] each word once, neighbours by neighbours; pieces may lie apart in the output
  if (i < args.n)
    g_odata[i / args.piece * args.step + i % args.piece] = g_idata[i];
}
