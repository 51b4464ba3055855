// Divergence 1: a switch with 32 cases, each with a loop of its own.
// Source: Mordohai, CS 677, lecture 2, slide 'Performance drops off with the degree of divergence'.
#include "divergence_args.h"
#include "entry.cuh"

// The rounds of one path.
#define CASE(k) \
  case k: { \
    XB_ROUNDS(k) \
  } break;

XB_KERNEL void divergence(const uint4 *__restrict__ g_idata4, uint4 *g_odata4, xb_divergence_args args)
{
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x, which HLSL lacks
  if (i >= args.threads)
    return;

  // [path] `run` neighbours take the same one
  const uint path = (i + args.phase) / args.run % args.ways;
  uint x = g_idata4[i * VECTORS].x % STARTS, y = ~x;

  // [run] the threads of a wave that take the same case run together, one case after the other
  switch (path) {
    XB_EACH_PATH(CASE)
  }

  // [write] the end, added to each element, so that all differ. HLSL adds a number to a vector; CUDA adds vectors
  const uint end = x ^ y;
  for (uint at = i * VECTORS; at < (i + 1) * VECTORS; at++)
    g_odata4[at] = g_idata4[at] + make_uint4(end, end, end, end);
}

XB_ENTRIES(divergence, (const uint4 *__restrict__ g_idata4, uint4 *g_odata4, xb_divergence_args args),
           (g_idata4, g_odata4, args))
