// Asynchronous copy 5: elements of 16 bytes, copied to a tile in shared memory. Row 6 has the asynchronous copy, which HLSL lacks.
// Source: NVIDIA, CUDA C++ Best Practices Guide, section 9.2.3.4.
#include "copies.cuh"

template <how HOW, uint BLOCK>
__device__ __forceinline__ void tiles(const uint4 *__restrict__ g_idata, uint *g_odata, xb_asynccopy_args args)
{
  __shared__ uint4 tile[ASYNCCOPY_TILE / sizeof(uint4)]; // HLSL has no sizeof

  const uint tid = threadIdx.x;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  if (group >= args.groups) // a folded grid has groups too many at its end
    return;

  uint h = 0;
  for (uint t = 0; t < ASYNCCOPY_TILES; t++) {
    // [copy] each thread copies elements of the tile
    const uint first = (group * ASYNCCOPY_TILES + t) * args.copies * BLOCK + tid;
    for (uint i = 0; i < args.copies; i++)
      copy<HOW>(&tile[i * BLOCK + tid], &g_idata[first + i * BLOCK]); // HLSL: an assignment
    commit<HOW>();
    wait<HOW, 0>();
    __syncthreads();

    // [work] with those of the neighbour
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

XB_KERNEL void asynccopy(const uint4 *__restrict__ g_idata, uint *g_odata, xb_asynccopy_args args)
{
  tiles<THROUGH_REGISTERS, BLOCK>(g_idata, g_odata, args);
}

XB_KERNEL void asynccopy_async(const uint4 *__restrict__ g_idata, uint *g_odata, xb_asynccopy_args args)
{
  tiles<ASYNC, BLOCK>(g_idata, g_odata, args);
}

XB_ENTRIES(asynccopy, (const uint4 *__restrict__ g_idata, uint *g_odata, xb_asynccopy_args args), (g_idata, g_odata, args))
XB_ENTRIES(asynccopy_async, (const uint4 *__restrict__ g_idata, uint *g_odata, xb_asynccopy_args args),
           (g_idata, g_odata, args))
