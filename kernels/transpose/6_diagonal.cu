// Transpose 6: diagonal order of the groups.
// Source: Optimizing CUDA (NVIDIA 2009), matrix transpose study: diagonal transpose, partition camping.
// As in the deck, but: bound checks, tx and ty, pitches, repetitions and their barrier as in variant 4. Where the slide
// for matrices that are not square says blockDim, it means blockIdx.
#include "transpose_args.h"
#include "entry.cuh"

XB_KERNEL void transpose(const T *__restrict__ g_idata, T *g_odata, xb_transpose_args args)
{
  __shared__ T tile[TILE_DIM][TILE_DIM + 1];

  const uint tx = threadIdx.x % TILE_DIM; // the deck's threadIdx, of a group of TILE_DIM x BLOCK_ROWS
  const uint ty = threadIdx.x / TILE_DIM;
  const uint BLOCK_ROWS = BLOCK / TILE_DIM;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  if (group >= args.tiles_x * args.tiles_y) // a folded grid has extra groups at its end
    return;

  // [order] groups that run at the same time are on a diagonal, so that they do not access the same memory partitions,
  // by rows or by columns. The deck has one mapping for square matrices and one for all matrices.
  uint tile_x, tile_y;
  if (args.tiles_x == args.tiles_y) {
    tile_y = group % args.tiles_x;
    tile_x = (group / args.tiles_x + tile_y) % args.tiles_x;
  } else {
    tile_y = group % args.tiles_y;
    tile_x = (group / args.tiles_y + tile_y) % args.tiles_x;
  }

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

    // [store] the tile's columns as rows, from different banks
#pragma unroll
    for (uint j = 0; j < TILE_DIM; j += BLOCK_ROWS)
      if (xIndex_out < args.rows && yIndex_out + j < args.columns)
        g_odata[index_out + shift + j * args.out_pitch] = tile[tx][ty + j];
    __syncthreads(); // the next repetition overwrites the tile
  }
}

XB_ENTRIES(transpose, (const T *__restrict__ g_idata, T *g_odata, xb_transpose_args args), (g_idata, g_odata, args))
