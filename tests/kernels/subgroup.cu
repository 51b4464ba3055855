extern "C" __global__ void __launch_bounds__(64) test(unsigned *output)
{
  output[blockIdx.x * 64 + threadIdx.x] = warpSize;
}
