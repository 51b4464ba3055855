// Functions and macros that projects put around CUDA's, casts of pointers, and lanes that go through variables.
#include <torch/extension.h>

#define CHECK_CUDA(x) TORCH_CHECK(x.is_cuda(), "not on the device")
#define LOAD4(at) (reinterpret_cast<const float4 *>(at)[0])

__device__ void add_halves(volatile float *sums, unsigned int at)
{
  sums[at] += sums[at + 16];
}

template <bool WIDE> __global__ void each(const Params p, const float *in, float *out)
{
  const int width = 32, lane_width = width, tx = threadIdx.x;
  const int lane = tx % lane_width, next = p.first[lane] % width;
  auto warp = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
  const float4 four = LOAD4(in);
  float sum = warp_reduce_sum(four.x);
  if constexpr (WIDE)
    sum += ((float4 *)in)[1].y;
  sum += lane < p.count ? in[next] : 0.0f;
  projectAtomicAdd(out + lane, sum + (1 << Project::SHIFT));
}

void run(torch::Tensor values, const Params &p)
{
  CHECK_CUDA(values);
  each<true><<<1, 256>>>(p, values.data_ptr<float>(), nullptr);
  succeeds(cudaGetLastError());
  must(p.device, cuCtxSynchronize());
  printf("%s\n", text_of(cudaGetErrorString(cudaSuccess)));
}

template void apply<at::Half>(torch::Tensor values);

__global__ void greatest(const float *in, float *out, int n)
{
  reduce(in, fmaxf, projectAtomicFmax)
}

void launch(const float *in, float *out, int n)
{
  const dim3 gridDim(1);
  greatest<<<gridDim, 256>>>(in, out, n);
  GPU_CHECK_KERNEL
}

__global__ void follows(int *out)
{
  cudaGridDependencySynchronize();
#pragma unroll 4
  for (int i = 0; i < 8; i++)
    out[i] = i;
#pragma unroll 1
  for (int i = 8; i < 16; i++)
    out[i] = i;
  cudaTriggerProgrammaticLaunchCompletion();
  out[16] = (int)(0.5f * threadIdx.y);
}
