// Wrong port 7: a 64-bit size truncated to 32. The buffers are one window of an array of n elements, the window with element
// 2^32; it begins at element `first`. HLSL has no size_t (SM 6.0's 64-bit integers are optional, and glslc has none).
#include "args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> input : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> output : register(u1);
XB_ARGS(window_args);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
  const uint low = args.first_low + id.x;
#ifdef WRONG
  const bool inside = low < args.n_low;
#else
  const uint high = args.first_high + (low < id.x ? 1 : 0); // the carry
  const bool inside = high < args.n_high || (high == args.n_high && low < args.n_low);
#endif
  if (inside)
    output[id.x] = input[id.x] * 2;
}
