/* Each thread needs what two others wrote, so a group barrier that does nothing shows. */
extern "C" __global__ void __launch_bounds__(64) test(const unsigned *__restrict__ input, unsigned *output)
{
  __shared__ unsigned tile[64];
  const unsigned thread = threadIdx.x, id = blockIdx.x * 64 + thread;
  tile[thread] = input[id];
  __syncthreads();
  output[id] = tile[63 - thread] * 3 + tile[thread * 7 % 64];
}
