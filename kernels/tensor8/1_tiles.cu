// Tensor cores of 8 bits 1: tiles of A and B through shared memory, by ldmatrix and mma.sync. Any size: past the edges
// of A and B there are zeros. With float32 sums the elements are float8 (e4m3), with int32 sums int8.
// [element]
// Source: ours; none of the documents has it.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#include "bytes.cuh"

XB_KERNEL void tensor8(const unsigned char *A, const unsigned char *B, T *C, xb_tensor_args args)
{
  using Tiles = ByteTiles<BLOCK>;
  const uint SIDE = TENSOR_SIDE, TILE = TENSOR_TILE, DOWN = TENSOR_DOWN(BLOCK), DEPTH = TENSOR_DEPTH;
  const uint PITCH = Tiles::A_PITCH;
  __shared__ uint4 aMemory[TILE * PITCH];
  __shared__ uint4 bMemory[TILE * PITCH];
  const SharedVectors aTile(aMemory), bTile(bMemory);
  unsigned char *const a_bytes = reinterpret_cast<unsigned char *>(aMemory);
  unsigned char *const b_bytes = reinterpret_cast<unsigned char *>(bMemory);

  const uint tid = threadIdx.x, lane = tid % TENSOR_WAVE, wave = tid / TENSOR_WAVE;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  if (group >= args.tiles_x * args.tiles_y)
    return;
  const uint row = group / args.tiles_x * TILE, column = group % args.tiles_x * TILE;
  const uint wave_row = wave / 2 * (DOWN * SIDE), wave_column = wave % 2 * (TILE / 2); // in the tile

  T sums[DOWN][ACROSS][4];
  clear<DOWN>(sums);
  for (uint first = 0; first < args.k; first += DEPTH) {
    // Zeros past the edges add nothing
    const uint at = tid % DEPTH;
#pragma unroll 8
    for (uint r = tid / DEPTH; r < TILE; r += BLOCK / DEPTH) {
      const bool inside = first + at < args.k;
      a_bytes[r * (PITCH * 16) + at] = inside && row + r < args.m ? A[(row + r) * args.k + first + at] : 0;
      b_bytes[r * (PITCH * 16) + at] = inside && column + r < args.n ? B[(column + r) * args.k + first + at] : 0;
    }
    __syncthreads();

    add_tiles<DOWN, Tiles>(sums, aTile, bTile, 0, wave_row, wave_column);
    __syncthreads(); // the next turn overwrites the tiles
  }

#pragma unroll
  for (uint s = 0; s < DOWN * ACROSS * 4; s++) {
    const uint i = s / (ACROSS * 4), j = s / 4 % ACROSS, e = s % 4;
    const uint y = row + wave_row + i * SIDE + e / 2 * 8 + lane / 4;
    const uint x = column + wave_column + j * 8 + lane % 4 * 2 + e % 2;
    if (y < args.m && x < args.n)
      C[y * args.n + x] = sums[i][j][e];
  }
}

BYTES_ENTRIES(tensor8, (const unsigned char *A, const unsigned char *B, T *C, xb_tensor_args args), (A, B, C, args))
#endif
