// Kernels with known answers: the words of CUDA, one group of them each.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

namespace cg = cooperative_groups;

__constant__ unsigned table[4];

// Threads that have ended do not hold up a barrier or a warp. 40 of 64 stay.
extern "C" __global__ void ended(unsigned *out)
{
  if (threadIdx.x >= 40)
    return;
  const unsigned here = __syncthreads_count(1);
  const unsigned votes = __ballot_sync(0xffffffffu, 1);
  const unsigned sum = __reduce_add_sync(0xffffffffu, threadIdx.x);
  __syncthreads();
  out[threadIdx.x * 3] = here;
  out[threadIdx.x * 3 + 1] = votes;
  out[threadIdx.x * 3 + 2] = sum;
}

extern "C" __global__ void shuffles(unsigned *out)
{
  const unsigned all = 0xffffffffu, t = threadIdx.x, x = t * t;
  unsigned *mine = out + t * 12;
  mine[0] = __shfl_sync(all, x, 3);
  mine[1] = __shfl_sync(all, x, 11, 8); // lane 3 of each 8
  mine[2] = __shfl_up_sync(all, x, 5);
  mine[3] = __shfl_down_sync(all, x, 5);
  mine[4] = __shfl_xor_sync(all, x, 6);
  mine[5] = __shfl_down_sync(all, x, 3, 16);
  mine[6] = (unsigned)(__shfl_sync(all, (unsigned long long)x << 32 | t, 7) >> 32);
  mine[7] = __match_any_sync(all, t % 3);
  int same;
  mine[8] = __match_all_sync(all, t / 32, &same) + (unsigned)same;
  mine[9] = __reduce_max_sync(all, (int)t - 40);                                      // signed
  mine[10] = t % 2 ? __shfl_sync(0xaaaaaaaau, x, 1) : __shfl_sync(0x55555555u, x, 2); // two groups of lanes
  mine[11] = 0;
  if (t % 4 == 1)
    mine[11] = __popc(__activemask());
}

// Two threads wait for what the others do behind __activemask.
extern "C" __global__ void waits_for_active(unsigned *out)
{
  if (threadIdx.x < 2)
    while (atomicAdd(out, 0) != 30) {
    }
  else
    atomicAdd(out, __popc(__activemask()) / 30);
}

// A thread waits for a later one, and a block for the one before it.
extern "C" __global__ void waits(unsigned *out)
{
  __shared__ unsigned ready;
  if (threadIdx.x == 63)
    ready = 0;
  __syncthreads();
  if (threadIdx.x == 63)
    atomicExch(&ready, 7);
  while (atomicOr(&ready, 0) != 7) {
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> turn(out[0]);
    while (turn.load(cuda::memory_order_acquire) != blockIdx.x) {
    }
    out[1] += blockIdx.x; // one block at a time
    turn.store(blockIdx.x + 1, cuda::memory_order_release);
  }
}

extern "C" __global__ void atomics(unsigned *out)
{
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&out[0], t);
  atomicMax(&out[1], t);
  atomicMin((int *)&out[2], -(int)t);
  atomicAdd((float *)&out[3], 0.5f);
  atomicInc(&out[4], 6);
  atomicXor(&out[5], t);
  atomicAdd((unsigned long long *)&out[6], 1ull << 31);
  unsigned old = out[8], seen;
  while ((seen = atomicCAS(&out[8], old, old + 2)) != old)
    old = seen;
  atomicAdd((__half2 *)&out[9], __floats2half2_rn(1.0f, 0.25f));
}

// Dynamic shared memory of two types in one kernel, and its poison.
extern "C" __global__ void dynamic(unsigned *out)
{
  extern __shared__ __align__(16) unsigned char bytes[];
  extern __shared__ uint4 vectors[];
  const unsigned t = threadIdx.x;
  if (t == 0)
    out[64] = *(float *)(bytes + 16) != *(float *)(bytes + 16); // not a number
  __syncthreads();
  vectors[t] = make_uint4(t, 2 * t, 3 * t, 4 * t);
  __syncthreads();
  unsigned word;
  memcpy(&word, bytes + (63 - t) * 16 + 8, 4);
  out[t] = word + table[t % 4];
}

extern "C" __global__ void halves(unsigned *out)
{
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const __half h = __ushort_as_half((unsigned short)i);
  if (__hisnan(h))
    return;
  if (__half_as_ushort(__float2half(__half2float(h))) != i)
    atomicAdd(&out[0], 1);
  const __half next = __ushort_as_half((unsigned short)(i + 1));
  const float middle = (__half2float(h) + __half2float(next)) / 2; // to even
  if ((i & 0x7fff) < 0x7bff && (__half_as_ushort(__float2half(middle)) & 1))
    atomicAdd(&out[1], 1);
  const __nv_bfloat16 b = __ushort_as_bfloat16((unsigned short)i);
  if ((float)b == (float)b && __bfloat16_as_ushort(__float2bfloat16((float)b)) != i)
    atomicAdd(&out[2], 1);
  if (i == 0)
    out[3] = __half_as_ushort(__hfma(__half(1.0009765625f), __half(1.0029296875f), __half(-1.0f)));
}

static __device__ void add_all_blocks(unsigned *out)
{
  out[blockIdx.x] = blockIdx.x + 1;
  cg::this_grid().sync();
  unsigned sum = 0;
  for (unsigned b = 0; b < gridDim.x; b++)
    sum += out[b];
  cg::this_grid().sync();
  out[blockIdx.x] = sum;
}

extern "C" __global__ void grid(unsigned *out)
{
  add_all_blocks(out);
}

extern "C" __global__ void grid_of_some(unsigned *out)
{
  if (threadIdx.x > 40)
    add_all_blocks(out);
}

extern "C" __global__ void switches(unsigned *rounds)
{
  for (unsigned i = *rounds; i > 0; i--)
    __syncthreads();
}

extern "C" __global__ void groups(unsigned *out)
{
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<8>(block);
  const unsigned rank = block.thread_rank();
  out[rank * 4] = cg::reduce(tile, rank, cg::plus<unsigned>());
  out[rank * 4 + 1] = tile.ballot(rank % 3 == 0);
  if (rank % 2)
    out[rank * 4 + 2] = cg::coalesced_threads().size();
  const cg::thread_block_tile<8> same = tile;
  const auto two = cg::tiled_partition<2>(same);
  out[rank * 4 + 3] =
      same.meta_group_size() << 24 | same.meta_group_rank() << 16 | two.meta_group_size() << 8 | two.meta_group_rank();
  block.sync();
}

extern "C" __global__ void sampled(unsigned *out, cudaTextureObject_t nearest, cudaTextureObject_t linear)
{
  float *to = (float *)out;
  to[0] = tex2D<float>(nearest, 1.9f, 0.2f);
  to[1] = tex2D<float>(nearest, -5.0f, 9.0f);
  to[2] = tex2D<float>(linear, 1.0f, 1.0f);
  to[3] = tex2D<float>(linear, 0.5f, 0.5f);
  to[4] = tex1Dfetch<float>(nearest, 2);
}

extern "C" __global__ void product(float *out)
{
  using namespace nvcuda;
  __shared__ __align__(32) half a[256], b[256];
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    a[i] = (half)(float)(i % 7);
    b[i] = (half)(float)(i % 5);
  }
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 1.0f);
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::mma_sync(sum, fa, fb, sum);
  wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major);
}

extern "C" __global__ void integers(unsigned *out)
{
  out[0] = __byte_perm(0x33221100u, 0x77665544u, 0x7250u);
  out[1] = __funnelshift_l(0x80000001u, 0x12345678u, 4);
  out[2] = (unsigned)__dp4a((int)0xff02ff02u, (int)0x03030303u, 100);
  out[3] = __brev(0x00000012u);
  out[4] = (unsigned)__clz(0) + (unsigned)__ffs(0x80);
  out[5] = __umulhi(0xffffffffu, 0xfffffffeu);
  out[6] = __float2uint_rz(-3.5f) + __float2uint_rz(5e9f);
  out[7] = (unsigned)__float2int_rn(2.5f);
  out[8] = max(-1, 1u);
  alignas(16) float4 v = make_float4(1, 2, 3, 4);
  out[9] = (unsigned)(v.w + __saturatef(2.0f));
}

// Words that are not in the kernels of the program; known answers in words.c.
extern "C" __global__ void lanes(unsigned *out)
{
  out[0] = __vadd2(0xffff7fffu, 0x00010001u);
  out[1] = __vaddss4(0x7f80017eu, 0x01ff0105u);
  out[2] = __vsubss4(0x80017f00u, 0x0101ff80u);
  out[3] = __vsubus2(0x00050003u, 0x00060001u);
  out[4] = __vaddus4(0xff01ff01u, 0x01010002u);
  out[5] = __vmaxs4(0x80ff017fu, 0x7f00ff80u);
  out[6] = __vminu2(0xffff0001u, 0x00010002u);
  out[7] = __vcmpeq4(0x01020304u, 0x01000300u);
  out[8] = __vcmpgts2(0xffff0001u, 0x0000ffffu);
  out[9] = __vsetltu4(0x01ff0000u, 0x0200ff00u);
  out[10] = __vabs4(0x80ff017fu);
  out[11] = __vabsss4(0x80ff017fu);
  out[12] = __vneg2(0x80000001u);
  out[13] = __vnegss2(0x80000001u);
  out[14] = __vabsdiffs4(0x7f000000u, 0x80000000u);
  out[15] = __vsadu4(0x01020304u, 0x04030201u);
  out[16] = __vsads2(0x80000001u, 0x7fffffffu);
  out[17] = __vavgu4(0x01ff0003u, 0x02ff0000u);
  out[18] = __vhaddu4(0x01ff0003u, 0x02ff0000u);
  out[19] = __fns(0x10cu, 0, 3);
  out[20] = __fns(0x10cu, 7, -1);
  out[21] = __fns(0x10cu, 0, 4);
  out[22] = __fns(0x10cu, 3, 0);
  out[23] = (unsigned)(llmin(-5, 1ll << 40) + llmax(-5, 7));
  out[24] = (unsigned)(ullmax(~0ull, 1) >> 32);
  out[25] = (unsigned)__dp2a_lo(make_short2(-1, 2), make_char4(3, 4, 9, 9), 100);
  out[26] = (unsigned)__dp2a_hi(make_short2(-1, 2), make_char4(9, 9, 3, 4), 100);
  long long *most = (long long *)(out + 100);
  atomicMax(most, -1ll);
  atomicMax(most, 1ll << 40);
  atomicMin(most + 1, -(1ll << 40));
  __prof_trigger(0);
}

extern "C" __global__ void functions(float *out)
{
  const float tiny = __uint_as_float(0x30800000u), above = __uint_as_float(0x3f800001u);
  float pi_sin, pi_cos;
  sincospif(1.0f, &pi_sin, &pi_cos);
  out[0] = __fadd_rd(1.0f, tiny);
  out[1] = __fadd_ru(1.0f, tiny);
  out[2] = __fadd_rz(-1.0f, -tiny);
  out[3] = __fsub_rd(-1.0f, tiny);
  out[4] = __fmaf_rz(above, above, 0.0f);
  out[5] = __fmaf_ru(above, above, 0.0f);
  out[6] = __fmul_rd(above, above);
  out[7] = __fdiv_ru(1.0f, 3.0f);
  out[8] = __frcp_rd(3.0f);
  out[9] = __fsqrt_ru(2.0f);
  out[10] = 1.0f + tiny;
  out[11] = erfinvf(0.3f);
  out[12] = erfinvf(-0.999f);
  out[13] = erfcinvf(1e-20f);
  out[14] = erfcinvf(1.5f);
  out[15] = erfcxf(0.5f);
  out[16] = erfcxf(30.0f);
  out[17] = normcdfinvf(0.975f);
  out[18] = normcdff(-3.0f);
  out[19] = cyl_bessel_i0f(2.5f);
  out[20] = cyl_bessel_i1f(-2.5f);
  out[21] = rhypotf(3e30f, 4e30f);
  out[22] = norm4df(1.0f, -2.0f, 4.0f, 10.0f);
  out[23] = rnorm4df(1.0f, 1.0f, 1.0f, 1.0f);
  out[24] = erfinvf(1.0f);
  out[25] = pi_sin;
  out[26] = pi_cos;
  out[27] = cospif(0.5f);
  double *wide = (double *)(out + 100);
  wide[0] = __dadd_ru(1.0, 1e-20) - 1.0;
  wide[1] = __ddiv_rd(1.0, 3.0) - __ddiv_ru(1.0, 3.0);
  wide[2] = erfinv(0.7);
  wide[3] = erfcx(3.0);
  wide[4] = erfcx(40.0);
  wide[5] = __fma_rz(1.0, 1.0, -1e-20);
}

// A barrier object, and a copy that it waits for.
extern "C" __global__ void barrier_objects(unsigned *out)
{
  __shared__ cuda::barrier<cuda::thread_scope_block> ready;
  __shared__ unsigned tile[64];
  const auto block = cg::this_thread_block();
  if (threadIdx.x == 0)
    init(&ready, blockDim.x);
  block.sync();
  cuda::memcpy_async(block, tile, out, sizeof tile, ready);
  auto token = ready.arrive();
  ready.wait(std::move(token));
  const unsigned mine = tile[63 - threadIdx.x];
  out[64 + threadIdx.x] = mine;
  ready.arrive_and_wait();
  cg::memcpy_async(block, tile, out + 64, sizeof tile);
  cg::wait(block);
  out[128 + threadIdx.x] = tile[63 - threadIdx.x];
}

// Wrong on purpose: no barrier between the write and the read, so the order of threads shows.
extern "C" __global__ void race(unsigned *out)
{
  __shared__ unsigned last;
  last = threadIdx.x;
  out[threadIdx.x] = last;
}

// Each thread of a block comes to `rounds` barriers: what a switch costs.
extern "C" __global__ void barriers(unsigned *out, unsigned rounds)
{
  for (unsigned i = 0; i < rounds; i++)
    __syncthreads();
  out[threadIdx.x] = rounds;
}

extern "C" __global__ void in_3d(unsigned *out)
{
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const unsigned z = blockIdx.z * blockDim.z + threadIdx.z;
  out[(z * gridDim.y * blockDim.y + y) * gridDim.x * blockDim.x + x] = x + 100 * y + 10000 * z;
}

XB_CPU_ENTRY(ended)
XB_CPU_ENTRY(shuffles)
XB_CPU_ENTRY(waits)
XB_CPU_ENTRY(waits_for_active)
XB_CPU_ENTRY(atomics)
XB_CPU_ENTRY(dynamic)
XB_CPU_ENTRY(halves)
XB_CPU_ENTRY(grid)
XB_CPU_ENTRY(grid_of_some)
XB_CPU_ENTRY(switches)
XB_CPU_ENTRY(groups)
XB_CPU_ENTRY(sampled)
XB_CPU_ENTRY(product)
XB_CPU_ENTRY(integers)
XB_CPU_ENTRY(lanes)
XB_CPU_ENTRY(functions)
XB_CPU_ENTRY(barrier_objects)
XB_CPU_ENTRY(race)
XB_CPU_ENTRY(barriers)
XB_CPU_ENTRY(in_3d)
