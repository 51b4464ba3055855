// Tensor cores 1: fragments straight from memory. Whole tiles only: at other sizes rung 2 runs.
// With TENSOR_CEILING it is rung 4.
// Source: ours; none of the documents has it.
#include "fragments.h"

[[vk::binding(0, 0)]] StructuredBuffer<Element> A : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<Element> B : register(t1);
[[vk::binding(2, 0)]] RWStructuredBuffer<float> C : register(u0);
XB_ARGS(xb_tensor_args);

static const uint SIDE = TENSOR_SIDE, TILE = TENSOR_TILE, DOWN = TENSOR_DOWN(BLOCK), ACROSS = TENSOR_ACROSS;

[numthreads(BLOCK, 1, 1)]
void tensor(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint wave = threadIdx.x / TENSOR_WAVE;
  const uint group = XB_GROUP_INDEX(groupIdx, args.grid_x);
  if (group >= args.tiles_x * args.tiles_y)
    return;
  const uint row = group / args.tiles_x * TILE + wave / 2 * (DOWN * SIDE); // of the wave's first fragment
  const uint column = group % args.tiles_x * TILE + wave % 2 * (ACROSS * SIDE);

  FragmentA a[DOWN];
  FragmentB b[ACROSS];
  FragmentC sums[DOWN][ACROSS];
  [unroll]
  for (uint z = 0; z < DOWN * ACROSS; z++)
    sums[z / ACROSS][z % ACROSS] = ZERO;
#define LOAD(k, a_pitch)                                                                                               \
  [unroll]                                                                                                             \
  for (uint p = 0; p < DOWN; p++)                                                                                      \
    a[p] = FragmentA.Load<ROWS>(A, (row + p * SIDE) * a_pitch + k, a_pitch);                                           \
  [unroll]                                                                                                             \
  for (uint q = 0; q < ACROSS; q++)                                                                                    \
    b[q] = FragmentB.Load<ROWS>(B, k * args.n + column + q * SIDE, args.n);
#if defined(TENSOR_CEILING)
  LOAD(0, SIDE)
#endif
  for (uint k = 0; k < args.k; k += SIDE) {
    // [load]
#if !defined(TENSOR_CEILING)
    LOAD(k, args.k)
#endif

    // [sum]
    [unroll]
    for (uint i = 0; i < DOWN; i++)
      [unroll]
      for (uint j = 0; j < ACROSS; j++)
        sums[i][j] = coopMatMulAdd<float, false>(a[i], b[j], sums[i][j]);
  }

  // [write]
  [unroll]
  for (uint s = 0; s < DOWN * ACROSS; s++)
    sums[s / ACROSS][s % ACROSS].Store<ROWS>(
        C, (row + s / ACROSS * SIDE) * args.n + column + s % ACROSS * SIDE, args.n);
}
