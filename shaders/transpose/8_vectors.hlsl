// Transpose 8: loads and stores of 16-byte vectors, larger tiles, all loads of a thread in flight together, and an
// order of the groups that suits the caches.
// Source: ours; none of the documents has it.
#include "transpose_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<T4> g_idata4 : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<T> g_idata : register(t1);
[[vk::binding(2, 0)]] RWStructuredBuffer<T4> g_odata4 : register(u0);
[[vk::binding(3, 0)]] RWStructuredBuffer<T> g_odata : register(u1);
XB_ARGS(xb_transpose_args);

static const uint VECTORS = TILE4_DIM / 4;                // per row of the tile
static const uint MOST_ROWS = TILE4_DIM + TRANSPOSE_BACK; // the most rows that a group loads

#define VECTOR_STEP (BLOCK / VECTORS) // rows that a group moves per step, by vectors
#define VECTOR_LOADS (TILE4_DIM / VECTOR_STEP)
#define STEP (BLOCK / TILE4_DIM) // rows per step, element by element
#define LOADS ((MOST_ROWS + STEP - 1) / STEP)

groupshared T tile[MOST_ROWS][TILE4_DIM + 1];

[numthreads(BLOCK, 1, 1)]
void transpose(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint group = XB_GROUP_INDEX(groupIdx, args.grid_x);

  // [order] groups that run at the same time are below each other, so that together they write whole rows
  const uint tile_x = group / args.tiles_y;
  const uint tile_y = group - tile_x * args.tiles_y;
  if (tile_x >= args.tiles_x) // a folded grid has extra groups at its end
    return;

  // [shift] where rows of the output are not aligned to vectors, a group stores each row from up to `back` elements
  // before its tile, so that the vectors are still at multiples of 32 bytes. It loads as many more rows. The index of a
  // row above the first one wraps around, so it is not below args.rows.
  const uint first_row = tile_y * TILE4_DIM - args.back;
  const uint first_column = tile_x * TILE4_DIM;

  for (uint r = 0; r < args.repeats; r++) {
    const uint tid = threadIdx.x + r * args.repeat_stride; // all indices depend on r, so none stays in a register

    // [load] rows of the tile; elements outside the matrix stay undefined and are not stored
    if (args.vectors) {
      const uint x = tid % VECTORS * 4;
      const uint y = tid / VECTORS;
      const uint i = args.in_offset + (first_row + y) * args.in_pitch + first_column + x;
      T4 v[VECTOR_LOADS];
      [unroll]
      for (uint k = 0; k < VECTOR_LOADS; k++)
        if (first_row + y + k * VECTOR_STEP < args.rows && first_column + x < args.columns)
          v[k] = g_idata4[(i + k * VECTOR_STEP * args.in_pitch) / 4];
      [unroll]
      for (uint m = 0; m < VECTOR_LOADS; m++) {
        tile[y + m * VECTOR_STEP][x] = v[m].x;
        tile[y + m * VECTOR_STEP][x + 1] = v[m].y;
        tile[y + m * VECTOR_STEP][x + 2] = v[m].z;
        tile[y + m * VECTOR_STEP][x + 3] = v[m].w;
      }
    } else {
      const uint x = tid % TILE4_DIM;
      const uint y = tid / TILE4_DIM;
      const uint i = args.in_offset + (first_row + y) * args.in_pitch + first_column + x;
      T e[LOADS];
      [unroll]
      for (uint k = 0; k < LOADS; k++)
        if (first_row + y + k * STEP < args.rows && first_column + x < args.columns)
          e[k] = g_idata[i + k * STEP * args.in_pitch];
      [unroll]
      for (uint m = 0; m < LOADS; m++)
        if (y + m * STEP < MOST_ROWS)
          tile[y + m * STEP][x] = e[m];
    }
    GroupMemoryBarrierWithGroupSync();

    // [store] the tile's columns as rows, by vectors; elements at the ends of a row that fill no vector, one by one
    [unroll]
    for (uint n = 0; n < VECTOR_LOADS; n++) {
      const uint x = tid / VECTORS + n * VECTOR_STEP;
      const uint begin = args.out_offset + (first_column + x) * args.out_pitch + tile_y * TILE4_DIM;
      const uint y = tid % VECTORS * 4 + args.back - (begin & args.back);
      const uint row = first_row + y;
      const uint i = begin + y - args.back;
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
    GroupMemoryBarrierWithGroupSync(); // the next repetition overwrites the tile
  }
}
