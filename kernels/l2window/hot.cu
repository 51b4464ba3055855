// L2 window: each thread reads one of the hot words, and writes one word of the stream. Threads of a stream that is longer than
// the hot words read them again and again. Nobody writes a hot word, so there is no race.
// Source: NVIDIA, CUDA C++ Best Practices Guide, section 9.2.2.1: without its race.
#include "l2window_args.h"
#include "entry.cuh"

XB_KERNEL void l2window(const uint *__restrict__ g_hot, uint *g_stream, xb_l2window_args args)
{
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x, which HLSL lacks
  if (i >= args.n)
    return;

  // [stream] each word is another one, so that no hot word can be taken for another
  g_stream[i] = 2 * g_hot[i % args.hot] + i * L2WINDOW_FACTOR;
}

XB_ENTRIES(l2window, (const uint *__restrict__ g_hot, uint *g_stream, xb_l2window_args args), (g_hot, g_stream, args))
