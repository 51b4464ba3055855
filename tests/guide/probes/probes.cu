// The twins of probes.hlsl, entry by entry. Nothing here runs.
#include <cuda/atomic>
#include <cuda_pipeline.h>

#include "xb/abi.h"

typedef unsigned int uint;
#define PROBE extern "C" __global__ void
struct probe_args {
  uint n, a;
  float x;
};
__constant__ uint table_entries[4];

// probe: ids
PROBE ids(uint *g_out)
{
  const uint d = threadIdx.x;
  g_out[d] = threadIdx.x + blockIdx.x + (blockIdx.x * blockDim.x + threadIdx.x);
}

// probe: group_size
PROBE __launch_bounds__(64) group_size(uint *g_out)
{
  g_out[blockIdx.x * blockDim.x] = blockDim.x + gridDim.x;
}

// probe: arguments
PROBE arguments(uint *g_out, probe_args args)
{
  if (threadIdx.x < args.n)
    g_out[threadIdx.x] = args.a;
}

// probe: read_only
PROBE read_only(const float *__restrict__ f_in, float *f_out)
{
  f_out[threadIdx.x] = __ldg(&f_in[threadIdx.x]);
}

// probe: raw_buffer
PROBE raw_buffer(char *g_raw)
{
  *(uint *)(g_raw + 4 * threadIdx.x) = *(uint *)(g_raw + 4 * threadIdx.x + 256);
}

// probe: constants
PROBE constants(uint *g_out) // of __constant__ uint table_entries[4]
{
  g_out[threadIdx.x] = table_entries[threadIdx.x & 3];
}

// probe: bits
PROBE bits(const float *f_in, const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x] = __float_as_uint(f_in[threadIdx.x]) | __float_as_uint(__uint_as_float(g_in[threadIdx.x]) + 1);
}

// probe: vectors
PROBE vectors(const float4 *__restrict__ v_in, float *f_out)
{
  const float4 v = v_in[threadIdx.x];
  f_out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

// probe: shared_memory
PROBE shared_memory(const uint *g_in, uint *g_out)
{
  __shared__ uint tile[64];
  tile[threadIdx.x] = g_in[threadIdx.x];
  __syncthreads();
  g_out[threadIdx.x] = tile[63 - threadIdx.x];
}

// probe: shared_dynamic
PROBE shared_dynamic(const uint *g_in, uint *g_out)
{
  extern __shared__ uint sized_at_launch[];
  sized_at_launch[threadIdx.x] = g_in[threadIdx.x];
  __syncthreads();
  g_out[threadIdx.x] = sized_at_launch[63 - threadIdx.x];
}

// probe: shared_atomic
PROBE shared_atomic(uint *g_out)
{
  __shared__ uint tile[64];
  atomicAdd(&tile[threadIdx.x & 1], 1u);
  __syncthreads();
  g_out[threadIdx.x] = tile[0];
}

// probe: barrier_all
PROBE barrier_all(uint *g_out)
{
  __shared__ uint tile[64];
  g_out[threadIdx.x] = threadIdx.x;
  __syncthreads();
  tile[threadIdx.x] = g_out[63 - threadIdx.x];
  g_out[threadIdx.x + 64] = tile[threadIdx.x];
}

// probe: fence_group
PROBE fence_group(uint *g_out)
{
  g_out[threadIdx.x] = threadIdx.x;
  __threadfence_block();
  g_out[threadIdx.x + 64] = threadIdx.x;
}

// probe: fence_device
PROBE fence_device(uint *g_raw)
{
  g_raw[threadIdx.x] = threadIdx.x;
  __threadfence();
  atomicAdd(&g_raw[256], 1u);
}

// probe: fence_system
PROBE fence_system(uint *g_out)
{
  g_out[threadIdx.x] = threadIdx.x;
  __threadfence_system();
  g_out[threadIdx.x + 64] = threadIdx.x;
}

// probe: sync_warp
PROBE sync_warp(const uint *g_in, uint *g_out)
{
  __shared__ uint tile[64];
  tile[threadIdx.x] = g_in[threadIdx.x];
  __syncwarp();
  g_out[threadIdx.x] = tile[threadIdx.x ^ 1];
}

// probe: sync_count
PROBE sync_count(const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x] = __syncthreads_count(g_in[threadIdx.x] > 3);
}

// probe: release
PROBE release(uint *g_raw, uint *g_out)
{
  g_raw[threadIdx.x + 1] = threadIdx.x;
  cuda::atomic_ref<uint, cuda::thread_scope_device> counter(g_raw[0]);
  g_out[threadIdx.x] = counter.fetch_add(1u, cuda::memory_order_acq_rel);
}

// probe: async_copy
PROBE async_copy(const uint *g_in, uint *g_out)
{
  __shared__ uint tile[64];
  __pipeline_memcpy_async(&tile[threadIdx.x], &g_in[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  g_out[threadIdx.x] = tile[63 - threadIdx.x];
}

// probe: wave_size
PROBE wave_size(uint *g_out)
{
  g_out[threadIdx.x] = warpSize;
}

// probe: lane
PROBE lane(uint *g_out)
{
  g_out[threadIdx.x] = threadIdx.x % warpSize;
}

// probe: shuffle
PROBE shuffle(const uint *g_in, uint *g_out, probe_args args)
{
  g_out[threadIdx.x] = __shfl_sync(0xffffffffu, g_in[threadIdx.x], args.a);
}

// probe: broadcast
PROBE broadcast(const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x] = __shfl_sync(0xffffffffu, g_in[threadIdx.x], 0);
}

// probe: shuffle_xor
PROBE shuffle_xor(const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x] = __shfl_xor_sync(0xffffffffu, g_in[threadIdx.x], 1);
}

// probe: ballot
PROBE ballot(const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x] = __ballot_sync(0xffffffffu, g_in[threadIdx.x] > 3);
}

// probe: any
PROBE any(const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x] = __any_sync(0xffffffffu, g_in[threadIdx.x] > 3);
}

// probe: all
PROBE all(const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x] = __all_sync(0xffffffffu, g_in[threadIdx.x] > 3);
}

// probe: count_lanes
PROBE count_lanes(const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x] = __popc(__ballot_sync(0xffffffffu, g_in[threadIdx.x] > 3));
}

// probe: first_lane
PROBE first_lane(uint *g_out)
{
  if (threadIdx.x % 32 == __ffs(__activemask()) - 1)
    g_out[threadIdx.x] = 1;
}

// probe: wave_sum
PROBE wave_sum(const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x] = __reduce_add_sync(0xffffffffu, g_in[threadIdx.x]);
}

// probe: wave_sum_float
PROBE wave_sum_float(const float *f_in, float *f_out)
{
  float sum = f_in[threadIdx.x];
  for (uint s = 16; s > 0; s >>= 1)
    sum += __shfl_down_sync(0xffffffffu, sum, s);
  f_out[threadIdx.x] = sum;
}

// probe: wave_extremes
PROBE wave_extremes(const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x] = __reduce_min_sync(0xffffffffu, g_in[threadIdx.x]) +
                       __reduce_max_sync(0xffffffffu, g_in[threadIdx.x]);
}

// probe: wave_bits
PROBE wave_bits(const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x] = __reduce_and_sync(0xffffffffu, g_in[threadIdx.x]) +
                       __reduce_or_sync(0xffffffffu, g_in[threadIdx.x]) +
                       __reduce_xor_sync(0xffffffffu, g_in[threadIdx.x]);
}

// probe: all_equal
PROBE all_equal(const uint *g_in, uint *g_out)
{
  int equal;
  __match_all_sync(0xffffffffu, g_in[threadIdx.x], &equal);
  g_out[threadIdx.x] = equal;
}

// probe: match
PROBE match(const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x] = __match_any_sync(0xffffffffu, g_in[threadIdx.x]);
}

// probe: prefix_count
PROBE prefix_count(const uint *g_in, uint *g_out)
{
  const uint below = (1u << threadIdx.x % 32) - 1;
  g_out[threadIdx.x] = __popc(__ballot_sync(0xffffffffu, g_in[threadIdx.x] > 3) & below);
}

// probe: prefix
PROBE prefix(const uint *g_in, uint *g_out)
{
  uint sum = g_in[threadIdx.x];
  for (uint s = 1; s < 32; s <<= 1) {
    const uint below = __shfl_up_sync(0xffffffffu, sum, s);
    if (threadIdx.x % 32 >= s)
      sum += below;
  }
  g_out[threadIdx.x] = sum - g_in[threadIdx.x];
}

// probe: atomic_add
PROBE atomic_add(const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x + 1] = atomicAdd(&g_out[0], g_in[threadIdx.x]);
}

// probe: atomic_min_max
PROBE atomic_min_max(const uint *g_in, uint *g_out, int *i_out)
{
  g_out[threadIdx.x + 1] = atomicMin(&g_out[0], g_in[threadIdx.x]);
  i_out[threadIdx.x + 1] = atomicMax(&i_out[0], (int)g_in[threadIdx.x]);
}

// probe: atomic_bits
PROBE atomic_bits(const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x + 3] = atomicAnd(&g_out[0], g_in[threadIdx.x]) + atomicOr(&g_out[1], g_in[threadIdx.x]) +
                           atomicXor(&g_out[2], g_in[threadIdx.x]);
}

// probe: atomic_exchange
PROBE atomic_exchange(const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x + 1] = atomicExch(&g_out[0], g_in[threadIdx.x]);
}

// probe: atomic_cas
PROBE atomic_cas(uint *g_out, probe_args args)
{
  g_out[threadIdx.x + 1] = atomicCAS(&g_out[0], args.a, threadIdx.x);
}

// probe: atomic_wrap
PROBE atomic_wrap(uint *g_out, probe_args args)
{
  g_out[threadIdx.x + 1] = atomicInc(&g_out[0], args.a);
}

// probe: atomic_float
PROBE atomic_float(const float *f_in, float *f_out)
{
  f_out[threadIdx.x + 1] = atomicAdd(&f_out[0], f_in[threadIdx.x]);
}

// probe: atomic_64
PROBE atomic_64(unsigned long long *out)
{
  out[threadIdx.x + 1] = atomicAdd(&out[0], 1ull);
}

// probe: multiply_add
PROBE multiply_add(const float *f_in, float *f_out, probe_args args)
{
  f_out[threadIdx.x] = f_in[threadIdx.x] * args.x + f_in[threadIdx.x + 1];
}

// probe: apart
PROBE apart(const float *f_in, float *f_out, probe_args args)
{
  f_out[threadIdx.x] = __fadd_rn(__fmul_rn(f_in[threadIdx.x], args.x), f_in[threadIdx.x + 1]);
}

// probe: fused
PROBE fused(const float *f_in, float *f_out, probe_args args)
{
  f_out[threadIdx.x] = __fmaf_rn(f_in[threadIdx.x], args.x, f_in[threadIdx.x + 1]);
}

// probe: divide
PROBE divide(const float *f_in, float *f_out, probe_args args)
{
  f_out[threadIdx.x] = f_in[threadIdx.x] / args.x;
}

// probe: roots
PROBE roots(const float *f_in, float *f_out)
{
  f_out[threadIdx.x] = sqrtf(f_in[threadIdx.x]) + rsqrtf(f_in[threadIdx.x + 1]);
}

// probe: sine
PROBE sine(const float *f_in, float *f_out)
{
  f_out[threadIdx.x] = __sinf(f_in[threadIdx.x]);
}

// probe: saturated
PROBE saturated(const float *f_in, float *f_out)
{
  f_out[threadIdx.x] = __saturatef(f_in[threadIdx.x]);
}

// probe: shift
PROBE shift(const uint *g_in, uint *g_out, probe_args args)
{
  g_out[threadIdx.x] = g_in[threadIdx.x] << (args.a & 31);
}

// probe: leading_zeros
PROBE leading_zeros(const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x] = __clz((int)g_in[threadIdx.x]);
}

// probe: first_bit
PROBE first_bit(const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x] = __ffs((int)g_in[threadIdx.x]);
}

// probe: count_bits
PROBE count_bits(const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x] = __popc(g_in[threadIdx.x]);
}

// probe: reverse_bits
PROBE reverse_bits(const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x] = __brev(g_in[threadIdx.x]);
}

// probe: high_product
PROBE high_product(const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x] = __umulhi(g_in[threadIdx.x], g_in[threadIdx.x + 1]);
}

// probe: dot4
PROBE dot4(const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x] = __dp4a(g_in[threadIdx.x], g_in[threadIdx.x + 1], 0u);
}

// probe: convert
PROBE convert(const float *f_in, uint *g_out)
{
  g_out[threadIdx.x] = __float2uint_rz(f_in[threadIdx.x]);
}

// probe: integer_divide
PROBE integer_divide(const uint *g_in, uint *g_out, probe_args args)
{
  g_out[threadIdx.x] = g_in[threadIdx.x] / max(args.a, 1u);
}

// probe: unrolled
PROBE unrolled(const uint *g_in, uint *g_out, probe_args args)
{
  uint sum = 0;
#pragma unroll 1
  for (uint i = 0; i < args.n; i++)
    sum += g_in[i] * i;
  g_out[threadIdx.x] = sum;
}

// probe: both_sides
PROBE both_sides(const uint *g_in, uint *g_out, probe_args args)
{
  if (args.a != 0 && g_in[threadIdx.x] != 0)
    g_out[threadIdx.x] = 1;
}

// probe: active_mask
PROBE active_mask(const uint *g_in, uint *g_out)
{
  const uint mask = __ballot_sync(0xffffffffu, g_in[threadIdx.x] > 3); // before the branch, not __activemask() in it
  if (g_in[threadIdx.x] > 3)
    g_out[threadIdx.x] = mask;
}

// probe: int_remainder
PROBE int_remainder(int *i_out)
{
  i_out[threadIdx.x] = i_out[threadIdx.x] % i_out[threadIdx.x + 1];
}

// probe: float_remainder
PROBE float_remainder(const float *f_in, float *f_out)
{
  f_out[threadIdx.x] = fmodf(f_in[threadIdx.x], f_in[threadIdx.x + 1]);
}

// probe: power
PROBE power(const float *f_in, float *f_out)
{
  f_out[threadIdx.x] = powf(f_in[threadIdx.x], f_in[threadIdx.x + 1]);
}

// probe: rounded
PROBE rounded(const float *f_in, float *f_out)
{
  f_out[threadIdx.x] = rintf(f_in[threadIdx.x]);
}

// probe: smaller
PROBE smaller(const float *f_in, float *f_out)
{
  f_out[threadIdx.x] = fminf(f_in[threadIdx.x], f_in[threadIdx.x + 1]);
}

// probe: half_up
PROBE half_up(const float *f_in, float *f_out)
{
  f_out[threadIdx.x] = roundf(f_in[threadIdx.x]);
}
