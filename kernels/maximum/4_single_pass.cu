// Maximum 4: one dispatch. Vector loads, several in flight; few groups, each with much work, an atomic a group; the
// last group to finish writes the result. As the reduction's rung 9, but an atomic replaces the partial results.
// Source: ours; none of the documents has it.
#include <cuda/atomic>

// Where a multiprocessor holds 2048 threads, two groups of 1024 must fit: 32 registers per thread.
#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900 || __CUDA_ARCH__ == 1000 || \
                               __CUDA_ARCH__ == 1030)
#define XB_RESIDENT_GROUPS(block) ((block) == 1024 ? 2 : 0)
#endif

#include "maximum_args.h"
#include "entry.cuh"

using word_of = cuda::atomic_ref<uint, cuda::thread_scope_device>;

// The largest key of a vector.
template <typename T4> __device__ __forceinline__ uint largest(T4 v)
{
  return max(max(KEY_OF(v.x), KEY_OF(v.y)), max(KEY_OF(v.z), KEY_OF(v.w)));
}

XB_KERNEL void maximum(const T4 *__restrict__ g_idata4, const T *__restrict__ g_idata, uint *g_state, T *g_odata,
                       xb_maximum_args args)
{
  __shared__ uint next[2];
  __shared__ uint of_group;
  __shared__ bool last; // this group counted last

  const uint tid = threadIdx.x;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  if (group >= args.groups)                                 // a folded grid has groups too many at its end
    return;
  if (tid == 0)
    of_group = 0;

  // [load] 4 vectors per thread in flight. Tiles are dealt to the groups in turn; where there is less than a tile per
  // group, the stride is the whole dispatch, so that all threads have equal work. Up to 3 vectors per thread remain.
  const uint n4 = args.n / 4;
  const uint dealt4 = BLOCK >= QUEUED_BLOCK ? args.dealt4 : n4;
  const uint threads = args.groups * BLOCK;
  const bool few = dealt4 <= threads * 4;
  const uint stride = few ? threads : BLOCK;
  uint key = 0;
  uint i = group * (few ? BLOCK : BLOCK * 4) + tid;
  for (; i + 3 * stride < dealt4; i += threads * 4) {
    const T4 a = g_idata4[i];
    const T4 b = g_idata4[i + stride];
    const T4 c = g_idata4[i + 2 * stride];
    const T4 d = g_idata4[i + 3 * stride];
    key = max(key, max(max(largest(a), largest(b)), max(largest(c), largest(d))));
  }
  for (uint r = 0; r < 3; r++, i += stride)
    if (i < dealt4)
      key = max(key, largest(g_idata4[i]));
  __syncthreads();

  // [take] the last eighth of a long input, from a queue: faster groups take more tiles, so that no group waits for a
  // slower one. The number of the next tile is fetched while this tile is read. Then follow the last n % 4 elements.
  if (BLOCK >= QUEUED_BLOCK && dealt4 < n4) {
    if (tid == 0)
      next[0] = atomicAdd(&g_state[args.queue], 1u);
    __syncthreads();
    for (uint turn = 0;; turn++) {
      const uint first = dealt4 + next[turn % 2] * BLOCK * 4;
      if (first >= n4)
        break;
      if (tid == 0)
        next[(turn + 1) % 2] = atomicAdd(&g_state[args.queue], 1u);
      const uint j = first + tid;
      if (j + 3 * BLOCK < n4) {
        const T4 a = g_idata4[j];
        const T4 b = g_idata4[j + BLOCK];
        const T4 c = g_idata4[j + 2 * BLOCK];
        const T4 d = g_idata4[j + 3 * BLOCK];
        key = max(key, max(max(largest(a), largest(b)), max(largest(c), largest(d))));
      } else {
        for (uint e = j; e < n4; e += BLOCK)
          key = max(key, largest(g_idata4[e]));
      }
      __syncthreads();
    }
  }
  const uint k = n4 * 4 + tid;
  if (group == 0 && k < args.n)
    key = max(key, KEY_OF(g_idata[k]));

  // [group] the largest key of the wave, then of the group
  for (uint s = 16; s > 0; s >>= 1) // WaveActiveMax: a tree of shuffles; the first lane has the maximum
    key = max(key, __shfl_down_sync(0xffffffffu, key, s));
  if (tid % 32 == 0)
    atomicMax(&of_group, key);
  __syncthreads();

  // [exchange] hand on this group's key, then count this group as done: a thread that sees the count also sees the key
  if (tid == 0) {
    word_of(g_state[STATE_KEY]).fetch_max(of_group, cuda::memory_order_relaxed);
    const uint done = word_of(g_state[0]).fetch_add(1u, cuda::memory_order_acq_rel) + 1;
    last = done == args.all_groups;

    // [write] the group that counted last: the result, and the state is reset
    if (last) {
      g_odata[0] = ELEMENT_OF(word_of(g_state[STATE_KEY]).load(cuda::memory_order_relaxed));
      g_state[0] = 0u;
      g_state[STATE_KEY] = 0u;
    }
  }
  if (BLOCK < QUEUED_BLOCK)
    return;
  __syncthreads();
  if (last && tid >= STATE_QUEUES && tid < STATE_KEY)
    g_state[tid] = 0u;
}

XB_ENTRIES(maximum,
           (const T4 *__restrict__ g_idata4, const T *__restrict__ g_idata, uint *g_state, T *g_odata,
            xb_maximum_args args),
           (g_idata4, g_idata, g_state, g_odata, args))
