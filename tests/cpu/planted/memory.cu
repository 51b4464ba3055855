// Wrong accesses and undefined behaviour, each beside its right twin.
#include "planted.cuh"

// ---- Shared memory that no thread has written

KERNEL(sum_without_start)
{
  __shared__ unsigned sum;
  if (!WRONG && threadIdx.x == 0)
    sum = 0;
  __syncthreads();
  atomicAdd(&sum, 1u);
  __syncthreads();
  if (threadIdx.x == 0)
    OUT_OF_BLOCK = sum;
}

KERNEL(last_element_never_written)
{
  __shared__ unsigned tile[256];
  if (!WRONG || threadIdx.x < 255)
    tile[threadIdx.x] = 1;
  __syncthreads();
  OUT = tile[threadIdx.x];
}

KERNEL(halo_never_written)
{
  __shared__ unsigned tile[258];
  tile[threadIdx.x + 1] = 1;
  if (!WRONG && threadIdx.x == 0)
    tile[0] = tile[257] = 0;
  __syncthreads();
  OUT = tile[threadIdx.x] + tile[threadIdx.x + 2];
}

KERNEL(kept_from_the_last_block)
{
  __shared__ unsigned value;
  if ((!WRONG || blockIdx.x == 0) && threadIdx.x == 0)
    value = 1;
  __syncthreads();
  OUT = value;
}

KERNEL(dynamic_never_written)
{
  extern __shared__ unsigned room[];
  if (!WRONG)
    room[threadIdx.x] = 1;
  __syncthreads();
  OUT = room[threadIdx.x];
}

KERNEL(half_of_a_word_written)
{
  __shared__ unsigned short halves[512];
  halves[2 * threadIdx.x] = 1;
  if (!WRONG)
    halves[2 * threadIdx.x + 1] = 2;
  __syncthreads();
  OUT = halves[2 * threadIdx.x + 1];
}

KERNEL(half_of_a_tile_cleared)
{
  __shared__ unsigned tile[256];
  if (threadIdx.x == 0)
    memset(tile, 0, WRONG ? sizeof tile / 2 : sizeof tile);
  __syncthreads();
  OUT = tile[threadIdx.x];
}

KERNEL(word_not_copied)
{
  __shared__ unsigned tile[16 * 256];
  memcpy(&tile[16 * threadIdx.x], data, WRONG ? 60 : 64);
  __syncthreads();
  OUT = tile[16 * threadIdx.x + 15];
}

// ---- Outside

KERNEL(reads_behind_buffer)
{
  if (threadIdx.x == 0)
    data[blockIdx.x] = data[(WRONG ? 8192 : 8188) + blockIdx.x % 4];
}

KERNEL(writes_behind_buffer)
{
  data[8192 - 1024 + (WRONG ? 1 : 0) + blockIdx.x * 256 + threadIdx.x] = 1;
}

KERNEL(reads_before_buffer)
{
  const int i = (int)(blockIdx.x * 256 + threadIdx.x);
  data[4096 + i] = data[WRONG ? i - 1 : (i > 0 ? i - 1 : 0)];
}

KERNEL(vector_over_the_end)
{
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    uint2 *pairs = (uint2 *)data;
    pairs[WRONG ? 4096 : 4095].x = 1;
  }
}

KERNEL(memset_over_the_end)
{
  if (blockIdx.x == 3 && threadIdx.x == 255)
    memset(&data[8191], 0xff, WRONG ? 8 : 4);
}

KERNEL(atomic_behind_buffer)
{
  atomicAdd(&data[WRONG ? 8192 : 8191], 1u);
}

KERNEL(shared_array_behind_end)
{
  __shared__ unsigned tile[256];
  tile[threadIdx.x] = 1;
  __syncthreads();
  OUT = tile[threadIdx.x + (WRONG ? 1 : 0)];
}

KERNEL(local_array_behind_end)
{
  unsigned local[4] = {1, 2, 3, 4};
  OUT = local[(threadIdx.x & 3) + (WRONG && threadIdx.x == 7)];
}

KERNEL(dynamic_behind_end)
{
  extern __shared__ unsigned room[];
  room[threadIdx.x + (WRONG ? 1 : 0)] = 1;
}

KERNEL(second_row_of_tile)
{
  __shared__ unsigned tile[16][16];
  tile[threadIdx.x / 16][threadIdx.x % 16] = 1;
  __syncthreads();
  const unsigned x = threadIdx.x % 16 + (WRONG ? 1 : 0);
  OUT = tile[threadIdx.x / 16][x];
}

// ---- Not aligned

KERNEL(uint4_at_odd_word)
{
  if (blockIdx.x == 0)
    *(uint4 *)(data + 4 * threadIdx.x + (WRONG ? 1 : 0)) = make_uint4(1, 2, 3, 4);
}

KERNEL(uint2_at_odd_word)
{
  const uint2 two = *(const uint2 *)(data + 2 * threadIdx.x + (WRONG ? 1 : 0));
  if (blockIdx.x == 0)
    data[4096 + threadIdx.x] = two.x + two.y;
}

KERNEL(word_at_odd_byte)
{
  data[4096 + blockIdx.x * 256 + threadIdx.x] = *(unsigned *)((char *)data + 4 * threadIdx.x + (WRONG ? 2 : 0));
}

KERNEL(shared_float4_not_aligned)
{
  __shared__ __align__(16) float tile[1028];
  for (int i = threadIdx.x; i < 1028; i += 256)
    tile[i] = 1.0f;
  __syncthreads();
  const float4 four = *(const float4 *)&tile[4 * threadIdx.x + (WRONG ? 2 : 0)];
  OUT = (unsigned)four.x;
}

// ---- Undefined

KERNEL(shift_by_32)
{
  OUT = 1u << (threadIdx.x & (WRONG ? 63 : 31));
}

KERNEL(shift_by_negative)
{
  OUT = 1u << ((int)(threadIdx.x & 31) - (WRONG ? 1 : 0));
}

KERNEL(signed_sum_overflows)
{
  const int x = 0x7fffff00 + (int)threadIdx.x / (WRONG ? 1 : 2);
  OUT = (unsigned)(x + 1);
}

KERNEL(signed_product_overflows)
{
  const int x = (int)threadIdx.x * 1000;
  OUT = (unsigned)(x * (WRONG ? 100000 : 10));
}

KERNEL(float_too_large_for_int)
{
  const float x = (WRONG ? 1e10f : 1e3f) * (float)threadIdx.x;
  OUT = (unsigned)(int)x;
}

KERNEL(negative_float_to_unsigned)
{
  const float x = (float)threadIdx.x - (WRONG ? 3.0f : 0.0f);
  OUT = (unsigned)x;
}

// ---- Barriers and masks

KERNEL(barrier_in_branch)
{
  if (WRONG && threadIdx.x < 128)
    __syncthreads();
  __syncthreads();
  OUT = 1;
}

KERNEL(barriers_of_if_and_else)
{
  if (threadIdx.x < (WRONG ? 64 : 256))
    __syncthreads();
  else
    __syncthreads();
}

KERNEL(lane_not_in_mask)
{
  OUT = __shfl_sync(WRONG ? 0xffffu : ~0u, threadIdx.x, 0);
}

KERNEL(reads_lane_outside_mask)
{
  if (threadIdx.x < 16)
    OUT = __shfl_sync(0xffffu, threadIdx.x, WRONG ? 20 : 2);
}

KERNEL(uses_lane_outside_mask) // lane 0 uses no value from outside
{
  unsigned sum = threadIdx.x;
  if (threadIdx.x < 8) {
    for (int by = 4; by > 0; by /= 2)
      sum += __shfl_down_sync(0xffu, sum, by);
    if (WRONG || threadIdx.x == 0)
      OUT = sum;
    if (threadIdx.x == 0 && atomicAdd(&total, 1u) >= gridDim.x) // in a launch that does not begin as it should
      OUT = 0;
  }
}

KERNEL(masks_of_two_kinds)
{
  const unsigned half = threadIdx.x % 32 < 16 ? 0xffffu : (WRONG ? ~0u : 0xffff0000u);
  OUT = __ballot_sync(half, 1);
  __syncwarp();
}

KERNEL(divides_by_zero)
{
  OUT = 100 / (threadIdx.x + (WRONG ? 0 : 1));
}
