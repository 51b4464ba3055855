// L2 window: each thread reads one of the hot words, and writes one word of the stream. Threads of a stream that is longer than
// the hot words read them again and again. Nobody writes a hot word, so there is no race.
// Source: NVIDIA, CUDA C++ Best Practices Guide, section 9.2.2.1: without its race.
#include "l2window_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_hot : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_stream : register(u0);
XB_ARGS(xb_l2window_args);

[numthreads(BLOCK, 1, 1)]
void l2window(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint i = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + threadIdx.x;
  if (i >= args.n)
    return;

  // [stream] each word is another one, so that no hot word can be taken for another
  g_stream[i] = 2 * g_hot[i % args.hot] + i * L2WINDOW_FACTOR;
}
