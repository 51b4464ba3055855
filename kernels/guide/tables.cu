// A struct with an array of pointers.
// Source: ours; none of the documents has it.
#include "guide.cuh"

static const uint TABLES = 4;

// [tables] pointers to the tables, which follow each other in one buffer here
struct table_set {
  const uint *tables[TABLES];
};

// [gather] each thread reads from another table than its neighbours
XB_GUIDE_ENTRY(GUIDE_BLOCK) gather(const uint *__restrict__ g_in, uint *g_out, xb_guide_args args)
{
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  table_set set;
  for (uint t = 0; t < TABLES; t++)
    set.tables[t] = g_in + g_in[t];
  if (i < args.n)
    g_out[i] = set.tables[i % TABLES][i / TABLES];
}
