// A sum by two kernels: each block adds its part, then one block adds the sums of the blocks.
#define THREADS 256

static __device__ int sum_of_block(int own)
{
  __shared__ int sum[THREADS];
  sum[threadIdx.x] = own;
  for (int half = THREADS / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      sum[threadIdx.x] += sum[threadIdx.x + half];
  }
  return sum[0];
}

__global__ void partial(const int *values, int *sums, int n)
{
  int own = 0;
  for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS)
    own += values[i];
  const int sum = sum_of_block(own);
  if (threadIdx.x == 0)
    sums[blockIdx.x] = sum;
}

__global__ void total(const int *sums, int *result, int count)
{
  const int sum = sum_of_block(threadIdx.x < count ? sums[threadIdx.x] : 0);
  if (threadIdx.x == 0)
    result[0] = sum;
}
