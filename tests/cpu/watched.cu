// Kernels whose accesses are watched: what orders them, and what does not.
#include <cuda/atomic>

typedef cuda::atomic_ref<unsigned, cuda::thread_scope_device> flag;

// Blocks write one word; they may differ in one dimension of the grid only.
extern "C" __global__ void blocks_write(unsigned *data)
{
  if (threadIdx.x == 0)
    data[0] = blockIdx.z;
}

// The first lane reads the word first and writes it last; a shuffle orders nothing.
extern "C" __global__ void several_read(unsigned *data)
{
  const unsigned seen = data[0];
  data[64 + threadIdx.x] = seen + __shfl_sync(0xffffffffu, threadIdx.x, 0);
  if (threadIdx.x == 0)
    data[0] = 1;
}

// The first block releases what it wrote, the second one replaces the flag and releases nothing, the third one
// acquires.
extern "C" __global__ void store_replaces(unsigned *data)
{
  if (threadIdx.x)
    return;
  if (blockIdx.x == 0) {
    data[1] = 7;
    flag(data[0]).store(1, cuda::memory_order_release);
  } else if (blockIdx.x == 1) {
    flag(data[0]).store(2, cuda::memory_order_relaxed);
  } else if (flag(data[0]).load(cuda::memory_order_acquire) == 2) {
    data[2] = data[1];
  }
}

// The same where the second one adds to the flag: that goes on with the release.
extern "C" __global__ void addition_continues(unsigned *data)
{
  if (threadIdx.x)
    return;
  if (blockIdx.x == 0) {
    data[1] = 7;
    flag(data[0]).store(1, cuda::memory_order_release);
  } else if (blockIdx.x == 1) {
    flag(data[0]).fetch_add(1, cuda::memory_order_relaxed);
  } else if (flag(data[0]).load(cuda::memory_order_acquire) == 2) {
    data[2] = data[1];
  }
}

// What the first block writes behind its release is not released.
extern "C" __global__ void written_behind(unsigned *data)
{
  if (threadIdx.x)
    return;
  if (blockIdx.x == 0) {
    flag(data[0]).store(1, cuda::memory_order_release);
    data[1] = 7;
  } else if (flag(data[0]).load(cuda::memory_order_acquire) == 1) {
    data[2] = data[1];
  }
}

// Nor does __syncwarp order what lanes do behind it.
extern "C" __global__ void behind_the_warp(unsigned *data)
{
  __syncwarp();
  if (threadIdx.x == 0)
    data[1] = 7;
  else if (threadIdx.x == 1)
    data[2] = data[1];
}

// The second warp knows much of its own lanes, and nothing of those of the first one.
extern "C" __global__ void other_warp(unsigned *data)
{
  if (threadIdx.x == 1)
    data[1] = 7;
  if (threadIdx.x < 32)
    return;
  for (int i = 0; i < 4; i++)
    __syncwarp();
  if (threadIdx.x == 32)
    data[2] = data[1];
}

// Votes that do not agree, and a shuffle from a lane that its mask does not name.
extern "C" __global__ void of_a_warp(unsigned *data)
{
  const unsigned lane = threadIdx.x;
  data[0] = __all_sync(0xffffffffu, lane < 16);
  data[1] = __any_sync(0xffffffffu, lane < 16);
  data[2] = __all_sync(0xffffffffu, lane < 32);
  data[32 + lane] = __shfl_sync(0xffffffffu, 7u, lane); // the last value of each lane
  if (lane < 16)
    data[16 + lane] = __shfl_sync(0x0000ffffu, 7u, lane == 3 ? 20 : lane);
}

XB_CPU_ENTRY(of_a_warp)
XB_CPU_ENTRY(written_behind)
XB_CPU_ENTRY(behind_the_warp)
XB_CPU_ENTRY(other_warp)
XB_CPU_ENTRY(blocks_write)
XB_CPU_ENTRY(several_read)
XB_CPU_ENTRY(store_replaces)
XB_CPU_ENTRY(addition_continues)
