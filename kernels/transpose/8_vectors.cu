// Transpose 8: 16-byte vectors both ways, larger tiles, and an order of groups that suits the caches.
#include "transpose_args.h"
#include "entry.cuh"

XB_KERNEL void transpose(const T4 *__restrict__ g_idata4, const T *__restrict__ g_idata, T4 *g_odata4, T *g_odata,
                         xb_transpose_args args)
{
  __shared__ T tile[TILE4_DIM][TILE4_DIM + 1];

  const uint tid = threadIdx.x;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks

  // [order] groups that run at the same time lie below each other: what they write continues each other's rows
  const uint tile_x = group / args.tiles_y;
  const uint tile_y = group % args.tiles_y;
  if (tile_x >= args.tiles_x) // a folded grid has groups too many at its end
    return;

  // The tile's corner, and what of the tile lies in the matrix.
  const uint corner_in = args.in_offset + tile_y * TILE4_DIM * args.in_pitch + tile_x * TILE4_DIM;
  const uint corner_out = args.out_offset + tile_x * TILE4_DIM * args.out_pitch + tile_y * TILE4_DIM;
  const uint rows = args.rows - tile_y * TILE4_DIM;
  const uint columns = args.columns - tile_x * TILE4_DIM;

  // Vectors where each row begins at one and is made of whole ones; the same for all groups.
  const bool in_vectors = (args.in_offset | args.in_pitch | args.columns) % 4 == 0;
  const bool out_vectors = (args.out_offset | args.out_pitch | args.rows) % 4 == 0;
  const uint VECTORS = TILE4_DIM / 4; // of a row of the tile

  for (uint r = 0; r < args.repeats; r++) {
    const uint shift = r * args.repeat_stride;

    // [load] rows of the tile
    if (in_vectors) {
#pragma unroll
      for (uint k = 0; k < TILE4_DIM * VECTORS; k += BLOCK) {
        const uint i = k + tid;
        const uint y = i / VECTORS, x = i % VECTORS * 4;
        if (y < rows && x < columns) {
          const T4 v = g_idata4[(corner_in + shift + y * args.in_pitch + x) / 4];
          tile[y][x] = v.x;
          tile[y][x + 1] = v.y;
          tile[y][x + 2] = v.z;
          tile[y][x + 3] = v.w;
        }
      }
    } else {
#pragma unroll
      for (uint k = 0; k < TILE4_DIM * TILE4_DIM; k += BLOCK) {
        const uint i = k + tid;
        const uint y = i / TILE4_DIM, x = i % TILE4_DIM;
        if (y < rows && x < columns)
          tile[y][x] = g_idata[corner_in + shift + y * args.in_pitch + x];
      }
    }
    __syncthreads();

    // [store] its columns as rows
    if (out_vectors) {
#pragma unroll
      for (uint k = 0; k < TILE4_DIM * VECTORS; k += BLOCK) {
        const uint i = k + tid;
        const uint x = i / VECTORS, y = i % VECTORS * 4;
        if (y < rows && x < columns) {
          T4 v;
          v.x = tile[y][x];
          v.y = tile[y + 1][x];
          v.z = tile[y + 2][x];
          v.w = tile[y + 3][x];
          g_odata4[(corner_out + shift + x * args.out_pitch + y) / 4] = v;
        }
      }
    } else {
#pragma unroll
      for (uint k = 0; k < TILE4_DIM * TILE4_DIM; k += BLOCK) {
        const uint i = k + tid;
        const uint x = i / TILE4_DIM, y = i % TILE4_DIM;
        if (y < rows && x < columns)
          g_odata[corner_out + shift + x * args.out_pitch + y] = tile[y][x];
      }
    }
    __syncthreads(); // the next repetition writes the tile anew
  }
}

XB_ENTRIES(transpose,
           (const T4 *__restrict__ g_idata4, const T *__restrict__ g_idata, T4 *g_odata4, T *g_odata,
            xb_transpose_args args),
           (g_idata4, g_idata, g_odata4, g_odata, args))
