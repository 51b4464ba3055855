// Races in global memory, and in what releases, acquires and fences order, each beside its right twin.
#include "planted.cuh"

#include <cuda/atomic>

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

KERNEL(memset_overlaps)
{
  memset(&data[2 * (blockIdx.x * 256 + threadIdx.x)], 0, WRONG ? 12 : 8);
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
