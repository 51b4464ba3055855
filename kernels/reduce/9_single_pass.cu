// Reduction 9: one dispatch. Vector loads, several in flight; few groups, each with much work; the last group to finish
// adds up the sums of all groups. Source of the idea: threadFenceReduction in the CUDA samples.
// Source: ours; none of the documents has it.
#include <cuda/atomic>

// Where a multiprocessor holds 2048 threads, two groups of 1024 must fit: 32 registers per thread. int32 would use 34.
#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900 || __CUDA_ARCH__ == 1000 || \
                               __CUDA_ARCH__ == 1030)
#define XB_RESIDENT_GROUPS(block) ((block) == 1024 ? 2 : 0)
#endif

#include "reduce_args.h"
#include "entry.cuh"

// Returns the group's sum to thread 0: 32 threads add a column each, and thread 0 adds their sums, 4 side by side. That
// takes fewer dependent steps than two rounds of shuffles, and works for any warp size.
template <typename T, typename T4, uint BLOCK> __device__ __forceinline__ T group_sum(T sum, uint tid)
{
  __shared__ T sdata[BLOCK];
  __shared__ T4 columns[8];
  sdata[tid] = sum;
  __syncthreads();
  if (tid < 32) {
    T column = 0;
    for (uint row = 0; row < BLOCK / 32; row += 2)
      column += sdata[row * 32 + tid] + sdata[(row + 1) * 32 + tid];
    (&columns[tid / 4].x)[tid % 4] = column;
  }
  __syncthreads();
  T4 total = {};
  if (tid == 0)
    for (uint c = 0; c < 8; c++)
      total += columns[c];
  return (total.x + total.y) + (total.z + total.w);
}

XB_KERNEL void reduce(const T4 *__restrict__ g_idata4, const T *__restrict__ g_idata, uint *g_partial, T *g_odata,
                      xb_reduce_args args)
{
  __shared__ uint next[2];
  const uint tid = threadIdx.x;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x);   // grid_x is gridDim.x, which HLSL lacks
  T *const partials = (T *)(g_partial + PARTIALS_OFFSET / 4); // a raw buffer is a pointer: no Load, Store, asfloat

  // [load] 4 vectors per thread in flight. Tiles are dealt to the groups in turn; where there is less than a tile per
  // group, the stride is the whole dispatch, so that all threads have equal work. Up to 3 vectors per thread remain.
  const uint n4 = args.n / 4;
  const uint dealt4 = BLOCK >= QUEUED_BLOCK ? args.dealt4 : n4;
  const uint threads = args.groups * BLOCK;
  const bool few = dealt4 <= threads * 4;
  const uint stride = few ? threads : BLOCK;
  T4 sum4 = {};
  uint i = group * (few ? BLOCK : BLOCK * 4) + tid;
  for (; i + 3 * stride < dealt4; i += threads * 4) {
    const T4 a = g_idata4[i];
    const T4 b = g_idata4[i + stride];
    const T4 c = g_idata4[i + 2 * stride];
    const T4 d = g_idata4[i + 3 * stride];
    sum4 += (a + b) + (c + d);
  }
  T4 a = {}, b = {}, c = {};
  if (i < dealt4)
    a = g_idata4[i];
  if (i + stride < dealt4)
    b = g_idata4[i + stride];
  if (i + 2 * stride < dealt4)
    c = g_idata4[i + 2 * stride];
  sum4 += (a + b) + c;

  // [take] the last eighth of a long sum, from a queue: faster groups take more tiles, so that no group waits for a
  // slower one. The number of the next tile is fetched while this tile is added. Then follow the last n % 4 elements.
  if (BLOCK >= QUEUED_BLOCK && dealt4 < n4 && group < args.groups) {
    if (tid == 0)
      next[0] = atomicAdd(&g_partial[args.queue], 1u);
    __syncthreads();
    for (uint turn = 0;; turn++) {
      const uint first = dealt4 + next[turn % 2] * BLOCK * 4;
      if (first >= n4)
        break;
      if (tid == 0)
        next[(turn + 1) % 2] = atomicAdd(&g_partial[args.queue], 1u);
      const uint j = first + tid;
      T4 e = {}, f = {}, g = {}, h = {};
      if (j < n4)
        e = g_idata4[j];
      if (j + BLOCK < n4)
        f = g_idata4[j + BLOCK];
      if (j + 2 * BLOCK < n4)
        g = g_idata4[j + 2 * BLOCK];
      if (j + 3 * BLOCK < n4)
        h = g_idata4[j + 3 * BLOCK];
      sum4 += (e + f) + (g + h);
      __syncthreads();
    }
  }
  T sum = (sum4.x + sum4.y) + (sum4.z + sum4.w);
  const uint k = n4 * 4 + tid;
  if (group == 0 && k < args.n)
    sum += g_idata[k];

  // [reduce] one warp does the rest
  const T total = group_sum<T, T4, BLOCK>(sum, tid);
  if (tid >= 32)
    return;

  // [exchange] store this group's sum, then count this group as done: a thread that sees the count also sees the sum
  uint done = 0;
  if (tid == 0 && group < args.groups) {
    partials[args.first_group + group] = total;
    cuda::atomic_ref<uint, cuda::thread_scope_device> counter(g_partial[0]);
    done = counter.fetch_add(1u, cuda::memory_order_acq_rel) + 1;
  }

  // [finish] the group that counted last sees the sums of all groups
  if (!__any_sync(0xffffffffu, done == args.all_groups))
    return;
  __syncwarp(); // the warp now sees what thread 0 sees
  T rest = 0;
  for (uint p = tid; p < args.all_groups; p += 4 * 32) {
    T e = partials[p], f = 0, g = 0, h = 0;
    if (p + 32 < args.all_groups)
      f = partials[p + 32];
    if (p + 2 * 32 < args.all_groups)
      g = partials[p + 2 * 32];
    if (p + 3 * 32 < args.all_groups)
      h = partials[p + 3 * 32];
    rest += (e + f) + (g + h);
  }
  for (uint s = 16; s > 0; s >>= 1)
    rest += __shfl_down_sync(0xffffffffu, rest, s);

  // [write] the result, and reset the counters
  if (tid == 0) {
    g_odata[0] = rest;
    g_partial[0] = 0u;
  }
  if (BLOCK >= QUEUED_BLOCK)
    for (uint q = tid + 1; q <= QUEUES; q += 32)
      g_partial[q] = 0u;
}

XB_ENTRIES(reduce,
           (const T4 *__restrict__ g_idata4, const T *__restrict__ g_idata, uint *g_partial, T *g_odata,
            xb_reduce_args args),
           (g_idata4, g_idata, g_partial, g_odata, args))
