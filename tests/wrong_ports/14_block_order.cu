// Wrong port 14: each block waits for the one with the number before. CUDA does not say that blocks begin in the order of
// their numbers: where later ones take all places first, none of them ends. So a block takes its tile when it begins.
#include "args.h"

#define NOT_YET 0x5EEDF00Du // what `output` has before a run

// Each group adds its sum to that of all groups before it. Word 0 of `exchange`: groups that have begun.
extern "C" __global__ void __launch_bounds__(64) port(const unsigned *__restrict__ input, unsigned *output,
                                                      unsigned *exchange, groups_args args)
{
  __shared__ unsigned sum, tile;
  const unsigned thread = threadIdx.x;
  if (thread == 0) {
    sum = 0;
    const unsigned began = atomicAdd(&exchange[0], 1u);
    if (began + 1 == args.groups)
      atomicExch(&exchange[0], 0u);
#ifdef WRONG
    tile = blockIdx.x;
#else
    tile = began;
#endif
  }
  __syncthreads();
  atomicAdd(&sum, input[tile * 64 + thread]);
  __syncthreads();
  if (thread != 0)
    return;
  unsigned before = tile > 0 ? NOT_YET : 0;
  while (before == NOT_YET)
    before = atomicAdd(&output[tile - 1], 0u);
  atomicExch(&output[tile], before + sum);
}
