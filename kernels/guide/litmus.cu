// Litmus tests of the memory model. Groups work in pairs: the left one and the right one of a pair each take a side.
// Source: ours; none of the documents has it.
#include "guide.cuh"

// [meet] both sides begin at about the same time. Nothing promises that the other side runs, so the wait has an end.
__device__ __forceinline__ void meet(uint *arrived)
{
  uint count = atomicAdd(arrived, 1u) + 1;
  for (uint turn = 0; turn < 200 && count < 2; turn++)
    count = atomicOr(arrived, 0u);
}

// [message] one side stores data and sets a flag, the other one reads the flag, then the data
XB_GUIDE_ENTRY(GUIDE_BLOCK) message(const uint *, uint *g_out, uint *g_exchange, xb_guide_args args)
{
  const uint pair = blockIdx.x / 2 * GUIDE_BLOCK + threadIdx.x;
  volatile uint *const x = g_exchange + args.a * pair;
  uint *const flag = g_exchange + args.a * pair + 1;
  meet(flag + 1);
  if (blockIdx.x % 2 == 0) {
    *x = 1u;
    if (args.b != 0)
      __threadfence(); // release: what is before it is seen by whoever sees the flag
    atomicExch(flag, 1u);
  } else {
    const uint seen = atomicOr(flag, 0u);
    if (args.b != 0)
      __threadfence(); // acquire: what is behind it is not older than the flag
    const uint data = *x;
    g_out[2 * pair] = seen;
    g_out[2 * pair + 1] = data;
  }
}

// [buffering] each side stores its own word and reads the other's; volatile accesses are relaxed atomic ones
XB_GUIDE_ENTRY(GUIDE_BLOCK) buffering(const uint *, uint *g_out, uint *g_exchange, xb_guide_args args)
{
  const uint pair = blockIdx.x / 2 * GUIDE_BLOCK + threadIdx.x, side = blockIdx.x % 2;
  volatile uint *const x = g_exchange + args.a * pair;
  meet(g_exchange + args.a * pair + 2);
  x[side] = 1u;
  if (args.b != 0)
    __threadfence(); // sequentially consistent from compute capability 7.0 on
  g_out[2 * pair + side] = x[1 - side];
}

// [coherence] one side stores a word, the other one reads it twice: atomics on one word have one order, without a fence
XB_GUIDE_ENTRY(GUIDE_BLOCK) coherence(const uint *, uint *g_out, uint *g_exchange, xb_guide_args args)
{
  const uint pair = blockIdx.x / 2 * GUIDE_BLOCK + threadIdx.x;
  uint *const x = g_exchange + args.a * pair;
  meet(x + 2);
  if (blockIdx.x % 2 == 0) {
    atomicExch(x, 1u);
  } else {
    const uint first = atomicOr(x, 0u);
    const uint second = atomicOr(x, 0u);
    g_out[2 * pair] = first;
    g_out[2 * pair + 1] = second;
  }
}

// [decide] both sides exchange one word: who gets the 0 is first. That replaces store buffering
XB_GUIDE_ENTRY(GUIDE_BLOCK) decide(const uint *, uint *g_out, uint *g_exchange, xb_guide_args args)
{
  const uint pair = blockIdx.x / 2 * GUIDE_BLOCK + threadIdx.x, side = blockIdx.x % 2;
  uint *const x = g_exchange + args.a * pair;
  meet(x + 2);
  const uint before = atomicExch(x, 1u);
  g_out[2 * pair + side] = 1 - before;
}
