// Wrong port 5: no fence. In CUDA C++ the fence gives coherence: __threadfence makes this thread's stores visible to the
// device, and its later loads do not get old values from the multiprocessor's cache.
#include "args.h"

// Each group adds its sum to its slot, so its cache then has the current values of the neighbouring slots. The group that
// finishes last adds up the slots and clears them. Word 0 of `exchange`: groups that are done; then one slot per group.
extern "C" __global__ void __launch_bounds__(64) port(const unsigned *__restrict__ input, unsigned *output,
                                                      unsigned *exchange, groups_args args)
{
  __shared__ unsigned sum;
  __shared__ unsigned done;
  const unsigned thread = threadIdx.x;
  if (thread == 0)
    sum = 0;
  __syncthreads();
  atomicAdd(&sum, input[blockIdx.x * 64 + thread]);
  __syncthreads();
  if (thread == 0) {
    exchange[1 + blockIdx.x] += sum;
#ifndef WRONG
    __threadfence();
#endif
    done = atomicAdd(&exchange[0], 1u) + 1;
#ifndef WRONG
    __threadfence();
#endif
    sum = 0;
  }
  __syncthreads();
  if (done != args.groups)
    return;
  unsigned total = 0;
  for (unsigned i = thread; i < args.groups; i += 64) {
    total += exchange[1 + i];
    exchange[1 + i] = 0u;
  }
  atomicAdd(&sum, total);
  __syncthreads();
  if (thread == 0) {
    output[0] = sum;
    exchange[0] = 0u;
  }
}
