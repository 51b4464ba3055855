// Transpose 8: 16-byte vectors both ways, larger tiles, all loads of a thread in flight together, and an order of groups
// that suits the caches.
#include "transpose_args.h"
#include "entry.cuh"

static const uint VECTORS = TILE4_DIM / 4;                // of a row of the tile
static const uint MOST_ROWS = TILE4_DIM + TRANSPOSE_BACK; // that a group loads

XB_KERNEL void transpose(const T4 *__restrict__ g_idata4, const T *__restrict__ g_idata, T4 *g_odata4, T *g_odata,
                         xb_transpose_args args)
{
  __shared__ T tile[MOST_ROWS][TILE4_DIM + 1];

  const uint tid = threadIdx.x;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks

  // [order] groups that run at the same time lie below each other: what they write makes whole rows
  const uint tile_x = group / args.tiles_y;
  const uint tile_y = group % args.tiles_y;
  if (tile_x >= args.tiles_x) // a folded grid has groups too many at its end
    return;

  // [shift] where rows of the output do not begin at vectors, each is stored from `back` elements before the tile at
  // most, so that its vectors lie at multiples of 32 bytes all the same; so many more rows are loaded. Rows above the
  // first one wrap around, and are then not below args.rows.
  const uint back = args.back;
  const uint first_row = tile_y * TILE4_DIM - back;
  const uint first_column = tile_x * TILE4_DIM;

  for (uint r = 0; r < args.repeats; r++) {
    const uint shift = r * args.repeat_stride;

    // [load] rows of the tile; by vectors where each row begins at one and is made of whole ones
    if (args.in_vectors) {
      T4 v[(MOST_ROWS * VECTORS + BLOCK - 1) / BLOCK];
#pragma unroll
      for (uint k = 0; k < (MOST_ROWS * VECTORS + BLOCK - 1) / BLOCK; k++) {
        const uint y = (k * BLOCK + tid) / VECTORS;
        const uint x = (k * BLOCK + tid) % VECTORS * 4;
        if (y < TILE4_DIM + back && first_row + y < args.rows && first_column + x < args.columns)
          v[k] = g_idata4[(args.in_offset + shift + (first_row + y) * args.in_pitch + first_column + x) / 4];
      }
#pragma unroll
      for (uint m = 0; m < (MOST_ROWS * VECTORS + BLOCK - 1) / BLOCK; m++) {
        const uint y = (m * BLOCK + tid) / VECTORS;
        const uint x = (m * BLOCK + tid) % VECTORS * 4;
        if (y < TILE4_DIM + back) {
          tile[y][x] = v[m].x;
          tile[y][x + 1] = v[m].y;
          tile[y][x + 2] = v[m].z;
          tile[y][x + 3] = v[m].w;
        }
      }
    } else {
      T e[(MOST_ROWS * TILE4_DIM + BLOCK - 1) / BLOCK];
#pragma unroll
      for (uint k = 0; k < (MOST_ROWS * TILE4_DIM + BLOCK - 1) / BLOCK; k++) {
        const uint y = (k * BLOCK + tid) / TILE4_DIM;
        const uint x = (k * BLOCK + tid) % TILE4_DIM;
        if (y < TILE4_DIM + back && first_row + y < args.rows && first_column + x < args.columns)
          e[k] = g_idata[args.in_offset + shift + (first_row + y) * args.in_pitch + first_column + x];
      }
#pragma unroll
      for (uint m = 0; m < (MOST_ROWS * TILE4_DIM + BLOCK - 1) / BLOCK; m++) {
        const uint y = (m * BLOCK + tid) / TILE4_DIM;
        const uint x = (m * BLOCK + tid) % TILE4_DIM;
        if (y < TILE4_DIM + back)
          tile[y][x] = e[m];
      }
    }
    __syncthreads();

    // [store] its columns as rows, by vectors; what sticks out at either end of a row, one by one
#pragma unroll
    for (uint n = 0; n < TILE4_DIM * VECTORS / BLOCK; n++) {
      const uint x = (n * BLOCK + tid) / VECTORS;
      const uint first = args.out_offset + (first_column + x) * args.out_pitch + tile_y * TILE4_DIM;
      const uint y = (n * BLOCK + tid) % VECTORS * 4 + back - (first & back);
      const uint row = first_row + y;
      const uint i = first - tile_y * TILE4_DIM + row + shift;
      if (first_column + x < args.columns) {
        if (row < args.rows && row + 3 < args.rows) {
          T4 v;
          v.x = tile[y][x];
          v.y = tile[y + 1][x];
          v.z = tile[y + 2][x];
          v.w = tile[y + 3][x];
          g_odata4[i / 4] = v;
        } else {
          for (uint j = 0; j < 4; j++)
            if (row + j < args.rows)
              g_odata[i + j] = tile[y + j][x];
        }
      }
    }
    __syncthreads(); // the next repetition writes the tile anew
  }
}

XB_ENTRIES(transpose,
           (const T4 *__restrict__ g_idata4, const T *__restrict__ g_idata, T4 *g_odata4, T *g_odata,
            xb_transpose_args args),
           (g_idata4, g_idata, g_odata4, g_odata, args))
