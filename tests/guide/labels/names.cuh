// Names that projects give their own macros, aliases of types, and indices that go through variables.
#define FULL_MASK 0xffffffff
#define LANE_LOG 5
#define WARP_OF_THREAD (threadIdx.x >> LANE_LOG)
#define DEV_INLINE static __device__ __forceinline__

typedef double real;
template <typename K> struct Pair {
  K key;
  static constexpr int count = 2;
};

DEV_INLINE unsigned long long bit_of(int i)
{
  return 1ull << i;
}

__device__ unsigned lanes_of(bool wanted)
{
  const unsigned ballot = __ballot_sync(~0u, wanted);
  return ballot + __shfl_sync(FULL_MASK, ballot, 0);
}

template <typename T> __device__ T first_of(Pair<T> pair);

__global__ void add_all(real *sum, const real *values, int n)
{
  const int bx = blockIdx.x, tx = threadIdx.x;
  int i = bx * blockDim.x + tx;
  for (; i < n; i += (size_t)gridDim.x * blockDim.x)
    atomicAdd(&sum[0], values[i] + first_of<Pair<int>>(7));
  asm volatile("sub.f16x2 %0, %1, %2;" : "=r"(i) : "r"(i), "r"(n));
}

__global__ void each(float *values, int n)
{
  MY_1D_KERNEL_LOOP(i, n) values[i] = half_of(values[i]);
}

inline void run(float *values, int n)
{
  int normalized = 0, cublas_status = normalized;
  each<<<1, 256>>>(values, n);
  MY_CUDA_CHECK(cudaGetLastError());
}
