// Adjacent difference 5: 16 bytes per thread; the neighbour comes from the lane before.
// Source: ours; none of the documents has it.
#include "adjacent_args.h"
#include "entry.cuh"

XB_KERNEL void adjacent(const T4 *__restrict__ g_idata4, const T *__restrict__ g_idata, T4 *g_odata4, T *g_odata,
                        xb_adjacent_args args)
{
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x, which HLSL lacks
  const uint n4 = args.n / 4;

  // [load] threads past the end load the last vector: all lanes have to take part in the exchange
  if (n4 > 0) {
    const uint at4 = min(i, n4 - 1) + args.lead / 4;
    const T4 x = g_idata4[at4];

    // [exchange] the neighbour is in the lane before; the first lane loads it. In CUDA the lane is tid % 32
    T before = __shfl_up_sync(0xffffffffu, x.w, 1);
    const bool alone = threadIdx.x % 32 == 0;
    if (alone && at4 > 0)
      before = g_idata[at4 * 4 - 1];

    // [difference] four a thread
    T4 d;
    d.x = x.x - before;
    d.y = x.y - x.x;
    d.z = x.z - x.y;
    d.w = x.w - x.z;

    // [write] the first element of all has no neighbour and is not written
    if (i < n4 && at4 > 0) {
      g_odata4[i] = d;
    } else if (i == 0) {
      g_odata[1] = d.y;
      g_odata[2] = d.z;
      g_odata[3] = d.w;
    }
  }

  // [rest] the last n % 4 elements, one by one
  const uint k = n4 * 4 + i, at = k + args.lead;
  if (i < 4 && k < args.n && at > 0)
    g_odata[k] = g_idata[at] - g_idata[at - 1];
}

XB_ENTRIES(adjacent,
           (const T4 *__restrict__ g_idata4, const T *__restrict__ g_idata, T4 *g_odata4, T *g_odata,
            xb_adjacent_args args),
           (g_idata4, g_idata, g_odata4, g_odata, args))
