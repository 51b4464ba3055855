#include <cuda_fp16.h>

// Sums of products of 16-bit floats, one for each block of 256 threads. A thread takes two products, in 32 bits.
__global__ void dot_partial(unsigned int pairs, const __half2 *a, const __half2 *b, float *sums)
{
  __shared__ float sum[256];
  const unsigned int i = blockIdx.x * 256 + threadIdx.x;
  float own = 0;
  if (i < pairs) {
    const float2 x = __half22float2(a[i]), y = __half22float2(b[i]);
    own = x.x * y.x + x.y * y.y;
  }
  sum[threadIdx.x] = own;
  for (unsigned int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      sum[threadIdx.x] += sum[threadIdx.x + half];
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = sum[0];
}
