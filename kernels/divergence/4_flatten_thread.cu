// Divergence 4: all paths in use run, and each thread keeps the result of its own.
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

XB_KERNEL void divergence(const T4 *__restrict__ g_idata4, T4 *g_odata4, xb_divergence_args args)
{
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x, which HLSL lacks
  if (i >= args.n4)
    return;

  // [path] `run` neighbours take the same one
  const uint path = (i + args.phase) / args.run % args.ways;
  const T4 value = g_idata4[i];
  uint x = value.x % STARTS, y = ~x;

  // [run] none by thread: the paths are inside the loop, short enough to be selected
  for (uint r = 0; r < args.rounds; r++) {
    XB_EACH_PATH(STEP)
  }

  // [write] added to the input, so that elements differ. HLSL adds a number to a vector; CUDA adds vectors
  const uint end = x ^ y;
  g_odata4[i] = value + T4{end, end, end, end};
}

XB_ENTRIES(divergence, (const T4 *__restrict__ g_idata4, T4 *g_odata4, xb_divergence_args args), (g_idata4, g_odata4, args))
