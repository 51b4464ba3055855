// Wrong port 15: a sum in shared memory that nobody sets to 0. Shared memory has what the last block left there.
extern "C" __global__ void __launch_bounds__(64) port(const unsigned *__restrict__ input, unsigned *output)
{
  __shared__ unsigned sum;
  const unsigned thread = threadIdx.x;
#ifndef WRONG
  if (thread == 0)
    sum = 0;
  __syncthreads();
#endif
  atomicAdd(&sum, input[blockIdx.x * 64 + thread]);
  __syncthreads();
  if (thread == 0)
    output[blockIdx.x] = sum;
}
