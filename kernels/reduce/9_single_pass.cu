// Reduction 9: one dispatch. Vector loads, several in flight, a grid sized to the device, and the last group of
// all adds up what the groups left. Source of the idea: threadFenceReduction in the CUDA samples.
#include "reduce_args.h"
#include "entry.cuh"

static const uint PARTIALS = 16; // byte offset of the first sum in g_partial

// The sum over the group, for thread 0: rung 8's.
template <typename T, uint BLOCK> __device__ __forceinline__ T group_sum(T sum, uint tid)
{
  __shared__ T sdata[BLOCK / 32]; // one slot a warp, and tid / 32 is the warp
  for (uint s = 16; s > 0; s >>= 1)
    sum += __shfl_down_sync(0xffffffffu, sum, s);
  if (tid % 32 == 0)
    sdata[tid / 32] = sum;
  __syncthreads();
  T total = 0;
  if (tid == 0)
    for (uint w = 0; w < BLOCK / 32; w++)
      total += sdata[w];
  return total;
}

XB_KERNEL void reduce(const T4 *__restrict__ g_idata4, const T *__restrict__ g_idata, uint *g_partial, T *g_odata,
                      xb_reduce_args args)
{
  __shared__ uint done;

  const uint tid = threadIdx.x;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  T *const partials = (T *)(g_partial + PARTIALS / 4);      // a raw buffer is a pointer: no Load, no Store, no asfloat

  // [load] tiles of 4 vectors a thread, four loads in flight, dealt to the groups in turn; then the last tile, which is
  // not whole; then the last n % 4 elements
  const uint n4 = args.n / 4;
  T4 sum4 = {};
  uint i = group * (BLOCK * 4) + tid;
  for (; i + 3 * BLOCK < n4; i += args.groups * (BLOCK * 4)) {
    const T4 a = g_idata4[i];
    const T4 b = g_idata4[i + BLOCK];
    const T4 c = g_idata4[i + 2 * BLOCK];
    const T4 d = g_idata4[i + 3 * BLOCK];
    sum4 += (a + b) + (c + d);
  }
  for (; i < n4; i += BLOCK)
    sum4 += g_idata4[i];
  T sum = (sum4.x + sum4.y) + (sum4.z + sum4.w);
  const uint k = n4 * 4 + tid;
  if (group == 0 && k < args.n)
    sum += g_idata[k];

  // [reduce]
  const T total = group_sum<T, BLOCK>(sum, tid);

  // [exchange] leave this group's sum, then count this group as done. The fence between keeps that order for others.
  if (tid == 0) {
    done = 0;
    if (group < args.groups) {
      partials[args.first_group + group] = total;
      __threadfence();
      done = atomicAdd(&g_partial[0], 1u) + 1;
      if (done == args.all_groups)
        __threadfence(); // not below: PTX wants it in the thread that counted, and the barrier carries it on
    }
  }
  __syncthreads();

  // [finish] the group that counted last sees the sums of all
  if (done != args.all_groups)
    return;
  T rest = 0;
  for (uint p = tid; p < args.all_groups; p += BLOCK)
    rest += partials[p];
  const T all = group_sum<T, BLOCK>(rest, tid);

  // [write] and leave the counter as it was found
  if (tid == 0) {
    g_odata[0] = all;
    g_partial[0] = 0u;
  }
}

XB_ENTRIES(reduce,
           (const T4 *__restrict__ g_idata4, const T *__restrict__ g_idata, uint *g_partial, T *g_odata,
            xb_reduce_args args),
           (g_idata4, g_idata, g_partial, g_odata, args))
