// mma.sync of elements of 8 bits. Where there is no PTX (the CPU emulation), shuffles do the same.
#include "tensor8_args.h"
#include "tensor_args.h"
#include "entry.cuh"
#include "float8.cuh"
#include "../tensor/matrices.cuh"

// A fragment of A is 16 x 32 (four registers of four elements), of B 32 x 8 (two), of the sums 16 x 8 (four).
// Lane t has, of A and of the sums, rows t / 4 and t / 4 + 8; of B, column t / 4; of the sums, columns of t % 4 * 2.
#if defined(__CUDA_ARCH__) && !defined(XB_CPU_ENTRY)
// sums += a b, of int8
__device__ __forceinline__ void multiply_bytes(uint sums[4], const uint a[4], const uint *b)
{
  asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

#if __CUDA_ARCH__ >= 890
// The same of float8
__device__ __forceinline__ void multiply_bytes(float sums[4], const uint a[4], const uint *b)
{
  asm volatile("mma.sync.aligned.m16n8k32.row.col.f32." FLOAT8 "." FLOAT8 ".f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
#endif
#else
__device__ inline float float8(uint bits)
{
#if defined(TENSOR8_E5M2) // the upper half of a float16
  return __half2float(__ushort_as_half(static_cast<unsigned short>(bits << 8)));
#else                     // one bit less of exponent than float16, whose bias is larger by 8
  const uint half = (bits & 0x80) << 8 | (bits & 0x7F) << 7;
  return __half2float(__ushort_as_half(static_cast<unsigned short>(half))) * 256;
#endif
}

__device__ inline void add_products(uint &sum, uint a, uint b)
{
  for (uint i = 0; i < 32; i += 8)
    sum += static_cast<signed char>(a >> i) * static_cast<signed char>(b >> i);
}

__device__ inline void add_products(float &sum, uint a, uint b)
{
  for (uint i = 0; i < 32; i += 8)
    sum += float8(a >> i & 0xFF) * float8(b >> i & 0xFF);
}

template <typename Sum> __device__ inline void multiply_bytes(Sum sums[4], const uint a[4], const uint *b)
{
  multiply_registers(sums, a, b, [](Sum &sum, uint x, uint y) { add_products(sum, x, y); });
}
#endif

template <uint BLOCK> using ByteTiles = TwoBuffers<BLOCK, 16, true>;

// Adds the products of a tile of A and one of B, of TENSOR_DEPTH elements of the inner length.
template <uint DOWN, typename Tiles, typename Sum>
__device__ __forceinline__ void add_tiles(Sum sums[DOWN][ACROSS][4], const SharedVectors &aTile,
                                          const SharedVectors &bTile, uint buffer, uint row, uint column)
{
  const uint lane = threadIdx.x % TENSOR_WAVE;
#pragma unroll
  for (uint k = 0; k < Tiles::A_ROW; k += TENSOR_INNER / 16) {
    uint columns[ACROSS / 2][4]; // two fragments each: lane i names a column, and one half of its inner length
#pragma unroll
    for (uint q = 0; q < ACROSS / 2; q++)
      load_matrices(columns[q], bTile,
                    Tiles::b_at(buffer, column + q * 16 + lane / 16 * 8 + lane % 8, k + lane / 8 % 2));
#pragma unroll
    for (uint i = 0; i < DOWN; i++) {
      uint rows[4]; // lane i names row i % 16, and one half of its inner length
      load_matrices(rows, aTile, Tiles::a_at(buffer, row + i * 16 + lane % 16, k + lane / 16));
#pragma unroll
      for (uint j = 0; j < ACROSS; j++)
        multiply_bytes(sums[i][j], rows, &columns[j / 2][j % 2 * 2]);
    }
  }
}

// Entry points, as XB_ENTRIES; devices before compute capability 8.9 have no float8.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 890 && !defined(XB_CPU_ENTRY)
#define ENTRY_float32(...)
#else
#define ENTRY_float32(...) XB_ENTRY(float32, __VA_ARGS__)
#endif
#define ENTRY_int32(...) XB_ENTRY(int32, __VA_ARGS__)
#define BYTES_ENTRY(dtype, ...) ENTRY_##dtype(__VA_ARGS__)
#define BYTES_ENTRIES(...) XB_ENTRY_TABLE(BYTES_ENTRY, __VA_ARGS__)
