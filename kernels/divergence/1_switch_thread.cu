// Divergence 1: a switch with 32 cases, each with a loop of its own.
#include "divergence_args.h"
#include "entry.cuh"

// The rounds of one path.
#define CASE(k) \
  case k: { \
    XB_ROUNDS(k) \
  } break;

XB_KERNEL void divergence(const T4 *__restrict__ g_idata4, T4 *g_odata4, xb_divergence_args args)
{
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x, which HLSL lacks
  if (i >= args.n4)
    return;

  // [path] `run` neighbours take the same one
  const uint path = (i + args.phase) / args.run % args.ways;
  const T4 value = g_idata4[i];
  uint x = value.x % STARTS, y = ~x;

  // [run] the threads of a wave that take the same case run together, one case after the other
  switch (path) {
    XB_EACH_PATH(CASE)
  }

  // [write] added to the input, so that elements differ. HLSL adds a number to a vector; CUDA adds vectors
  const uint end = x ^ y;
  g_odata4[i] = value + T4{end, end, end, end};
}

XB_ENTRIES(divergence, (const T4 *__restrict__ g_idata4, T4 *g_odata4, xb_divergence_args args), (g_idata4, g_odata4, args))
