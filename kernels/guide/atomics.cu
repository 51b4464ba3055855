// Atomics. All are relaxed: they do not order other accesses.
// Source: ours; none of the documents has it.
#include "guide.cuh"

static const uint OLD = 16; // from here on: how often each old value was returned

// [operations] each returns the old value
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
  // Exactly one thread finds 0
  old = atomicCAS(&g_out[6], 0u, i + 1);
  if (old == 0)
    atomicAdd(&g_out[7], 1u);
  // Every value that is put in comes out again, except the last one
  old = atomicExch(&g_out[8], x);
  atomicAdd(&g_out[9], old);
  // Each old value is returned once
  old = atomicAdd(&g_out[10], 1u);
  atomicAdd(&g_out[OLD + old], 1u);
}

// [wrap] one instruction; HLSL needs a loop around compare-exchange
XB_GUIDE_ENTRY(GUIDE_BLOCK) wrap(const uint *, uint *g_out, xb_guide_args args)
{
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= args.n)
    return;
  const uint seen = atomicInc(&g_out[0], args.a);
  atomicAdd(&g_out[OLD + seen], 1u);
}
