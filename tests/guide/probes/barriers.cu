// Probes: shared memory, barriers and fences.
#include "declarations.cuh"

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

// probe: early_return
PROBE early_return(const uint *g_in, uint *g_out, probe_args args)
{
  __shared__ uint tile[64];
  if (threadIdx.x >= args.n)
    return;
  tile[threadIdx.x] = g_in[threadIdx.x];
  __syncthreads();
  g_out[threadIdx.x] = tile[0];
}
