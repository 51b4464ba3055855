#include "args.h"

XB_ARGS(count_args); // slot: texels
[[vk::binding(0, 0)]] Buffer<float4> from : register(t0);
[[vk::binding(1, 0)]] Buffer<float> more : register(t1);
[[vk::binding(2, 0)]] RWBuffer<float4> to : register(u0);
[[vk::binding(3, 0)]] RWBuffer<uint> sums : register(u1);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
  if (id.x >= args.slot)
    return;
  to[id.x] = 2 * from[id.x] + more[id.x];
  InterlockedAdd(sums[id.x % 4], id.x);
}
