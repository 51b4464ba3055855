// Instructions 91: on four bytes at a time.
// A specialization constant chooses the instruction, so a pipeline has only one. Direct3D 12 chooses by an argument.
// Source: ours; none of the documents has it.
#include "instructions_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_odata : register(u0);
XB_ARGS(xb_instructions_args);
OPERATION_CONSTANT

[numthreads(BLOCK, 1, 1)]
void instructions(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint i = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + threadIdx.x;
  if (i >= args.n) // a folded grid has groups too many at its end
    return;

  // [load] operands come from memory, so that nothing is known of them
  uint x = g_idata[3 * i];
  const uint a = g_idata[3 * i + 1], b = g_idata[3 * i + 2];
  uint first = x;

  // [apply] once, then in a chain
  switch (OPERATION) {
    DOT_OPERATIONS(APPLY_EXACT)
  }

  // [write] both results
  g_odata[2 * i] = first;
  g_odata[2 * i + 1] = x;
}
