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

// probe: layers
[[vk::binding(13, 0)]] Texture2DArray<float> sheets : register(t13);
[[vk::binding(14, 0)]] TextureCube<float> sky : register(t14);
[numthreads(8, 8, 1)]
void layers(uint3 id : SV_DispatchThreadID)
{
  const float2 at = (id.xy + 0.5f) / args.x;
  f_out[id.x] = sheets.SampleLevel(nearest, float3(at, id.z), 0) + sky.SampleLevel(nearest, float3(at, 1), 0);
}

// probe: levels
[numthreads(8, 8, 1)]
void levels(uint3 id : SV_DispatchThreadID)
{
  const float4 corners = image.Gather(nearest, (id.xy + 0.5f) / args.x);
  f_out[id.x] = image.SampleLevel(nearest, (id.xy + 0.5f) / args.x, args.x) + corners.x;
}
