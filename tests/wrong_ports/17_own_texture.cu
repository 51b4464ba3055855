// Wrong port 17: a texture that its own kernel writes. The mistake is in the host's code (cases.c): it filters in place, so
// the texture is made of the memory that the kernel writes. CUDA leaves undefined what such a read gives: the texture's
// cache may hold old texels. Both forms use this kernel.
#include "args.h"

// The first byte of a word, and of the next one, through a texture of bytes.
extern "C" __global__ void __launch_bounds__(64) port(cudaTextureObject_t texels, unsigned *output, groups_args args)
{
  const unsigned id = blockIdx.x * 64 + threadIdx.x, next = (id + 1) % (args.groups * 64);
  output[id] = (unsigned)(tex1Dfetch<float>(texels, (int)(id * 4)) * 255 + 0.5f) +
               (unsigned)(tex1Dfetch<float>(texels, (int)(next * 4)) * 255 + 0.5f);
}
