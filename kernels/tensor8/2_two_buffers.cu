// Tensor cores of 8 bits 2: rung 1 with two buffers, and loads of 16 bytes. While one buffer is summed, the next tiles
// are on their way to registers, then to the other. Whole tiles only: at other sizes rung 1 runs.
// Source: ours; none of the documents has it.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#include "bytes.cuh"

XB_KERNEL void tensor8(const uint4 *A, const uint4 *B, T *C, xb_tensor_args args)
{
  const uint SIDE = TENSOR_SIDE, TILE = TENSOR_TILE, DOWN = TENSOR_DOWN(BLOCK), DEPTH = TENSOR8_DEPTH;
  const uint STEPS = TENSOR_STEPS, V = 16, LOADS = TILE * ROW / BLOCK; // V: elements of a vector
  __shared__ uint4 aMemory[2 * TILE * PITCH];
  __shared__ uint4 bMemory[2 * TILE * PITCH];
  const SharedVectors aTile(aMemory), bTile(bMemory);

  const uint tid = threadIdx.x, wave = tid / TENSOR_WAVE;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  if (group >= args.tiles_x * args.tiles_y)
    return;
  const uint row = group / args.tiles_x * TILE, column = group % args.tiles_x * TILE;
  const uint wave_row = wave / 2 * (DOWN * SIDE), wave_column = wave % 2 * (TILE / 2); // in the tile
  const uint pitch = args.k / V, v = tid % ROW, r = tid / ROW;                         // of the first loads

  uint4 a_next[LOADS], b_next[LOADS];
  T sums[DOWN][ACROSS][4];
#pragma unroll
  for (uint z = 0; z < DOWN * ACROSS * 4; z++)
    sums[z / (ACROSS * 4)][z / 4 % ACROSS][z % 4] = 0;

    // [first] the first tiles
#pragma unroll
  for (uint f = 0; f < LOADS; f++) {
    const uint y = r + f * (BLOCK / ROW);
    aTile[y * PITCH + v] = A[(row + y) * pitch + v];
    bTile[y * PITCH + v] = B[(column + y) * pitch + v];
  }
  __syncthreads();
  for (uint first = 0; first < args.k; first += STEPS * DEPTH) {
#pragma unroll
    for (uint step = 0; step < STEPS; step++) {
      const uint buffer = step % 2; // known when it is compiled

      // [load] the next tiles into registers; behind the last one, this once more
      const uint next = min(first + (step + 1) * DEPTH, args.k - DEPTH) / V + v;
#pragma unroll
      for (uint l = 0; l < LOADS; l++) {
        const uint y = r + l * (BLOCK / ROW);
        a_next[l] = A[(row + y) * pitch + next];
        b_next[l] = B[(column + y) * pitch + next];
      }

      // [sum]
      add_tiles<DOWN>(sums, aTile, (buffer * TILE + wave_row) * PITCH, bTile, (buffer * TILE + wave_column) * PITCH);

      // [store] them into the other buffer
#pragma unroll
      for (uint p = 0; p < LOADS; p++) {
        const uint y = (1 - buffer) * TILE + r + p * (BLOCK / ROW);
        aTile[y * PITCH + v] = a_next[p];
        bTile[y * PITCH + v] = b_next[p];
      }
      __syncthreads();
    }
  }

  // [write]
  write_sums<DOWN, ACROSS>(C, sums, row + wave_row, column + wave_column, args.n);
}

BYTES_ENTRIES(tensor8, (const uint4 *A, const uint4 *B, T *C, xb_tensor_args args), (A, B, C, args))
#endif
