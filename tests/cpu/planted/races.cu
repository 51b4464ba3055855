// Races, each beside its right twin. WRONG is true for the planted fault. Sizes are those of faults.h.
#include "planted.cuh"

#include <cooperative_groups.h>
#include <cuda/atomic>

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

// ---- Global memory

KERNEL(blocks_write_one_word)
{
  if (threadIdx.x == 0)
    data[WRONG ? 0 : blockIdx.x] = blockIdx.x;
}

KERNEL(blocks_add_without_atomics)
{
  if (threadIdx.x == 0) {
    if (WRONG)
      data[0] += 1;
    else
      atomicAdd(&data[0], 1u);
  }
}

KERNEL(halo_of_the_next_block)
{
  const unsigned i = blockIdx.x * 256 + threadIdx.x;
  data[WRONG ? i : i + 2048] = data[(i + 1) % 1024];
}

KERNEL(atomic_and_plain)
{
  atomicAdd(&data[0], 1u);
  if (threadIdx.x == 0)
    data[1 + blockIdx.x] = WRONG ? data[0] : atomicAdd(&data[0], 0u);
}

KERNEL(atomic_and_plain_write)
{
  if (threadIdx.x == 0)
    atomicMax(&data[0], blockIdx.x);
  if (threadIdx.x == 32) {
    if (WRONG)
      data[0] = 5;
    else
      atomicExch(&data[0], 5u);
  }
}

KERNEL(barrier_does_not_reach_other_blocks)
{
  if (threadIdx.x == 1)
    data[blockIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0)
    data[8 + blockIdx.x] = data[WRONG ? (blockIdx.x + 1) % 4 : blockIdx.x];
}

KERNEL(grid_stride_overlaps)
{
  for (unsigned i = blockIdx.x * 256 + threadIdx.x; i < 2048; i += WRONG ? 512 : 1024)
    data[i] = i;
}

KERNEL(device_variable)
{
  if (threadIdx.x == 0) {
    if (WRONG)
      total = total + 1;
    else
      atomicAdd(&total, 1u);
  }
}

KERNEL(memcpy_overlaps)
{
  unsigned local[4] = {1, 2, 3, 4};
  memcpy(&data[(blockIdx.x * 256 + threadIdx.x) * (WRONG ? 3 : 4)], local, sizeof local);
}

// ---- Fences, atomics and scopes

KERNEL(last_block_without_fence)
{
  __shared__ bool last;
  if (threadIdx.x == 0) {
    data[8 + blockIdx.x] = blockIdx.x;
    if (!WRONG)
      __threadfence();
    last = atomicInc(&data[0], gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x)
    data[16 + threadIdx.x] = data[8 + threadIdx.x];
}

KERNEL(last_block_with_fence_of_block)
{
  __shared__ bool last;
  if (threadIdx.x == 0) {
    data[8 + blockIdx.x] = blockIdx.x;
    if (WRONG)
      __threadfence_block();
    else
      __threadfence();
    last = atomicAdd(&data[0], 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x)
    data[16 + threadIdx.x] = data[8 + threadIdx.x];
}

KERNEL(last_block_counts_in_block_scope)
{
  __shared__ bool last;
  if (threadIdx.x == 0) {
    data[8 + blockIdx.x] = blockIdx.x;
    __threadfence();
    last = (WRONG ? atomicAdd_block(&data[0], 1u) : atomicAdd(&data[0], 1u)) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x)
    data[16 + threadIdx.x] = data[8 + threadIdx.x];
}

KERNEL(fence_of_another_thread)
{
  __shared__ bool last;
  data[1024 + blockIdx.x * 256 + threadIdx.x] = 1;
  if (!WRONG)
    __threadfence();
  else if (threadIdx.x == 0)
    __threadfence(); // each thread has to fence what it wrote
  if (!WRONG)
    __syncthreads();
  if (threadIdx.x == 0)
    last = atomicAdd(&data[0], 1u) == gridDim.x - 1;
  __syncthreads();
  if (last)
    data[4096 + threadIdx.x] = data[1024 + threadIdx.x];
}

using cuda::memory_order_acq_rel;
using cuda::memory_order_acquire;
using cuda::memory_order_relaxed;
using cuda::memory_order_release;
template <cuda::thread_scope SCOPE> using word = cuda::atomic_ref<unsigned, SCOPE>;

template <cuda::thread_scope SCOPE> __device__ void pass_on(unsigned *data, cuda::memory_order store, cuda::memory_order load)
{
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    data[1] = 42;
    word<SCOPE>(data[0]).store(1, store);
  } else if (word<SCOPE>(data[0]).load(load)) {
    data[1 + blockIdx.x] = data[1];
  }
}

KERNEL(store_relaxed)
{
  pass_on<cuda::thread_scope_device>(data, WRONG ? memory_order_relaxed : memory_order_release, memory_order_acquire);
}
KERNEL(load_relaxed)
{
  pass_on<cuda::thread_scope_device>(data, memory_order_release, WRONG ? memory_order_relaxed : memory_order_acquire);
}
KERNEL(scope_of_block)
{
  pass_on < WRONG ? cuda::thread_scope_block
                  : cuda::thread_scope_device > (data, memory_order_release, memory_order_acquire);
}
KERNEL(counter_relaxed)
{
  if (threadIdx.x != 0)
    return;
  data[8 + blockIdx.x] = blockIdx.x;
  if (word<cuda::thread_scope_device>(data[0]).fetch_add(1, WRONG ? memory_order_relaxed : memory_order_acq_rel) ==
      gridDim.x - 1)
    for (unsigned i = 0; i < gridDim.x; i++)
      data[16 + i] = data[8 + i];
}
KERNEL(counter_releases_only)
{
  if (threadIdx.x != 0)
    return;
  data[8 + blockIdx.x] = blockIdx.x;
  if (word<cuda::thread_scope_device>(data[0]).fetch_add(1, WRONG ? memory_order_release : memory_order_acq_rel) ==
      gridDim.x - 1)
    for (unsigned i = 0; i < gridDim.x; i++)
      data[16 + i] = data[8 + i];
}
KERNEL(counter_acquires_only)
{
  if (threadIdx.x != 0)
    return;
  data[8 + blockIdx.x] = blockIdx.x;
  if (word<cuda::thread_scope_device>(data[0]).fetch_add(1, WRONG ? memory_order_acquire : memory_order_acq_rel) ==
      gridDim.x - 1)
    for (unsigned i = 0; i < gridDim.x; i++)
      data[16 + i] = data[8 + i];
}

KERNEL(flag_in_shared_memory)
{
  __shared__ unsigned flag, value;
  if (threadIdx.x == 0)
    flag = 0;
  __syncthreads();
  cuda::atomic_ref<unsigned, cuda::thread_scope_block> f(flag);
  if (threadIdx.x == 32) {
    value = 3;
    f.store(1, WRONG ? memory_order_relaxed : memory_order_release);
  }
  if (threadIdx.x == 0) {
    while (!f.load(memory_order_acquire)) {
    }
    OUT_OF_BLOCK = value;
  }
}

// A relaxed spin and a fence are as good as an acquire.
KERNEL(spin_without_fence)
{
  __shared__ unsigned flag, value;
  if (threadIdx.x == 0)
    flag = 0;
  __syncthreads();
  cuda::atomic_ref<unsigned, cuda::thread_scope_block> f(flag);
  if (threadIdx.x == 32) {
    value = 3;
    cuda::atomic_thread_fence(memory_order_release, cuda::thread_scope_block);
    f.store(1, memory_order_relaxed);
  }
  if (threadIdx.x == 0) {
    while (!f.load(memory_order_relaxed)) {
    }
    if (!WRONG)
      cuda::atomic_thread_fence(memory_order_acquire, cuda::thread_scope_block);
    OUT_OF_BLOCK = value;
  }
}

KERNEL(volatile_flag_without_fence)
{
  volatile unsigned *flag = data;
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    data[1] = 42;
    if (!WRONG)
      __threadfence();
    *flag = 1;
  } else if (*flag) {
    __threadfence();
    data[1 + blockIdx.x] = data[1];
  }
}

KERNEL(plain_flag)
{
  unsigned *flag = data;
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    data[1] = 42;
    __threadfence();
    if (WRONG)
      *flag = 1;
    else
      *(volatile unsigned *)flag = 1;
  } else if (*(volatile unsigned *)flag) {
    __threadfence();
    data[1 + blockIdx.x] = data[1];
  }
}

KERNEL(lock_left_without_fence)
{
  if (threadIdx.x != 0)
    return;
  while (atomicCAS(&data[0], 0u, 1u) != 0) {
  }
  data[1] += 1;
  if (!WRONG)
    __threadfence();
  atomicExch(&data[0], 0u);
}

KERNEL(lock_of_two)
{
  unsigned *lock = &data[WRONG ? blockIdx.x % 2 : 0];
  if (threadIdx.x != 0)
    return;
  while (atomicCAS(lock, 0u, 1u) != 0) {
  }
  data[4] += 1;
  __threadfence();
  atomicExch(lock, 0u);
}

KERNEL(scopes_mixed)
{
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0 && WRONG)
    atomicAdd_block(&data[0], 1u);
  else
    atomicAdd(&data[0], 1u);
}

KERNEL(ticket_of_work)
{
  __shared__ unsigned ticket;
  for (int i = 0; i < 2; i++) {
    if (threadIdx.x == 0)
      ticket = atomicAdd(&data[0], 1u);
    __syncthreads();
    data[256 + ticket * 256 + threadIdx.x] = 1;
    if (!WRONG)
      __syncthreads();
  }
}
