// One group replaces the sums of all tiles by the sums of all tiles before each.
// Source: ours; none of the documents has it.
#include "scan_args.h"
#include "entry.cuh"

XB_KERNEL void scan(T *g_sums, xb_scan_args args)
{
  __shared__ T sdata[BLOCK];

  const uint tid = threadIdx.x;
  T carry = 0;
  for (uint first = 0; first < args.n; first += BLOCK * THREAD_ELEMENTS) {
    // [load] each thread has neighbours: few sums are read, so coalescing is worth little
    const uint mine = first + tid * THREAD_ELEMENTS;
    T v[THREAD_ELEMENTS], sum = 0;
    uint k;
    for (k = 0; k < THREAD_ELEMENTS; k++) {
      v[k] = 0;
      if (mine + k < args.n)
        v[k] = g_sums[mine + k];
      sum += v[k];
    }

    // [scan] the sums of the threads, in log2(BLOCK) steps
    sdata[tid] = sum;
    __syncthreads();
    for (uint d = 1; d < BLOCK; d *= 2) {
      T below = 0;
      if (tid >= d)
        below = sdata[tid - d];
      __syncthreads();
      sdata[tid] += below;
      __syncthreads();
    }
    T before = carry;
    if (tid > 0)
      before += sdata[tid - 1];
    carry += sdata[BLOCK - 1];

    // [write]
    for (k = 0; k < THREAD_ELEMENTS; k++) {
      if (mine + k < args.n)
        g_sums[mine + k] = before;
      before += v[k];
    }
    __syncthreads();
  }
}

XB_ENTRIES(scan, (T *g_sums, xb_scan_args args), (g_sums, args))
