// Banks: each thread walks through shared memory, and its wave keeps one access pattern all the way.
// Throughput with many waves, which hide each other's latency; latency with one wave.
// Source: NVIDIA, Optimizing CUDA, slide 'Bank Addressing Examples'.
#include "banks_args.h"
#include "entry.cuh"

XB_KERNEL void banks(uint *g_odata, xb_banks_args args)
{
  __shared__ uint words[BANKS_WORDS];

  const uint tid = threadIdx.x;
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + tid; // grid_x is gridDim.x, which HLSL lacks

  // [fill] a word is the index of the same place in another tile, so of a word in the same bank
  for (uint w = tid; w < BANKS_WORDS; w += BLOCK)
    words[w] = (w + args.next) % BANKS_WORDS;
  __syncthreads();

  if (i >= args.n) // a folded grid has groups too many at its end
    return;

  // [pattern] where the thread begins
  const uint lane = tid % BANKS_LANES;
  const uint row = lane * args.times % BANKS_LANES / args.share;
  uint at = row * args.stride + ((BANKS_COLUMN ^ lane) & args.swizzle);

  // [walk] each address is the word before, and the sum depends on all; unrolled, so that loads are most of the work
  uint sum = 0;
  for (uint r = 0; r < args.rounds; r++) {
#pragma unroll
    for (uint k = 0; k < BANKS_ROUND; k++) {
      at = words[at];
      sum += at;
    }
  }

  // [write] one sum a thread
  g_odata[i] = sum;
}

XB_ENTRIES(banks, (uint *g_odata, xb_banks_args args), (g_odata, args))
