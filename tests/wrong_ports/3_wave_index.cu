// Wrong port 3: threadIdx.x / 32 as the warp's index. That is right in a block of one dimension. This block has two, and
// warps follow the linear index.
static const unsigned THREADS = 16 * 8;

extern "C" __global__ void __launch_bounds__(THREADS) port(const unsigned *__restrict__ input, unsigned *output)
{
  __shared__ unsigned sums[THREADS]; // one slot per warp is enough; this size is as in HLSL
  const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
  sums[thread] = 0;
  __syncthreads();

  unsigned sum = input[blockIdx.x * THREADS + thread];
  for (unsigned s = 16; s > 0; s /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, s);
#ifdef WRONG
  if (threadIdx.x % 32 == 0)
    sums[threadIdx.x / 32] = sum;
#else
  // CUDA guarantees how a block is divided into warps of 32 threads.
  if (thread % 32 == 0)
    sums[thread / 32] = sum;
#endif
  __syncthreads();

  if (thread == 0) {
    unsigned total = 0;
    for (unsigned w = 0; w < THREADS; w++)
      total += sums[w];
    output[blockIdx.x] = total;
  }
}
