// Wrong port 7: a 64-bit size truncated to 32. The buffers are one window of an array of n elements, the window with element
// 2^32; it begins at element `first`.
#include "args.h"

extern "C" __global__ void __launch_bounds__(64) port(const unsigned *__restrict__ input, unsigned *output,
                                                      window_args args)
{
  const unsigned id = blockIdx.x * 64 + threadIdx.x;
#ifdef WRONG
  const bool inside = args.first_low + id < args.n_low;
#else
  const uint64_t first = (uint64_t)args.first_high << 32 | args.first_low;
  const uint64_t n = (uint64_t)args.n_high << 32 | args.n_low;
  const bool inside = first + id < n;
#endif
  if (inside)
    output[id] = input[id] * 2;
}
