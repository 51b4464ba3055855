// Divergence 4: all paths in use run, and each thread keeps the result of its own.
// Source: NVIDIA, CUDA C++ Best Practices Guide, section 12.2.
#include "divergence_args.h"
#include "entry.cuh"

// One round of a path. All threads compare `ways` alike, so that branch costs no second path. C++ has no [flatten]: the
// round is computed aside, and selected.
#define STEP(k) \
  if (args.ways > k) { \
    uint x1 = x, y1 = y; \
    XB_ROUND(k, x1, y1) \
    x = path == k ? x1 : x; \
    y = path == k ? y1 : y; \
  }

XB_KERNEL void divergence(const uint4 *__restrict__ g_idata4, uint4 *g_odata4, xb_divergence_args args)
{
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x, which HLSL lacks
  if (i >= args.threads)
    return;

  // [path] `run` neighbours take the same one
  const uint path = (i + args.phase) / args.run % args.ways;
  uint x = g_idata4[i * VECTORS].x % STARTS, y = ~x;

  // [run] none by thread: the paths are inside the loop, short enough to be selected
  for (uint r = 0; r < args.rounds; r++) {
    XB_EACH_PATH(STEP)
  }

  // [write] the end, added to each element, so that all differ. HLSL adds a number to a vector; CUDA adds vectors
  const uint end = x ^ y;
  for (uint at = i * VECTORS; at < (i + 1) * VECTORS; at++)
    g_odata4[at] = g_idata4[at] + make_uint4(end, end, end, end);
}

XB_ENTRIES(divergence, (const uint4 *__restrict__ g_idata4, uint4 *g_odata4, xb_divergence_args args),
           (g_idata4, g_odata4, args))
