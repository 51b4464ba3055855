// Rung 9, and rung 2 of tensor8: the tiles of two buffers, multiplied by add_tiles of the element type.
template <typename Tiles, uint BLOCK, typename Sum>
__device__ __forceinline__ void multiply_tiles(const uint4 *A, const uint4 *B, Sum *C, const xb_tensor_args &args)
{
  const uint TILE = TENSOR_TILE, DOWN = TENSOR_DOWN(BLOCK), DEPTH = TENSOR_DEPTH, STEPS = TENSOR_STEPS;
  __shared__ uint4 aMemory[Tiles::A_SIZE];
  __shared__ uint4 bMemory[Tiles::B_SIZE];

  const uint wave = threadIdx.x / TENSOR_WAVE;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  if (group >= args.tiles_x * args.tiles_y)
    return;
  const uint row = group / args.tiles_x * TILE, column = group % args.tiles_x * TILE;
  const uint wave_row = wave / 2 * (DOWN * TENSOR_SIDE), wave_column = wave % 2 * (TILE / 2); // in the tile
  Tiles tiles(A, B, aMemory, bMemory, row, column, args);

  Sum sums[DOWN][ACROSS][4];
  clear<DOWN>(sums);
  tiles.load(0);
  tiles.store(0);
  __syncthreads();
  for (uint first = 0; first < args.k; first += STEPS * DEPTH) {
#pragma unroll
    for (uint step = 0; step < STEPS; step++) {
      const uint buffer = step % 2;                                // known when it is compiled
      tiles.load(min(first + (step + 1) * DEPTH, args.k - DEPTH)); // behind the last tiles, these once more
      add_tiles<DOWN, Tiles>(sums, tiles.aTile, tiles.bTile, buffer, wave_row, wave_column);
      tiles.store(1 - buffer);
      __syncthreads();
    }
  }
  write_sums<DOWN>(C, sums, row + wave_row, column + wave_column, args.n);
}
