// Probes: textures and surfaces.
#include "declarations.hlsl"

// probe: sample_texture
[[vk::binding(9, 0)]] Texture2D<float> image : register(t9);
[[vk::binding(10, 0)]] SamplerState nearest : register(s10);
[numthreads(8, 8, 1)]
void sample_texture(uint3 id : SV_DispatchThreadID)
{
  f_out[id.y * args.n + id.x] = image.SampleLevel(nearest, (id.xy + 0.5f) / args.x, 0); // the centre of a texel
}

// probe: texel_buffer
[[vk::binding(11, 0)]] Buffer<float> texels : register(t11);
[numthreads(64, 1, 1)]
void texel_buffer(uint3 id : SV_DispatchThreadID)
{
  f_out[id.x] = texels.Load(id.x);
}

// probe: surface
[[vk::binding(12, 0)]] RWTexture2D<float> surface_out : register(u12);
[numthreads(8, 8, 1)]
void surface(uint3 id : SV_DispatchThreadID)
{
  surface_out[id.xy] = f_in[id.x];
}
