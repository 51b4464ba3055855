/* Each thread reads words that two others wrote, so the result is wrong if the group barrier does nothing. */
extern "C" __global__ void __launch_bounds__(64) test(const unsigned *__restrict__ input, unsigned *output)
{
  __shared__ unsigned tile[64];
  const unsigned thread = threadIdx.x, id = blockIdx.x * 64 + thread;
  tile[thread] = input[id];
  __syncthreads();
  output[id] = tile[63 - thread] * 3 + tile[thread * 7 % 64];
}
