// Transpose 5: no bank conflicts, by padding.
// Source: Optimizing CUDA (NVIDIA 2009), matrix transpose study: bank conflict free transpose.
// As in the deck, but: bound checks, tx and ty, pitches, repetitions and their barrier as in variant 4.
#include "transpose_args.h"
#include "entry.cuh"

XB_KERNEL void transpose(const T *__restrict__ g_idata, T *g_odata, xb_transpose_args args)
{
  __shared__ T tile[TILE_DIM][TILE_DIM + 1];

  const uint tx = threadIdx.x % TILE_DIM; // the deck's threadIdx, of a group of TILE_DIM x BLOCK_ROWS
  const uint ty = threadIdx.x / TILE_DIM;
  const uint BLOCK_ROWS = BLOCK / TILE_DIM;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  const uint tile_x = group % args.tiles_x;
  const uint tile_y = group / args.tiles_x;
  if (tile_y >= args.tiles_y) // a folded grid has extra groups at its end
    return;

  const uint xIndex = tile_x * TILE_DIM + tx;
  const uint yIndex = tile_y * TILE_DIM + ty;
  const uint index_in = args.in_offset + yIndex * args.in_pitch + xIndex;
  const uint xIndex_out = tile_y * TILE_DIM + tx;
  const uint yIndex_out = tile_x * TILE_DIM + ty;
  const uint index_out = args.out_offset + yIndex_out * args.out_pitch + xIndex_out;

  for (uint r = 0; r < args.repeats; r++) {
    const uint shift = r * args.repeat_stride;

    // [load] rows of the tile, coalesced
#pragma unroll
    for (uint i = 0; i < TILE_DIM; i += BLOCK_ROWS)
      if (xIndex < args.columns && yIndex + i < args.rows)
        tile[ty + i][tx] = g_idata[index_in + shift + i * args.in_pitch];
    __syncthreads();

    // [store] the tile's columns as rows; the padding puts the words of a column into different banks
#pragma unroll
    for (uint j = 0; j < TILE_DIM; j += BLOCK_ROWS)
      if (xIndex_out < args.rows && yIndex_out + j < args.columns)
        g_odata[index_out + shift + j * args.out_pitch] = tile[tx][ty + j];
    __syncthreads(); // the next repetition overwrites the tile
  }
}

XB_ENTRIES(transpose, (const T *__restrict__ g_idata, T *g_odata, xb_transpose_args args), (g_idata, g_odata, args))
