// Transpose 8: 16-byte vectors both ways, larger tiles, all loads of a thread in flight together, and an order of groups
// that suits the caches.
#include "transpose_args.h"
#include "entry.cuh"

static const uint VECTORS = TILE4_DIM / 4;                // of a row of the tile
static const uint MOST_ROWS = TILE4_DIM + TRANSPOSE_BACK; // that a group loads

#define VECTOR_STEP (BLOCK / VECTORS) // rows that a group loads, or stores, at once
#define VECTOR_LOADS ((MOST_ROWS + VECTOR_STEP - 1) / VECTOR_STEP)
#define STEP (BLOCK / TILE4_DIM) // the same, element by element
#define LOADS ((MOST_ROWS + STEP - 1) / STEP)

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
      const uint x = tid % VECTORS * 4;
      const uint y = tid / VECTORS;
      const uint i = args.in_offset + shift + (first_row + y) * args.in_pitch + first_column + x;
      T4 v[VECTOR_LOADS];
#pragma unroll
      for (uint k = 0; k < VECTOR_LOADS; k++) {
        const uint row = y + k * VECTOR_STEP;
        if (row < TILE4_DIM + back && first_row + row < args.rows && first_column + x < args.columns)
          v[k] = g_idata4[(i + k * VECTOR_STEP * args.in_pitch) / 4];
      }
#pragma unroll
      for (uint m = 0; m < VECTOR_LOADS; m++) {
        const uint row = y + m * VECTOR_STEP;
        if (row < TILE4_DIM + back) {
          tile[row][x] = v[m].x;
          tile[row][x + 1] = v[m].y;
          tile[row][x + 2] = v[m].z;
          tile[row][x + 3] = v[m].w;
        }
      }
    } else {
      const uint x = tid % TILE4_DIM;
      const uint y = tid / TILE4_DIM;
      const uint i = args.in_offset + shift + (first_row + y) * args.in_pitch + first_column + x;
      T e[LOADS];
#pragma unroll
      for (uint k = 0; k < LOADS; k++) {
        const uint row = y + k * STEP;
        if (row < TILE4_DIM + back && first_row + row < args.rows && first_column + x < args.columns)
          e[k] = g_idata[i + k * STEP * args.in_pitch];
      }
#pragma unroll
      for (uint m = 0; m < LOADS; m++) {
        const uint row = y + m * STEP;
        if (row < TILE4_DIM + back)
          tile[row][x] = e[m];
      }
    }
    __syncthreads();

    // [store] its columns as rows, by vectors; what sticks out at either end of a row, one by one
#pragma unroll
    for (uint n = 0; n < TILE4_DIM / VECTOR_STEP; n++) {
      const uint x = tid / VECTORS + n * VECTOR_STEP;
      const uint i = args.out_offset + (first_column + x) * args.out_pitch + tile_y * TILE4_DIM;
      const uint y = tid % VECTORS * 4 + back - (i & back); // i & back elements before the tile
      const uint row = first_row + y;
      const uint k = i + shift + y - back;
      if (first_column + x < args.columns) {
        if (row < args.rows && row + 3 < args.rows) {
          T4 v;
          v.x = tile[y][x];
          v.y = tile[y + 1][x];
          v.z = tile[y + 2][x];
          v.w = tile[y + 3][x];
          g_odata4[k / 4] = v;
        } else {
          for (uint j = 0; j < 4; j++)
            if (row + j < args.rows)
              g_odata[k + j] = tile[y + j][x];
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
