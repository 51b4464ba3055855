// Adjacent difference 4: 16 bytes per thread. One load of a neighbour serves four elements.
// Source: ours; none of the documents has it.
#include "adjacent_args.h"
#include "entry.cuh"

XB_KERNEL void adjacent(const T4 *__restrict__ g_idata4, const T *__restrict__ g_idata, T4 *g_odata4, T *g_odata,
                        xb_adjacent_args args)
{
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x, which HLSL lacks
  const uint n4 = args.n / 4;
  const uint at4 = i + args.lead / 4;

  // [load] the neighbour is in the vector before. Another thread loads that, so it comes from the cache
  if (i < n4) {
    const T4 x = g_idata4[at4];
    T before = 0;
    if (at4 > 0)
      before = g_idata[at4 * 4 - 1];

    // [difference] four a thread
    T4 d;
    d.x = x.x - before;
    d.y = x.y - x.x;
    d.z = x.z - x.y;
    d.w = x.w - x.z;

    // [write] the first element of all has no neighbour and is not written
    if (at4 > 0) {
      g_odata4[i] = d;
    } else {
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
