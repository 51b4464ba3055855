// Asynchronous copy 5: elements of 16 bytes, copied to a tile in shared memory.
// Source: NVIDIA, CUDA C++ Best Practices Guide, section 9.2.3.4.
#include "asynccopy_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint4> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_odata : register(u0);
XB_ARGS(xb_asynccopy_args);

groupshared uint4 tile[ASYNCCOPY_TILE / 16]; // an element has 16 bytes

[numthreads(BLOCK, 1, 1)]
void asynccopy(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tid = threadIdx.x;
  const uint group = XB_GROUP_INDEX(groupIdx, args.grid_x);
  if (group >= args.groups) // a folded grid has groups too many at its end
    return;

  uint h = 0;
  for (uint t = 0; t < ASYNCCOPY_TILES; t++) {
    // [copy] each thread copies elements of the tile
    const uint first = (group * ASYNCCOPY_TILES + t) * args.copies * BLOCK + tid;
    for (uint i = 0; i < args.copies; i++)
      tile[i * BLOCK + tid] = g_idata[first + i * BLOCK];
    GroupMemoryBarrierWithGroupSync();

    // [work] with those of the neighbour
    for (uint k = 0; k < args.copies; k++) {
      const uint4 e = tile[k * BLOCK + (tid + 1) % BLOCK];
      ASYNCCOPY_FOLD(h, e.x)
      ASYNCCOPY_FOLD(h, e.y)
      ASYNCCOPY_FOLD(h, e.z)
      ASYNCCOPY_FOLD(h, e.w)
    }
    GroupMemoryBarrierWithGroupSync(); // before the next tile replaces this one
  }
  g_odata[group * BLOCK + tid] = h;
}
