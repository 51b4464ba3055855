// Probes: divergence.
#include "declarations.hlsl"

// probe: unrolled
[numthreads(64, 1, 1)]
void unrolled(uint3 id : SV_DispatchThreadID)
{
  uint sum = 0;
  [loop]
  for (uint i = 0; i < args.n; i++)
    sum += g_in[i] * i;
  g_out[id.x] = sum;
}

// probe: unrolled_by_four
[numthreads(64, 1, 1)]
void unrolled_by_four(uint3 id : SV_DispatchThreadID)
{
  uint sum = 0;
  [unroll]
  for (uint i = 0; i < 8; i++)
    sum += g_in[i] * i;
  g_out[id.x] = sum;
}

// probe: both_sides
[numthreads(64, 1, 1)]
void both_sides(uint3 id : SV_DispatchThreadID)
{
  if (args.a != 0 && g_in[id.x] != 0)
    g_out[id.x] = 1;
}

// probe: active_mask
[numthreads(64, 1, 1)]
void active_mask(uint3 id : SV_DispatchThreadID)
{
  if (g_in[id.x] > 3)
    g_out[id.x] = WaveActiveBallot(true).x;
}

// probe: peel_loop
[numthreads(64, 1, 1)]
void peel_loop(uint3 id : SV_DispatchThreadID) // a turn for each value; which lanes meet in a turn is not guaranteed
{
  const uint mine = g_in[id.x];
  uint lanes = 0;
  [loop]
  while (lanes == 0) {
    if (WaveReadLaneFirst(mine) == mine)
      lanes = WaveActiveCountBits(true);
  }
  g_out[id.x] = lanes;
}
