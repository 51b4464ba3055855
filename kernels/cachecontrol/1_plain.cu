// Cache control 1: all threads load words of one table, with no hint. Rows 2 to 7 have CUDA's hints, which HLSL lacks.
// Source: National Tsing Hua University, Performance (Memory) Optimization, slide 'Local Memory Cache'.
#include "cachecontrol_args.h"
#include "entry.cuh"

// Each thread loads 64 words. The table is no __restrict__ pointer, so that only row 2 says that nobody writes it.
#define BODY(LOAD)                                                                                                     \
  const uint tid = threadIdx.x;                                                                                        \
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x);                                                            \
  if (group >= args.groups)                                                                                            \
    return;                                                                                                            \
  const uint i = (args.first + group) * BLOCK + tid;                                                                   \
  uint h = 0;                                                                                                          \
  UNROLL for (uint k = 0; k < CACHECONTROL_LOADS; k++)                                                                 \
    h = h * CACHECONTROL_FACTOR + LOAD(&g_table[~(i + k * CACHECONTROL_STEP) & args.mask]);                             \
  g_odata[group * BLOCK + tid] = h;

#define PLAIN *
#define ENTRY(name, load)                                                                                              \
  XB_KERNEL void name(const uint *g_table, uint *g_odata, xb_cachecontrol_args args)                                   \
  {                                                                                                                    \
    BODY(load)                                                                                                         \
  }                                                                                                                    \
  XB_ENTRIES(name, (const uint *g_table, uint *g_odata, xb_cachecontrol_args args), (g_table, g_odata, args))

// [load] the same loop, with another load in each entry
ENTRY(cachecontrol, PLAIN)
ENTRY(cachecontrol_ldg, __ldg)
ENTRY(cachecontrol_ldca, __ldca)
ENTRY(cachecontrol_ldcg, __ldcg)
ENTRY(cachecontrol_ldcs, __ldcs)
ENTRY(cachecontrol_ldlu, __ldlu)
ENTRY(cachecontrol_ldcv, __ldcv)
