// Probes: textures and surfaces.
#include "declarations.cuh"

// probe: sample_texture
PROBE sample_texture(cudaTextureObject_t image, float *f_out, probe_args args)
{
  f_out[threadIdx.y * args.n + threadIdx.x] = tex2D<float>(image, threadIdx.x + 0.5f, threadIdx.y + 0.5f);
}

// probe: texel_buffer
PROBE texel_buffer(cudaTextureObject_t texels, float *f_out)
{
  f_out[threadIdx.x] = tex1Dfetch<float>(texels, (int)threadIdx.x);
}

// probe: surface
PROBE surface(cudaSurfaceObject_t surface_out, const float *f_in)
{
  surf2Dwrite(f_in[threadIdx.x], surface_out, (int)(threadIdx.x * sizeof(float)), (int)threadIdx.y);
}

// probe: layers
PROBE layers(cudaTextureObject_t sheets, cudaTextureObject_t sky, float *f_out, probe_args args)
{
  const float x = (threadIdx.x + 0.5f) / args.x, y = (threadIdx.y + 0.5f) / args.x;
  f_out[threadIdx.x] = tex2DLayered<float>(sheets, x, y, (int)threadIdx.z) + texCubemap<float>(sky, x, y, 1);
}

// probe: levels
PROBE levels(cudaTextureObject_t image, float *f_out, probe_args args)
{
  const float x = (threadIdx.x + 0.5f) / args.x, y = (threadIdx.y + 0.5f) / args.x;
  const float4 corners = tex2Dgather<float4>(image, x, y);
  f_out[threadIdx.x] = tex2DLod<float>(image, x, y, args.x) + corners.x;
}
