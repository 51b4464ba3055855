// Wrong port 3: threadIdx.x / 32 as the warp. It is, in a block of one dimension; this one has two, and its warps are cut
// from the linear index.
static const unsigned THREADS = 16 * 8;

extern "C" __global__ void __launch_bounds__(THREADS) port(const unsigned *__restrict__ input, unsigned *output)
{
  __shared__ unsigned sums[THREADS]; // one slot a warp would do; as in HLSL
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
  // CUDA promises how a block is cut into warps, of 32 threads each.
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
