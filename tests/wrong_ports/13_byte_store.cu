// Wrong port 13: a byte is stored by a read and a write of its word. CUDA has byte stores; a kernel that packs bytes into
// words by itself has the mistake as well: the threads of the other three bytes do the same at the same time.
#include "args.h"

// The low byte of each element.
extern "C" __global__ void __launch_bounds__(64) port(const unsigned *__restrict__ input, unsigned *output)
{
  const unsigned id = blockIdx.x * 64 + threadIdx.x;
#ifdef WRONG
  const unsigned at = id / 4, bit = id % 4 * 8, bits = (input[id] & 255u) << bit;
  output[at] = (output[at] & ~(255u << bit)) | bits;
#else
  reinterpret_cast<unsigned char *>(output)[id] = (unsigned char)input[id];
#endif
}
