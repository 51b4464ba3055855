// A source to scan: PTX, operators, loops, and device functions in host code.
#pragma once
#include <cuda_fp16.h>

typedef float (*function)(float);
using word = unsigned int;

union bits {
  float f;
  unsigned int u;
};

__device__ __forceinline__ unsigned int lane_of_thread()
{
  unsigned int lane;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

__device__ void copy_16(unsigned int to, const void *from)
{
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from));
}

__global__ void mixed(const half2 *in, volatile unsigned int *flags, int *out, int n, bool inverse, int shift)
{
  __shared__ unsigned int bins[64];
  const int lane = threadIdx.x % warpSize, warp = threadIdx.x / 32;
  if (threadIdx.x >= 48)
    return;
// clang-format off
#  pragma unroll
  // clang-format on
  for (int i = 0; i < 4; i++)
    atomicAdd(&bins[i], 1u << shift);
  __syncthreads();
  const float x = __low2float(in[lane]) + fminf(__expf(2.0f), sqrtf(3.0f));
  unsigned int mask = __ballot_sync(0xffffffff, x > 0);
  mask = __shfl_up_sync(0xFFFFFFFFu, mask, 1);
  if (n > 0 && flags[warp] != 0)
    out[threadIdx.x] = (n - lane) % n + (inverse ? __popc(mask) : 0) + (8 << 2);
}

__global__ void parent(int *out, int depth)
{
  if (depth > 0)
    parent<<<1, 1>>>(out, depth - 1);
}

void host(float *data, size_t bytes)
{
  cudaMemPool_t pool;
  cudaGraph_t graph;
  cudaGraphExecUpdateResultInfo result;
  cudaDeviceGetDefaultMemPool(&pool, 0);
  cudaMallocAsync((void **)&data, bytes, 0);
  cudaGraphExecUpdate(nullptr, graph, &result);
  cudaMemcpy2D(data, 64, data, 64, 64, 1, cudaMemcpyDeviceToDevice);
  auto twice = [=] __device__(float x) { return powf(x, 2.0f); };
  double assertion = sqrt(2.0);
  assert(assertion > 1);
  cudaOfNoRow(twice);
}
