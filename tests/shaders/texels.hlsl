#include "args.h"

XB_ARGS(texels_args);
[[vk::binding(0, 0)]] Texture2D<float> image : register(t0);
[[vk::binding(0, 0)]] SamplerState image_sampler : register(s0); // of binding 0: a combined descriptor
[[vk::binding(1, 0)]] Buffer<float> texels : register(t1);
[[vk::binding(2, 0)]] StructuredBuffer<float2> places : register(t2);
[[vk::binding(3, 0)]] RWStructuredBuffer<float> output : register(u0);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
  if (id.x < args.count)
    output[id.x] = image.SampleLevel(image_sampler, places[id.x], 0);
  if (id.x < args.texels)
    output[args.count + id.x] = texels[id.x];
}
