// Copy 2: 16 bytes per thread. Reductions and transposes are compared with it.
// Source: NVIDIA, CUDA C++ Best Practices Guide, section 8.2.2: the effective bandwidth of a copy.
#include "copy_args.h"
#include "entry.cuh"

XB_KERNEL void copy(const T4 *__restrict__ g_idata4, const T *__restrict__ g_idata, T4 *g_odata4, T *g_odata,
                    xb_copy_args args)
{
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x
  const uint n4 = args.n / 4;

  // [copy] one vector per thread
  for (uint r = 0; r < args.repeats; r++) {
    const uint at = i + r * args.repeat_stride;
    if (i < n4)
      g_odata4[at] = g_idata4[at];
  }

  // [rest] the last n % 4 elements, one by one
  const uint k = n4 * 4 + i;
  if (i < 4 && k < args.n)
    g_odata[k] = g_idata[k];
}

XB_ENTRIES(copy,
           (const T4 *__restrict__ g_idata4, const T *__restrict__ g_idata, T4 *g_odata4, T *g_odata,
            xb_copy_args args),
           (g_idata4, g_idata, g_odata4, g_odata, args))
