// What the matrix-vector kernels share: products of four, and sums over a warp and over a group.
__device__ __forceinline__ float dot(float4 a, float4 b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

// WaveActiveSum: a tree of shuffles; all lanes have the sum.
__device__ __forceinline__ float warp_sum(float sum)
{
  for (uint s = 16; s > 0; s >>= 1)
    sum += __shfl_xor_sync(0xffffffffu, sum, s);
  return sum;
}

// Writes the group's sums of vector b: of each warp first, then of all. In CUDA tid / 32 is the index of the warp.
#define WRITE_OF_GROUP(b)                                                                                              \
  UNROLL for (uint r = 0; r < ROWS; r++)                                                                               \
  {                                                                                                                    \
    const float total = warp_sum(sum[b][r]);                                                                           \
    if (tid % 32 == 0)                                                                                                 \
      sdata[r][tid / 32] = total;                                                                                      \
  }                                                                                                                    \
  __syncthreads();                                                                                                     \
  if (tid < ROWS && first + tid < args.rows) {                                                                         \
    float total = 0;                                                                                                   \
    for (uint w = 0; w < BLOCK / 32; w++)                                                                              \
      total += sdata[tid][w];                                                                                          \
    g_y[b * args.all_rows + args.first_row + first + tid] = total;                                                     \
  }                                                                                                                    \
  __syncthreads();

// Writes the warp's sums of vector b.
#define WRITE_OF_WAVE(b)                                                                                               \
  UNROLL for (uint r = 0; r < ROWS; r++)                                                                               \
  {                                                                                                                    \
    const float total = warp_sum(sum[b][r]);                                                                           \
    if (lane == 0 && first + r < args.rows)                                                                            \
      g_y[b * args.all_rows + args.first_row + first + r] = total;                                                     \
  }
