// Asynchronous copy 8: the next tile is copied to a second tile before the work with this one begins.
// Rows 9 and 10 have the asynchronous and the bulk copy, which HLSL lacks.
// Source: ours; none of the documents has it.
#include "copies.cuh"

constexpr uint ELEMENTS = ASYNCCOPY_TILE / sizeof(uint4); // HLSL has no sizeof

template <how HOW, uint BLOCK>
__device__ __forceinline__ void copy_tile(uint4 *tile, const uint4 *from, uint copies, unsigned long long *ready)
{
  const uint tid = threadIdx.x;
  if constexpr (HOW == BULK) {
    if (tid == 0)
      bulk_copy(tile, from, copies * BLOCK * sizeof(uint4), ready);
  } else {
    for (uint i = 0; i < copies; i++)
      copy<HOW>(&tile[i * BLOCK + tid], &from[i * BLOCK + tid]); // HLSL: an assignment
  }
}

template <how HOW, uint BLOCK>
__device__ __forceinline__ void tiles(const uint4 *__restrict__ g_idata, uint *g_odata, xb_asynccopy_args args)
{
  __shared__ alignas(128) uint4 tile[2 * ELEMENTS];
  __shared__ unsigned long long ready[2]; // of BULK

  const uint tid = threadIdx.x;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  if (group >= args.groups) // a folded grid has groups too many at its end
    return;
  if constexpr (HOW == BULK) {
    if (tid < 2)
      bulk_begin(&ready[tid]);
    __syncthreads();
  }

  uint h = 0;
  const uint size = args.copies * BLOCK;
  const uint first = group * ASYNCCOPY_TILES * size;
  copy_tile<HOW, BLOCK>(tile, g_idata + first, args.copies, ready);
  commit<HOW>();
  for (uint t = 0; t < ASYNCCOPY_TILES; t++) {
    // [copy] the next tile, to where the last one was
    if (t + 1 < ASYNCCOPY_TILES)
      copy_tile<HOW, BLOCK>(tile + (t + 1) % 2 * ELEMENTS, g_idata + first + (t + 1) * size, args.copies,
                            ready + (t + 1) % 2);
    commit<HOW>();
    wait<HOW, 1>();
    if constexpr (HOW == BULK)
      bulk_wait(ready + t % 2, t / 2 % 2);
    __syncthreads();

    // [work] with this tile's elements of the neighbour
    for (uint k = 0; k < args.copies; k++) {
      const uint4 e = tile[t % 2 * ELEMENTS + k * BLOCK + (tid + 1) % BLOCK];
      ASYNCCOPY_FOLD(h, e.x)
      ASYNCCOPY_FOLD(h, e.y)
      ASYNCCOPY_FOLD(h, e.z)
      ASYNCCOPY_FOLD(h, e.w)
    }
    __syncthreads(); // before another tile replaces this one
  }
  g_odata[group * BLOCK + tid] = h;
}

XB_KERNEL void asynccopy(const uint4 *__restrict__ g_idata, uint *g_odata, xb_asynccopy_args args)
{
  tiles<THROUGH_REGISTERS, BLOCK>(g_idata, g_odata, args);
}

XB_KERNEL void asynccopy_async(const uint4 *__restrict__ g_idata, uint *g_odata, xb_asynccopy_args args)
{
  tiles<ASYNC, BLOCK>(g_idata, g_odata, args);
}

XB_KERNEL void asynccopy_bulk(const uint4 *__restrict__ g_idata, uint *g_odata, xb_asynccopy_args args)
{
  tiles<BULK, BLOCK>(g_idata, g_odata, args);
}

XB_ENTRIES(asynccopy, (const uint4 *__restrict__ g_idata, uint *g_odata, xb_asynccopy_args args), (g_idata, g_odata, args))
XB_ENTRIES(asynccopy_async, (const uint4 *__restrict__ g_idata, uint *g_odata, xb_asynccopy_args args),
           (g_idata, g_odata, args))
XB_ENTRIES(asynccopy_bulk, (const uint4 *__restrict__ g_idata, uint *g_odata, xb_asynccopy_args args),
           (g_idata, g_odata, args))
