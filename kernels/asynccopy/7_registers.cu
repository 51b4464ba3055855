// Asynchronous copy 7: the next tile is loaded to registers before the work with this one begins.
// Source: ours; none of the documents has it.
#include "copies.cuh"

XB_KERNEL void asynccopy(const uint4 *__restrict__ g_idata, uint *g_odata, xb_asynccopy_args args)
{
  __shared__ uint4 tile[ASYNCCOPY_TILE / sizeof(uint4)]; // HLSL has no sizeof

  const uint tid = threadIdx.x;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  if (group >= args.groups) // a folded grid has groups too many at its end
    return;

  uint4 next[ASYNCCOPY_COPIES];
  uint h = 0;
  uint first = group * ASYNCCOPY_TILES * args.copies * BLOCK + tid;

  // [load] the first tile
  UNROLL for (uint f = 0; f < ASYNCCOPY_COPIES; f++)
    if (f < args.copies)
      next[f] = g_idata[first + f * BLOCK];

  for (uint t = 0; t < ASYNCCOPY_TILES; t++) {
    // [store] this tile
    UNROLL for (uint i = 0; i < ASYNCCOPY_COPIES; i++)
      if (i < args.copies)
        tile[i * BLOCK + tid] = next[i];
    __syncthreads();

    // [load] the next tile: nothing needs it yet
    first += args.copies * BLOCK;
    UNROLL for (uint j = 0; j < ASYNCCOPY_COPIES; j++)
      if (j < args.copies && t + 1 < ASYNCCOPY_TILES)
        next[j] = g_idata[first + j * BLOCK];

    // [work] with the elements of the neighbour
    for (uint k = 0; k < args.copies; k++) {
      const uint4 e = tile[k * BLOCK + (tid + 1) % BLOCK];
      ASYNCCOPY_FOLD(h, e.x)
      ASYNCCOPY_FOLD(h, e.y)
      ASYNCCOPY_FOLD(h, e.z)
      ASYNCCOPY_FOLD(h, e.w)
    }
    __syncthreads(); // before the next tile replaces this one
  }
  g_odata[group * BLOCK + tid] = h;
}

XB_ENTRIES(asynccopy, (const uint4 *__restrict__ g_idata, uint *g_odata, xb_asynccopy_args args), (g_idata, g_odata, args))
