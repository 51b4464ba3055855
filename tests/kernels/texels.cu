#include "args.h"

extern "C" __global__ void __launch_bounds__(64) test(cudaTextureObject_t image, cudaTextureObject_t texels,
                                                      const float2 *__restrict__ places, float *output,
                                                      texels_args args)
{
  const unsigned id = blockIdx.x * 64 + threadIdx.x;
  if (id < args.count)
    output[id] = tex2D<float>(image, places[id].x, places[id].y);
  if (id < args.texels)
    output[args.count + id] = tex1Dfetch<float>(texels, (int)id);
}
