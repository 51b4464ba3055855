// Races in shared memory, each beside its right twin.
#include "planted.cuh"

#include <cooperative_groups.h>

// ---- Shared memory and barriers of a block

KERNEL(no_barrier)
{
  __shared__ unsigned tile[256];
  tile[threadIdx.x] = threadIdx.x;
  if (!WRONG)
    __syncthreads();
  OUT = tile[threadIdx.x ^ 33];
}

KERNEL(no_barrier_between_rounds)
{
  __shared__ unsigned tile[256];
  for (int round = 0; round < 3; round++) {
    tile[threadIdx.x] = round;
    __syncthreads();
    OUT = tile[255 - threadIdx.x];
    if (!WRONG)
      __syncthreads();
  }
}

// The result of a softmax does not depend on this barrier: all rows have the same largest element.
KERNEL(softmax_reuses_largest)
{
  __shared__ float part[256];
  part[threadIdx.x] = 1.0f;
  for (int s = 128; s > 0; s >>= 1) {
    __syncthreads();
    if (threadIdx.x < s)
      part[threadIdx.x] = fmaxf(part[threadIdx.x], part[threadIdx.x + s]);
  }
  __syncthreads();
  const float largest = part[0];
  if (!WRONG)
    __syncthreads();
  part[threadIdx.x] = expf(1.0f - largest);
  for (int s = 128; s > 0; s >>= 1) {
    __syncthreads();
    if (threadIdx.x < s)
      part[threadIdx.x] += part[threadIdx.x + s];
  }
  __syncthreads();
  OUT = (unsigned)part[0];
}

KERNEL(reduction_without_barrier_in_loop)
{
  __shared__ unsigned sums[256];
  sums[threadIdx.x] = threadIdx.x;
  __syncthreads();
  for (unsigned s = 128; s > 0; s >>= 1) {
    if (threadIdx.x < s)
      sums[threadIdx.x] += sums[threadIdx.x + s];
    if (!WRONG)
      __syncthreads();
  }
  if (threadIdx.x == 0)
    OUT_OF_BLOCK = sums[0];
}

KERNEL(one_writes_all_read)
{
  __shared__ unsigned value;
  if (threadIdx.x == 0)
    value = 7;
  if (!WRONG)
    __syncthreads();
  OUT = value;
}

KERNEL(all_read_one_writes)
{
  __shared__ unsigned value;
  if (threadIdx.x == 0)
    value = 7;
  __syncthreads();
  OUT = value;
  if (!WRONG)
    __syncthreads();
  if (threadIdx.x == 255)
    value = 8;
}

KERNEL(all_write_one_word)
{
  __shared__ unsigned value;
  if (WRONG || threadIdx.x == 0)
    value = 7;
  __syncthreads();
  OUT = value;
}

KERNEL(neighbour_in_place)
{
  __shared__ unsigned line[257];
  line[threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 0)
    line[256] = 0;
  __syncthreads();
  const unsigned next = WRONG ? 0 : line[threadIdx.x + 1];
  if (!WRONG)
    __syncthreads();
  line[threadIdx.x] = WRONG ? line[threadIdx.x + 1] : next;
}

KERNEL(histogram_without_atomics)
{
  __shared__ unsigned bins[16];
  if (threadIdx.x < 16)
    bins[threadIdx.x] = 0;
  __syncthreads();
  if (WRONG)
    bins[threadIdx.x % 16]++;
  else
    atomicAdd(&bins[threadIdx.x % 16], 1u);
  __syncthreads();
  if (threadIdx.x < 16)
    OUT = bins[threadIdx.x];
}

KERNEL(bins_cleared_late)
{
  __shared__ unsigned bins[16];
  if (threadIdx.x < 16)
    bins[threadIdx.x] = 0;
  if (!WRONG)
    __syncthreads();
  atomicAdd(&bins[threadIdx.x % 16], 1u);
  __syncthreads();
  if (threadIdx.x < 16)
    OUT = bins[threadIdx.x];
}

KERNEL(bins_read_early)
{
  __shared__ unsigned bins[16];
  if (threadIdx.x < 16)
    bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[threadIdx.x % 16], 1u);
  if (!WRONG)
    __syncthreads();
  if (threadIdx.x < 16)
    OUT = bins[threadIdx.x];
}

KERNEL(double_buffer_of_one)
{
  __shared__ unsigned tile[2][256];
  for (int i = 0; i < 4; i++) {
    tile[WRONG ? 0 : i % 2][threadIdx.x] = i;
    __syncthreads();
    OUT = tile[WRONG ? 0 : i % 2][threadIdx.x ^ 64];
  }
}

KERNEL(bytes_of_a_word)
{
  __shared__ unsigned char flags[256];
  flags[WRONG ? threadIdx.x / 2 : threadIdx.x] = threadIdx.x; // neighbours in a word are no race
  __syncthreads();
  OUT = flags[threadIdx.x / 2];
}

KERNEL(dynamic_shared)
{
  extern __shared__ unsigned room[];
  room[threadIdx.x] = threadIdx.x;
  if (!WRONG)
    __syncthreads();
  OUT = room[255 - threadIdx.x];
}

KERNEL(transposed_tile)
{
  __shared__ unsigned tile[16][17];
  const unsigned x = threadIdx.x % 16, y = threadIdx.x / 16;
  tile[y][x] = threadIdx.x;
  if (!WRONG)
    __syncthreads();
  OUT = tile[x][y];
}

KERNEL(structure_copied)
{
  struct four {
    unsigned x, y, z, w;
  };
  __shared__ four all[256];
  all[threadIdx.x] = four{1, 2, 3, 4};
  if (!WRONG)
    __syncthreads();
  four one = all[threadIdx.x ^ 32];
  OUT = one.x + one.w;
}

KERNEL(memset_of_one_word)
{
  __shared__ unsigned tile[256];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const unsigned neighbour = tile[threadIdx.x ^ 1];
  if (!WRONG)
    __syncthreads();
  memset(&tile[threadIdx.x], 0, sizeof tile[0]);
  OUT = neighbour;
}

KERNEL(ended_before_barrier)
{
  __shared__ unsigned tile[256];
  tile[threadIdx.x] = threadIdx.x;
  if (!WRONG)
    __syncthreads();
  if (threadIdx.x >= 128)
    return;
  __syncthreads();
  OUT = tile[threadIdx.x + 128];
}

KERNEL(ended_before_syncwarp) // the lanes that go on tell the other warps
{
  __shared__ unsigned tile[256];
  tile[threadIdx.x] = threadIdx.x;
  if (!WRONG)
    __syncwarp();
  if (threadIdx.x % 32 >= 16)
    return;
  __syncthreads();
  OUT = tile[(threadIdx.x ^ 32) + 16];
}

KERNEL(barrier_counts_as_one)
{
  __shared__ unsigned value;
  if (threadIdx.x == 40)
    value = 1;
  if (!WRONG)
    __syncthreads_or(threadIdx.x == 3);
  OUT = value;
}

KERNEL(group_barrier)
{
  __shared__ unsigned tile[256];
  auto block = cooperative_groups::this_thread_block();
  tile[threadIdx.x] = 1;
  if (!WRONG)
    block.sync();
  OUT = tile[threadIdx.x ^ 128];
}

// ---- Warps

KERNEL(no_syncwarp)
{
  __shared__ unsigned tile[256];
  tile[threadIdx.x] = threadIdx.x;
  if (!WRONG)
    __syncwarp();
  OUT = tile[threadIdx.x ^ 1];
}

KERNEL(syncwarp_for_another_warp)
{
  __shared__ unsigned tile[256];
  tile[threadIdx.x] = threadIdx.x;
  __syncwarp();
  OUT = tile[WRONG ? threadIdx.x ^ 32 : threadIdx.x ^ 16];
}

KERNEL(shuffle_orders_nothing)
{
  __shared__ unsigned tile[256];
  tile[threadIdx.x] = threadIdx.x;
  const unsigned other = __shfl_xor_sync(~0u, threadIdx.x, 1);
  if (!WRONG)
    __syncwarp();
  OUT = tile[other];
}

KERNEL(vote_orders_nothing)
{
  __shared__ unsigned value[8];
  if (threadIdx.x % 32 == 5)
    value[threadIdx.x / 32] = 9;
  const int any = __any_sync(~0u, threadIdx.x == 3);
  if (!WRONG)
    __syncwarp();
  OUT = value[threadIdx.x / 32] + any;
}

KERNEL(unrolled_last_warp)
{
  __shared__ unsigned sums[64];
  if (threadIdx.x < 64)
    sums[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x < 32)
    for (unsigned s = 32; s > 0; s >>= 1) {
      const unsigned more = threadIdx.x < s ? sums[threadIdx.x + s] : 0;
      if (!WRONG)
        __syncwarp();
      if (threadIdx.x < s)
        sums[threadIdx.x] += more;
      if (!WRONG)
        __syncwarp();
    }
  if (threadIdx.x == 0)
    OUT_OF_BLOCK = sums[0];
}

KERNEL(syncwarp_of_half)
{
  __shared__ unsigned tile[32];
  if (threadIdx.x < 32) {
    tile[threadIdx.x] = threadIdx.x;
    if (WRONG)
      threadIdx.x < 16 ? __syncwarp(0xffffu) : __syncwarp(0xffff0000u);
    else
      __syncwarp();
    OUT = tile[31 - threadIdx.x];
  }
}

KERNEL(tile_of_eight)
{
  __shared__ unsigned tile[256];
  auto eight = cooperative_groups::tiled_partition<8>(cooperative_groups::this_thread_block());
  tile[threadIdx.x] = 1;
  eight.sync();
  OUT = tile[threadIdx.x ^ (WRONG ? 8 : 4)];
}
