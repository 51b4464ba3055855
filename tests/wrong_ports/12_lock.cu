// Wrong port 12: a lock that the lanes of one wave wait for. Where lanes run in step, the lane that has the lock waits at
// the end of the loop for the others, and they wait for the lock. From compute capability 7.0 on CUDA promises that this
// ends. Here each lane gives up after TRIES. (What the lock protects would also need fences.)
#include "args.h"

#define TRIES 4096

// Two words of `output` for each group: how many elements were added, and their sum.
extern "C" __global__ void __launch_bounds__(64) port(const unsigned *__restrict__ input, unsigned *output)
{
  __shared__ unsigned count, sum;
  [[maybe_unused]] __shared__ unsigned lock;
  const unsigned thread = threadIdx.x, x = input[blockIdx.x * 64 + thread];
  if (thread == 0)
    count = sum = lock = 0;
  __syncthreads();
#ifdef WRONG
  unsigned before = 1;
  for (unsigned tries = 0; tries < TRIES && before != 0; tries++)
    before = atomicCAS(&lock, 0u, 1u);
  if (before == 0) {
    count = count + 1;
    sum = sum + x;
    atomicExch(&lock, 0u);
  }
#else
  atomicAdd(&count, 1u); // an atomic for each word holds nothing that others wait for
  atomicAdd(&sum, x);
#endif
  __syncthreads();
  if (thread == 0) {
    output[2 * blockIdx.x] = count;
    output[2 * blockIdx.x + 1] = sum;
  }
}
