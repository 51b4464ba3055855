// A source to scan: a reduction by groups of threads, atomics of several types, and what only the context tells.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

struct range {
  unsigned int begin, end;
};
struct filter {
  float weights[9];
};

__device__ unsigned int finished;
__constant__ float coefficients[16];

template <typename T, unsigned int BLOCK> __device__ T sum_of_block(cg::thread_block block, T x)
{
  extern __shared__ T scratch[];
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  x = cg::reduce(tile, x, cg::plus<T>());
  if (tile.thread_rank() == 0)
    scratch[tile.meta_group_rank()] = x;
  block.sync();
  return block.thread_rank() == 0 ? scratch[0] : x;
}

template <unsigned int BLOCK>
__global__ void __launch_bounds__(BLOCK, 2)
    sums(const float *__restrict__ in, float *out, double *total, unsigned long long *steps, range r, filter f)
{
  const float values[] = {1'000.0f, 0xffp0f};
  float sum = values[0];
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < r.end; i += gridDim.x * blockDim.x)
    sum += in[i] * f.weights[i % 9];
  sum = sum_of_block<float, BLOCK>(cg::this_thread_block(), sum);
  if (threadIdx.x == 0) {
    atomicAdd(out, sum);
    atomicAdd(total, (double)sum);
    atomicAdd(steps, 1ull);
    __threadfence();
    if (atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1)
      printf("%s", R"(the last __shfl_sync block)");
  }
}

#if 0
__global__ void left_out() { __syncwarp(); }
#endif

template <unsigned int BLOCK>
cudaError_t run(const float *in, float *out, double *total, unsigned long long *steps, cudaStream_t stream)
{
  char name[16] = "sums";
  bool good = new int[2] != nullptr;
  printf("%s %d\n", name, good);
  sums<BLOCK><<<64, BLOCK, 32 * sizeof(float), stream>>>(in, out, total, steps, {0, 1000}, {});
  // clang-format off
  sums<BLOCK> << <64, BLOCK >> >(in, out, total, steps, {0, 1000}, {});
  // clang-format on
  return cudaGetLastError();
}
