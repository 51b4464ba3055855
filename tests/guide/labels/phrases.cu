// Context decides on most of these: methods of groups, words of PTX, types of words; and names go by how they begin.
#include <cuda/atomic>

struct Grid {
  float *cells;
  int count;
};

__device__ float least(float (&values)[4], int &at)
{
  at <<= values[0] > 1e9 ? at : 2;
  return fminf(values[0], values[1]) * 0.5;
}

__device__ unsigned below()
{
  unsigned mask;
  asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
  asm volatile("fence.proxy.alias;");
  asm volatile("st.global.cs.u32 [%0], %1;" ::"l"(nullptr), "r"(mask));
  asm volatile("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(mask) : "f"(1.0f), "f"(2.0f));
  return mask;
}

__global__ void step(Grid grid_of, volatile float *flags, float **parts, unsigned long long *keys)
{
  __shared__ volatile float sums[64];
  auto grid = cooperative_groups::this_grid();
  auto block = cooperative_groups::this_thread_block();
  auto tile = cooperative_groups::tiled_partition<32>(block);
  auto active = cooperative_groups::coalesced_threads();
  const auto i = grid.thread_rank(), all = grid.size();
  sums[block.thread_rank()] = block.size() + tile.size() + active.size();
  tile.sync();
  block.sync();
  grid.sync();
  atomicMax(keys, 1ULL << tile.thread_rank());
  parts[0][i] = glm::length(glm::vec3(sums[0])) + all;
  flags[0] = tex2D<float>(image, 0.0f, 0.0f);
}

void host(cudaArray *array, dim3 blocks)
{
  cub::DeviceReduce::Sum(nullptr, bytes, in, out, n);
  thrust::host_vector<float> values(n);
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, a, 1, b, 1, &zero, c, 1);
  cudaMemAdvise(in, bytes, cudaMemAdviseSetPreferredLocation, 0);
  cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params);
  descriptor.addressMode[0] = cudaAddressModeWrap;
  descriptor.filterMode = cudaFilterModeLinear;
  MPI_Allreduce(MPI_IN_PLACE, out, 1, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  cudaIpcGetMemHandle(&of, out);
  cudaLaunchCooperativeKernel((void *)step, blocks, 64, arguments);
}

__device__ float loss_of_a_sum(const float *in, unsigned count)
{
  float sum = 0, lost = 0;
  for (unsigned k = 0; k < count; k++) {
    const float v = in[k], next = sum + v;
    lost += abs(sum) >= abs(v) ? (sum - next) + v : (v - next) + sum;
    sum = next;
  }
  const unsigned end = k + count, length = end - k;
  return sum + lost + length;
}

static constexpr int WIDTH = 16;

__global__ void steps_of_points(const float3 *points, float *out, int n)
{
  using namespace helpers;
  const int tid = threadIdx.x, bid = blockIdx.x;
  const int at = bid * WIDTH + tid;
  float product = points[at].x;
  product = product * out[at] + product;
  change(&out[at], product);
  if (tid < n) {
    out[at] = tid;
    __syncthreads();
  } else
    __syncthreads();
  for (int k = tid; k < n; k += WIDTH)
    __syncthreads();
  out[at] = (WIDTH * blockIdx.x + threadIdx.x) % n;
}

texture<float, 2, cudaReadModeElementType> plane;

__device__ int depth_of(int node, float3 *centres)
{
  return node ? 1 + depth_of(node / 2, centres) : 0;
}

void library(cublasHandle_t *handle)
{
  CUBLAS_CHECK(cublasCreate(handle));
}

__global__ void turned(float *out)
{
  __shared__ float tile[32][33];
  tile[threadIdx.x][threadIdx.y] = out[threadIdx.y];
}

__global__ void lanes(unsigned *out)
{
  out[threadIdx.x] = threadIdx.x & 31u;
}
