// Wrong port 2: no barrier below 32 threads, because the 32 threads of a warp ran in lockstep before Volta. `volatile` only
// keeps the compiler from caching values in registers; it does not order accesses of different threads.
extern "C" __global__ void __launch_bounds__(64) port(const unsigned *__restrict__ input, unsigned *output)
{
  __shared__ unsigned tile[64];
  const unsigned thread = threadIdx.x;
  tile[thread] = input[blockIdx.x * 64 + thread];
  __syncthreads();
#ifdef WRONG
  if (thread < 32) {
    volatile unsigned *t = tile;
    t[thread] += t[thread + 32];
    t[thread] += t[thread + 16];
    t[thread] += t[thread + 8];
    t[thread] += t[thread + 4];
    t[thread] += t[thread + 2];
    t[thread] += t[thread + 1];
  }
#else
  // CUDA has a barrier for a warp, so the other warp does not wait.
  if (thread < 32) {
#pragma unroll
    for (unsigned s = 32; s > 0; s /= 2) {
      if (thread < s)
        tile[thread] += tile[thread + s];
      __syncwarp();
    }
  }
#endif
  if (thread == 0)
    output[blockIdx.x] = tile[0];
}
