// Atomics. All are relaxed: they order nothing else.
#include "guide.cuh"

static const uint OLD = 16; // from here on: how often each old value was handed out

// [operations] the old value is what each returns
XB_GUIDE_ENTRY(GUIDE_BLOCK) operations(const uint *__restrict__ g_in, uint *g_out, xb_guide_args args)
{
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= args.n)
    return;
  const uint x = g_in[i];
  uint old;
  atomicAdd(&g_out[0], x);
  atomicMin(&g_out[1], x);
  atomicMax(&g_out[2], x);
  atomicAnd(&g_out[3], x | args.a);
  atomicOr(&g_out[4], x & args.a);
  atomicXor(&g_out[5], x);
  // Who finds 0 wins: one thread
  old = atomicCAS(&g_out[6], 0u, i + 1);
  if (old == 0)
    atomicAdd(&g_out[7], 1u);
  // What was put in comes out again, but for the last one, which stays
  old = atomicExch(&g_out[8], x);
  atomicAdd(&g_out[9], old);
  // Every old value once
  old = atomicAdd(&g_out[10], 1u);
  atomicAdd(&g_out[OLD + old], 1u);
}

// [wrap] one instruction; HLSL has to loop around compare-exchange
XB_GUIDE_ENTRY(GUIDE_BLOCK) wrap(const uint *, uint *g_out, xb_guide_args args)
{
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= args.n)
    return;
  const uint seen = atomicInc(&g_out[0], args.a);
  atomicAdd(&g_out[OLD + seen], 1u);
}
