// Included by the asynccopy kernels: the ways to copy a tile from device memory to shared memory.
#include "asynccopy_args.h"
#include "entry.cuh"

#include <cuda_pipeline.h>

enum how { THROUGH_REGISTERS, ASYNC, BULK };

#if __CUDA_ARCH__ < 900 // the plan refuses these devices
__device__ __forceinline__ void bulk_begin(unsigned long long *) {}
__device__ __forceinline__ void bulk_copy(void *, const void *, uint, unsigned long long *) {}
__device__ __forceinline__ void bulk_wait(unsigned long long *, uint) {}
#else
__device__ __forceinline__ uint shared_address(const void *p)
{
  return (uint)__cvta_generic_to_shared(p);
}

// A barrier in shared memory, which one thread and the bytes that it announces complete.
__device__ __forceinline__ void bulk_begin(unsigned long long *ready)
{
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n\tfence.proxy.async.shared::cta;" ::"r"(shared_address(ready))
               : "memory");
}

__device__ __forceinline__ void bulk_copy(void *to, const void *from, uint bytes, unsigned long long *ready)
{
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(ready)), "r"(bytes)
               : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   shared_address(to)),
               "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(shared_address(ready))
               : "memory");
}

__device__ __forceinline__ void bulk_wait(unsigned long long *ready, uint parity)
{
  uint done = 0;
  while (!done)
    asm volatile("{\n\t.reg .pred p;\n\t"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
                 "selp.u32 %0, 1, 0, p;\n\t}"
                 : "=r"(done)
                 : "r"(shared_address(ready)), "r"(parity)
                 : "memory");
}
#endif

// An element of 4, 8 or 16 bytes: below compute capability 8.0 an asynchronous copy is an ordinary one.
template <how HOW, typename E> __device__ __forceinline__ void copy(E *to, const E *from)
{
  if constexpr (HOW == ASYNC)
    __pipeline_memcpy_async(to, from, sizeof(E));
  else
    *to = *from;
}

// Ends the copies of a tile: they can be waited for. The tiles of a thread complete in order.
template <how HOW> __device__ __forceinline__ void commit()
{
  if constexpr (HOW == ASYNC)
    __pipeline_commit();
}

// Waits for all tiles of this thread but the last LATER ones.
template <how HOW, uint LATER> __device__ __forceinline__ void wait()
{
  if constexpr (HOW == ASYNC)
    __pipeline_wait_prior(LATER);
}
