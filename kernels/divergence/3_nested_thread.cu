// Divergence 3: a tree of ifs, five deep; each leaf has a loop of its own.
// Source: Mordohai, CS 677, lecture 2, slide 'Nested branches'.
#include "divergence_args.h"
#include "entry.cuh"

// The paths k to k + 2 * bit - 1: one bit of the path decides at each level.
#define IF1(k) if ((path & 1) != 0) { XB_ROUNDS(k + 1) } else { XB_ROUNDS(k) }
#define IF2(k) if ((path & 2) != 0) { IF1(k + 2) } else { IF1(k) }
#define IF4(k) if ((path & 4) != 0) { IF2(k + 4) } else { IF2(k) }
#define IF8(k) if ((path & 8) != 0) { IF4(k + 8) } else { IF4(k) }
#define IF16(k) if ((path & 16) != 0) { IF8(k + 16) } else { IF8(k) }

XB_KERNEL void divergence(const uint4 *__restrict__ g_idata4, uint4 *g_odata4, xb_divergence_args args)
{
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x, which HLSL lacks
  if (i >= args.threads)
    return;

  // [path] `run` neighbours take the same one
  const uint path = (i + args.phase) / args.run % args.ways;
  uint x = g_idata4[i * VECTORS].x % STARTS, y = ~x;

  // [run] both sides of each if run, one after the other, where the threads of a wave disagree
  IF16(0)

  // [write] the end, added to each element, so that all differ. HLSL adds a number to a vector; CUDA adds vectors
  const uint end = x ^ y;
  for (uint at = i * VECTORS; at < (i + 1) * VECTORS; at++)
    g_odata4[at] = g_idata4[at] + make_uint4(end, end, end, end);
}

XB_ENTRIES(divergence, (const uint4 *__restrict__ g_idata4, uint4 *g_odata4, xb_divergence_args args),
           (g_idata4, g_odata4, args))
