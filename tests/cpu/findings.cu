// Kernels with one mistake each, which the runtime finds. The tests know the lines with a mark: // [NAME].
#include <assert.h>
#include <cooperative_groups.h>

extern "C" __global__ void not_in_mask(unsigned *out)
{
  out[threadIdx.x] = __shfl_sync(0x0000ffffu, threadIdx.x, 0); // [not_in_mask]
}

extern "C" __global__ void masks_differ(unsigned *out)
{
  if (threadIdx.x < 16)
    out[threadIdx.x] = __ballot_sync(0xffffffffu, 1);
  else
    out[threadIdx.x] = __ballot_sync(0xffff0001u, 1); // [masks_differ]
}

extern "C" __global__ void operations_differ(unsigned *out)
{
  if (threadIdx.x < 16)
    out[threadIdx.x] = __any_sync(0xffffffffu, 1);
  else
    out[threadIdx.x] = __shfl_sync(0xffffffffu, threadIdx.x, 0); // [operations_differ]
}

extern "C" __global__ void waits_elsewhere(unsigned *out)
{
  if (threadIdx.x == 5)
    __syncthreads();
  else
    out[threadIdx.x] = __shfl_down_sync(0xffffffffu, threadIdx.x, 1); // [waits_elsewhere]
  __syncthreads();
}

extern "C" __global__ void barriers_apart(unsigned *out)
{
  // clang-format off
  if (threadIdx.x < 32) __syncthreads(); else __syncthreads(); // [barriers_apart]
  // clang-format on
  out[threadIdx.x] = 1;
}

__device__ __noinline__ unsigned deeper(unsigned n, unsigned *out)
{
  volatile unsigned local[64];
  local[n % 64] = n;
  return n == 0 ? 0 : deeper(n - 1, out) + local[n % 64];
}

extern "C" __global__ void overflow(unsigned *out)
{
  out[threadIdx.x] = deeper(threadIdx.x == 3 ? 1000000 : 10, out);
}

// An array that is larger than a guard page: the access behind it would be in another thread's stack.
extern "C" __global__ void large_local(unsigned *out)
{
  volatile unsigned local[40000];
  local[threadIdx.x] = 1;
  out[threadIdx.x] = local[threadIdx.x];
}

// From here on the kernel may be stopped. Not inline: an empty loop would have this line.
__device__ __attribute__((noinline)) void begun(unsigned *out, unsigned mark)
{
  ((volatile unsigned *)out)[1 + mark] = 1;
}

extern "C" __global__ void spin_volatile(unsigned *out)
{
  begun(out, blockIdx.x);
  while (*(volatile unsigned *)out == 0) { // [spin_volatile]
  }
}

extern "C" __global__ void spin_atomic(unsigned *out)
{
  begun(out, blockIdx.x);
  while (atomicAdd(out, 0) == 0) { // [spin_atomic]
  }
}

extern "C" __global__ void empty_loop(unsigned *out)
{
  begun(out, blockIdx.x);
  for (;;) { // [empty_loop]
  }
}

// The other block ends once this one spins.
__device__ void spin_alone(unsigned *out, unsigned spinner)
{
  if (blockIdx.x == spinner)
    *(volatile unsigned *)out = 1;
  while (blockIdx.x == spinner || *(volatile unsigned *)out == 0) {
  }
  begun(out, threadIdx.x);
}

extern "C" __global__ void first_spins(unsigned *out)
{
  spin_alone(out, 0);
}

extern "C" __global__ void second_spins(unsigned *out)
{
  spin_alone(out, 1);
}

extern "C" __global__ void outside(unsigned *out)
{
  if (blockIdx.x == 2 && threadIdx.x == 7)
    out[1ull << 40] = 1; // [outside]
}

// The other block spins meanwhile, and waits for nothing.
__device__ void fault_beside(unsigned *out, unsigned faulty)
{
  if (blockIdx.x == faulty)
    out[1ull << 40] = 1;
  while (*(volatile unsigned *)out == 0) {
  }
}

extern "C" __global__ void first_faults(unsigned *out)
{
  fault_beside(out, 0);
}

extern "C" __global__ void second_faults(unsigned *out)
{
  fault_beside(out, 1);
}

extern "C" __global__ void by_zero(unsigned *out)
{
  out[threadIdx.x] = 100 / out[threadIdx.x]; // [by_zero]
}

extern "C" __global__ void assertion(unsigned *out)
{
  assert(out[threadIdx.x] == 1); // [assertion]
}

extern "C" __global__ void ptx(unsigned *out)
{
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane)); // [ptx]
  out[threadIdx.x] = lane;
}

extern "C" __global__ void grid(unsigned *out)
{
  if (blockIdx.x != 1)
    cooperative_groups::this_grid().sync(); // [grid]
  out[threadIdx.x] = 1;
}

extern "C" __global__ void behind_shared(unsigned *out)
{
  extern __shared__ unsigned tile[];
  tile[blockDim.x] = threadIdx.x; // one word more than the launch asks for
  out[threadIdx.x] = tile[threadIdx.x];
}

XB_CPU_ENTRY(not_in_mask)
XB_CPU_ENTRY(masks_differ)
XB_CPU_ENTRY(operations_differ)
XB_CPU_ENTRY(waits_elsewhere)
XB_CPU_ENTRY(barriers_apart)
XB_CPU_ENTRY(overflow)
XB_CPU_ENTRY(large_local)
XB_CPU_ENTRY(spin_volatile)
XB_CPU_ENTRY(spin_atomic)
XB_CPU_ENTRY(empty_loop)
XB_CPU_ENTRY(first_spins)
XB_CPU_ENTRY(second_spins)
XB_CPU_ENTRY(outside)
XB_CPU_ENTRY(first_faults)
XB_CPU_ENTRY(second_faults)
XB_CPU_ENTRY(by_zero)
XB_CPU_ENTRY(assertion)
XB_CPU_ENTRY(ptx)
XB_CPU_ENTRY(grid)
XB_CPU_ENTRY(behind_shared)
