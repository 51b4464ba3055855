// Included by shaders that define OPERATIONS: functions of float32; and PRECISE. A specialization constant chooses one.
#include "arithmetic_args.h"

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

  PRECISE float x = g_idata[3 * i];
  const float a = g_idata[3 * i + 1], b = g_idata[3 * i + 2];
  PRECISE float first = x;

  switch (OPERATION) {
    OPERATIONS(APPLY_FUNCTION)
  }

  g_odata[2 * i] = first;
  g_odata[2 * i + 1] = x;
}
