// Maximum 3: the largest element of each wave, then an atomic a wave.
// Source: ours; none of the documents has it.
#include "maximum_args.h"
#include "entry.cuh"

XB_KERNEL void maximum(const T *__restrict__ g_idata, uint *g_keys, xb_maximum_args args)
{
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x, which HLSL lacks

  // [maximum] threads past the end have the least key
  uint key = 0;
  if (i < args.n)
    key = KEY_OF(g_idata[i]);
  for (uint s = 16; s > 0; s >>= 1) // WaveActiveMax: a tree of shuffles; the first lane has the maximum
    key = max(key, __shfl_down_sync(0xffffffffu, key, s));
  if (threadIdx.x % 32 == 0)
    atomicMax(&g_keys[0], key);
}

XB_ENTRIES(maximum, (const T *__restrict__ g_idata, uint *g_keys, xb_maximum_args args), (g_idata, g_keys, args))
