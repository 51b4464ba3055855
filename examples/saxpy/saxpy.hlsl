/* y = a x + y */
#include "saxpy_args.h"

XB_ARGS(saxpy_args);
[[vk::binding(0, 0)]] StructuredBuffer<float> x : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<float> y : register(u1);

[numthreads(256, 1, 1)]
void saxpy(uint3 id : SV_DispatchThreadID)
{
  if (id.x < args.n)
    y[id.x] = args.a * x[id.x] + y[id.x];
}
