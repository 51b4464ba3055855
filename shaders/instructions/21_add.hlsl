// Instructions 21 to 41, and 64: on float32.
// A specialization constant chooses the instruction, so a pipeline has only one. Direct3D 12 chooses by an argument.
// Source: NVIDIA, Optimizing CUDA, slide 'Arithmetic Instruction Throughput'.
#include "instructions_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<float> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<float> g_odata : register(u0);
XB_ARGS(xb_instructions_args);
OPERATION_CONSTANT

[numthreads(BLOCK, 1, 1)]
void instructions(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint i = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + threadIdx.x;
  if (i >= args.n) // a folded grid has groups too many at its end
    return;

  // [load] operands come from memory, so that nothing is known of them
  precise float x = g_idata[3 * i]; // without it, chains on an H200 ended elsewhere
  const float a = g_idata[3 * i + 1], b = g_idata[3 * i + 2];
  precise float first = x;

  // [apply] once, then in a chain
  switch (OPERATION) {
    FLOAT_OPERATIONS(APPLY_EXACT, APPLY_FUNCTION)
  }

  // [write] both results
  g_odata[2 * i] = first;
  g_odata[2 * i + 1] = x;
}
