// Cache control 9: each word of the table that a thread loads is stored. Rows 10 to 12 have CUDA's hints for stores.
// Source: ours; none of the documents has it.
#include "cachecontrol_args.h"
#include "entry.cuh"

#define BODY(STORE)                                                                                                    \
  const uint tid = threadIdx.x;                                                                                        \
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x);                                                            \
  if (group >= args.groups)                                                                                            \
    return;                                                                                                            \
  const uint i = (args.first + group) * BLOCK + tid;                                                                   \
  UNROLL for (uint k = 0; k < CACHECONTROL_LOADS; k++)                                                                 \
    STORE(&g_odata[(group * CACHECONTROL_LOADS + k) * BLOCK + tid], g_table[~(i + k * CACHECONTROL_STEP) & args.mask]);

#define PLAIN(to, word) *(to) = word
#define ENTRY(name, store)                                                                                             \
  XB_KERNEL void name(const uint *__restrict__ g_table, uint *g_odata, xb_cachecontrol_args args)                      \
  {                                                                                                                    \
    BODY(store)                                                                                                        \
  }                                                                                                                    \
  XB_ENTRIES(name, (const uint *__restrict__ g_table, uint *g_odata, xb_cachecontrol_args args), (g_table, g_odata, args))

// [store] the same loop, with another store in each entry
ENTRY(cachecontrol, PLAIN)
ENTRY(cachecontrol_stcg, __stcg)
ENTRY(cachecontrol_stcs, __stcs)
ENTRY(cachecontrol_stwt, __stwt)
