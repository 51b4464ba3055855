// Two buffers in shared memory for tiles of A and of B: while one is summed, the next tiles are on their way to
// registers, then to the other. Lines of a tile are rows of A, and rows or columns of B, of whole vectors of 16 bytes
// with V elements. PAD elements lie behind each, so that they begin in different banks.
#include "shared.cuh"

template <uint BLOCK, uint V, bool B_BY_COLUMNS> struct TwoBuffers {
  static constexpr uint TILE = TENSOR_TILE, DEPTH = TENSOR_DEPTH, PAD = TENSOR_PAD;
  static constexpr uint B_LINES = B_BY_COLUMNS ? TILE : DEPTH;
  static constexpr uint A_ROW = DEPTH / V, B_ROW = (B_BY_COLUMNS ? DEPTH : TILE) / V; // in vectors
  static constexpr uint A_PITCH = A_ROW + PAD / V, B_PITCH = B_ROW + PAD / V, LOADS = TILE * A_ROW / BLOCK;
  static constexpr uint A_SIZE = 2 * TILE * A_PITCH, B_SIZE = 2 * B_LINES * B_PITCH;
  const uint4 *A, *B;
  SharedVectors aTile, bTile;
  uint row, column, a_pitch, b_pitch, tid;
  uint4 a_next[LOADS], b_next[LOADS];

  __device__ __forceinline__ TwoBuffers(const uint4 *A_, const uint4 *B_, uint4 *a, uint4 *b, uint row_, uint column_,
                                        const xb_tensor_args &args)
      : A(A_), B(B_), aTile(a), bTile(b), row(row_), column(column_), a_pitch(args.k / V),
        b_pitch((B_BY_COLUMNS ? args.k : args.n) / V), tid(threadIdx.x)
  {
  }

  // Where vector `v` of a line is in the tiles of a buffer.
  static __device__ __forceinline__ uint a_at(uint buffer, uint line, uint v)
  {
    return (buffer * TILE + line) * A_PITCH + v;
  }
  static __device__ __forceinline__ uint b_at(uint buffer, uint line, uint v)
  {
    return (buffer * B_LINES + line) * B_PITCH + v;
  }

  // Starts to load the tiles behind the first `first` of the inner length.
  __device__ __forceinline__ void load(uint first)
  {
#pragma unroll
    for (uint l = 0; l < LOADS; l++) {
      const uint e = l * BLOCK + tid;
      a_next[l] = A[(row + e / A_ROW) * a_pitch + first / V + e % A_ROW];
      if (B_BY_COLUMNS)
        b_next[l] = B[(column + e / B_ROW) * b_pitch + first / V + e % B_ROW];
      else
        b_next[l] = B[(first + e / B_ROW) * b_pitch + column / V + e % B_ROW];
    }
  }

  __device__ __forceinline__ void store(uint buffer) const
  {
#pragma unroll
    for (uint l = 0; l < LOADS; l++) {
      const uint e = l * BLOCK + tid;
      aTile[a_at(buffer, e / A_ROW, e % A_ROW)] = a_next[l];
      bTile[b_at(buffer, e / B_ROW, e % B_ROW)] = b_next[l];
    }
  }
};
