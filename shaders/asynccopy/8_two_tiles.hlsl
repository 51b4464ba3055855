// Asynchronous copy 8: the next tile is copied to a second tile before the work with this one begins.
// Source: ours; none of the documents has it.
#include "asynccopy_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint4> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_odata : register(u0);
XB_ARGS(xb_asynccopy_args);

#define ELEMENTS (ASYNCCOPY_TILE / 16) // an element has 16 bytes

groupshared uint4 tile[2 * ELEMENTS];

void copy_tile(uint to, uint from, uint copies, uint tid)
{
  for (uint i = 0; i < copies; i++)
    tile[to + i * BLOCK + tid] = g_idata[from + i * BLOCK + tid];
}

[numthreads(BLOCK, 1, 1)]
void asynccopy(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tid = threadIdx.x;
  const uint group = XB_GROUP_INDEX(groupIdx, args.grid_x);
  if (group >= args.groups) // a folded grid has groups too many at its end
    return;

  uint h = 0;
  const uint size = args.copies * BLOCK;
  const uint first = group * ASYNCCOPY_TILES * size;
  copy_tile(0, first, args.copies, tid);
  for (uint t = 0; t < ASYNCCOPY_TILES; t++) {
    // [copy] the next tile, to where the last one was
    if (t + 1 < ASYNCCOPY_TILES)
      copy_tile((t + 1) % 2 * ELEMENTS, first + (t + 1) * size, args.copies, tid);
    GroupMemoryBarrierWithGroupSync();

    // [work] with this tile's elements of the neighbour
    for (uint k = 0; k < args.copies; k++) {
      const uint4 e = tile[t % 2 * ELEMENTS + k * BLOCK + (tid + 1) % BLOCK];
      ASYNCCOPY_FOLD(h, e.x)
      ASYNCCOPY_FOLD(h, e.y)
      ASYNCCOPY_FOLD(h, e.z)
      ASYNCCOPY_FOLD(h, e.w)
    }
    GroupMemoryBarrierWithGroupSync(); // before another tile replaces this one
  }
  g_odata[group * BLOCK + tid] = h;
}
