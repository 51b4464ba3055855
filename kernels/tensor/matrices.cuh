// Words of PTX for tensor cores, for rungs 9 to 12: wmma leaves to the compiler how fragments are loaded and which
// instruction multiplies them, these do not. Where there is no PTX (the CPU emulation), shuffles do the same.
#include <cuda_fp16.h>
#include "two_buffers.cuh"

// A fragment of A is 16 x 16 (four registers of two elements), of B 16 x 8 (two), of the sums 16 x 8 (four floats).
// Lane t has, of A and of the sums, rows t / 4 and t / 4 + 8; of B and of the sums, columns of t / 4 and t % 4 * 2.
#if defined(__CUDA_ARCH__) && !defined(XB_CPU_ENTRY)
#if defined(TENSOR_BFLOAT16)
#define MMA_TYPES "f32.bf16.bf16.f32"
#else
#define MMA_TYPES "f32.f16.f16.f32"
#endif

// Four matrices of 8 x 8 elements. Lane i names row i % 8 of matrix i / 8: it lies at tile[at].
__device__ __forceinline__ void load_matrices(uint m[4], const SharedVectors &tile, uint at)
{
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(m[0]), "=r"(m[1]), "=r"(m[2]), "=r"(m[3])
               : "r"(tile.address + at * 16)
               : "memory");
}

// The same, each of them transposed.
__device__ __forceinline__ void load_transposed(uint m[4], const SharedVectors &tile, uint at)
{
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(m[0]), "=r"(m[1]), "=r"(m[2]), "=r"(m[3])
               : "r"(tile.address + at * 16)
               : "memory");
}

// sums += a b
__device__ __forceinline__ void multiply_add(float sums[4], const uint a[4], const uint *b)
{
  asm volatile("mma.sync.aligned.m16n8k16.row.col." MMA_TYPES
               " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// Copies 16 bytes to shared memory, past the registers; it has arrived when `wait_for_copies` says so.
__device__ __forceinline__ void start_copy(uint4 *to, const uint4 *from)
{
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"(shared_address(to)), "l"(from) : "memory");
}

// Ends a group of copies.
__device__ __forceinline__ void end_group()
{
  asm volatile("cp.async.commit_group;" : : : "memory");
}

// Waits until at most `PENDING` of the thread's groups are on their way.
template <uint PENDING> __device__ __forceinline__ void wait_for_copies()
{
  asm volatile("cp.async.wait_group %0;" : : "n"(PENDING) : "memory");
}
#else
#if defined(TENSOR_BFLOAT16)
#define ELEMENT_AS_FLOAT(bits) __uint_as_float(static_cast<uint>(bits) << 16)
#else
#define ELEMENT_AS_FLOAT(bits) __half2float(__ushort_as_half(static_cast<unsigned short>(bits)))
#endif

__device__ inline void load_matrices(uint m[4], const SharedVectors &tile, uint at)
{
  const uint lane = threadIdx.x % 32;
  for (uint i = 0; i < 4; i++)
    m[i] = reinterpret_cast<const uint *>(&tile[__shfl_sync(0xFFFFFFFFu, at, 8 * i + lane / 4)])[lane % 4];
}

__device__ inline void load_transposed(uint m[4], const SharedVectors &tile, uint at)
{
  const uint lane = threadIdx.x % 32, row = lane % 4 * 2;
  for (uint i = 0; i < 4; i++) {
    const uint even = __shfl_sync(0xFFFFFFFFu, at, 8 * i + row), odd = __shfl_sync(0xFFFFFFFFu, at, 8 * i + row + 1);
    m[i] = reinterpret_cast<const unsigned short *>(&tile[even])[lane / 4] |
           static_cast<uint>(reinterpret_cast<const unsigned short *>(&tile[odd])[lane / 4]) << 16;
  }
}

// sums += a b, by `add(sum, a, b)`, which adds the products of what a register has of the inner length.
template <typename Sum, typename Add>
__device__ inline void multiply_registers(Sum sums[4], const uint a[4], const uint *b, const Add &add)
{
  const uint lane = threadIdx.x % 32, column = lane % 4 * 2;
  for (uint k = 0; k < 8; k++) {
    const uint of_a = lane / 4 * 4 + k % 4;
    const uint rows[2] = {__shfl_sync(0xFFFFFFFFu, a[k / 4 * 2], of_a),
                          __shfl_sync(0xFFFFFFFFu, a[k / 4 * 2 + 1], of_a)};
    const uint columns[2] = {__shfl_sync(0xFFFFFFFFu, b[k / 4], column * 4 + k % 4),
                             __shfl_sync(0xFFFFFFFFu, b[k / 4], (column + 1) * 4 + k % 4)};
    for (uint i = 0; i < 4; i++)
      add(sums[i], rows[i / 2], columns[i % 2]);
  }
}

__device__ inline void multiply_add(float sums[4], const uint a[4], const uint *b)
{
  multiply_registers(sums, a, b, [](float &sum, uint x, uint y) {
    sum += ELEMENT_AS_FLOAT(x & 0xFFFF) * ELEMENT_AS_FLOAT(y & 0xFFFF) +
           ELEMENT_AS_FLOAT(x >> 16) * ELEMENT_AS_FLOAT(y >> 16);
  });
}

__device__ inline void start_copy(uint4 *to, const uint4 *from)
{
  *to = *from;
}

__device__ inline void end_group() {}
template <uint PENDING> __device__ inline void wait_for_copies() {}
#endif

// Fragments of 16 x 8 side by side in a wave's part of C.
#define ACROSS (2 * TENSOR_ACROSS)

template <uint DOWN, typename Sum> __device__ __forceinline__ void clear(Sum sums[DOWN][ACROSS][4])
{
#pragma unroll
  for (uint z = 0; z < DOWN * ACROSS * 4; z++)
    sums[z / (ACROSS * 4)][z / 4 % ACROSS][z % 4] = 0;
}

#if !defined(TENSOR_BYTES)
// Adds the products of a tile of A and one of B, of TENSOR_DEPTH elements of the inner length. Lane i names row i % 16
// of a fragment, and its left or right half; `Tiles` says where it lies in the buffer.
template <uint DOWN, typename Tiles>
__device__ __forceinline__ void add_tiles(float sums[DOWN][ACROSS][4], const SharedVectors &aTile,
                                          const SharedVectors &bTile, uint buffer, uint row, uint column)
{
  const uint lane = threadIdx.x % TENSOR_WAVE, V = 8; // elements of a vector
#pragma unroll
  for (uint k = 0; k < TENSOR_DEPTH; k += TENSOR_SIDE) {
    uint b[ACROSS / 2][4]; // two fragments each
#pragma unroll
    for (uint q = 0; q < ACROSS / 2; q++)
      load_transposed(b[q], bTile, Tiles::b_at(buffer, k + lane % 16, column / V + q * 2 + lane / 16));
#pragma unroll
    for (uint i = 0; i < DOWN; i++) {
      uint a[4];
      load_matrices(a, aTile, Tiles::a_at(buffer, row + i * TENSOR_SIDE + lane % 16, k / V + lane / 16));
#pragma unroll
      for (uint j = 0; j < ACROSS; j++)
        multiply_add(sums[i][j], a, &b[j / 2][j % 2 * 2]);
    }
  }
}
#endif

// Writes the sums of a wave, fragments of 16 x 8 from a row and column on: two neighbours of a row at a time.
template <uint DOWN, typename Sum>
__device__ __forceinline__ void write_sums(Sum *C, const Sum sums[DOWN][ACROSS][4], uint row, uint column, uint pitch)
{
  struct alignas(2 * sizeof(Sum)) Two {
    Sum first, second;
  };
  const uint lane = threadIdx.x % 32;
#pragma unroll
  for (uint s = 0; s < DOWN * ACROSS * 2; s++) {
    const uint i = s / (ACROSS * 2), j = s / 2 % ACROSS, half = s % 2;
    Sum *const to = C + (row + i * 16 + half * 8 + lane / 4) * pitch + column + j * 8;
    reinterpret_cast<Two *>(to)[lane % 4] = {sums[i][j][half * 2], sums[i][j][half * 2 + 1]};
  }
}
