#include <cuda_fp16.h>

struct outputs {
  __half half_out[64];
  short short_out[64];
  unsigned char byte_out[64];
};

extern "C" __global__ void __launch_bounds__(64)
    test(const __half *halves, const short *shorts, const unsigned char *bytes, outputs *out)
{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out->half_out[i] = __hfma(halves[i], __float2half(2), __float2half(1));
  out->short_out[i] = shorts[i] * 3;
  out->byte_out[i] = bytes[i] + 200;
}
