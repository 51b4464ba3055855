__global__ void softmax(const float *x, float *y, int n)
{
  __shared__ float total;
  float sum = 0;
  if (threadIdx.x == 0)
    total = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    sum += expf(x[blockIdx.x * n + i]);
  for (int offset = 16; offset > 0; offset /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, offset);
  __syncthreads();
  if (threadIdx.x % 32 == 0)
    atomicAdd(&total, sum);
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    y[blockIdx.x * n + i] = expf(x[blockIdx.x * n + i]) / total;
}
