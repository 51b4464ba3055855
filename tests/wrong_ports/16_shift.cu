// Wrong port 16: a shift by as many bits as the word has. C++ leaves it undefined; code that nvcc makes gives 0, so many
// CUDA kernels rely on it. HLSL takes the shift modulo 32, so the word stays as it is.

// The thread's number modulo 33 is how many bits go.
extern "C" __global__ void __launch_bounds__(64) port(const unsigned *__restrict__ input, unsigned *output)
{
  const unsigned id = blockIdx.x * 64 + threadIdx.x, bits = id % 33;
#ifdef WRONG
  output[id] = input[id] >> bits;
#else
  output[id] = bits < 32 ? input[id] >> bits : 0;
#endif
}
