// Tensor cores 21: the whole group's tile is one matrix (VK_NV_cooperative_matrix2). Loads name a part of a buffer, and
// the driver decides what goes through shared memory, and which thread holds what. Whole tiles only: at other sizes
// rung 2 runs. Rungs 22 to 24 have other tiles, and rungs 27, 28 and 30 one word more of the extension each.
// Source: ours; none of the documents has it.
#include "fragments.h"
#include "epilogue.h"

#ifndef GROUP_ROWS
#define GROUP_ROWS 128
#define GROUP_COLUMNS 128
#endif
#define GROUP_DEPTH 32

[[vk::binding(0, 0)]] StructuredBuffer<Element> A : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<Element> B : register(t1);
[[vk::binding(2, 0)]] RWStructuredBuffer<float> C : register(u0);
XB_ARGS(xb_tensor_args);

typedef CoopMat<Element, MemoryScope.Workgroup, GROUP_ROWS, GROUP_DEPTH, CoopMatMatrixUse.MatrixA> TileA;
typedef CoopMat<Element, MemoryScope.Workgroup, GROUP_DEPTH, GROUP_COLUMNS, CoopMatMatrixUse.MatrixB> TileB;
typedef CoopMat<float, MemoryScope.Workgroup, GROUP_ROWS, GROUP_COLUMNS, CoopMatMatrixUse.MatrixAccumulator> TileC;
#if defined(GROUP_ANY_SIZE)
#define GROUP_FORM args.form
typedef TensorLayout<2, CoopMatClampMode.Constant> Layout; // past the edges zeros are read, and nothing is written
#else
#if !defined(GROUP_FORM)
#define GROUP_FORM 0
#endif
typedef TensorLayout<2, CoopMatClampMode.Undefined> Layout; // no part of a tile lies outside
#endif

[numthreads(BLOCK, 1, 1)]
void tensor(uint3 groupIdx : SV_GroupID)
{
  const uint group = XB_GROUP_INDEX(groupIdx, args.grid_x);
  if (group >= args.tiles_x * args.tiles_y)
    return;
  const uint row = group / args.tiles_x * GROUP_ROWS, column = group % args.tiles_x * GROUP_COLUMNS;
#if defined(GROUP_ANY_SIZE)
  const uint k = args.k, n = args.n;
#else
  // Tiles are whole, so this changes no value. It tells the compiler that rows begin at multiples of 16 bytes: without
  // it, the product took 2.9 times as long.
  const uint k = args.k & ~7u, n = args.n & ~7u;
#endif
  Layout none;
  const Layout a = none.Dimension(args.m, k), b = none.Dimension(k, n), c = none.Dimension(args.m, n);
  const Layout b_columns = none.Dimension(n, k); // B column by column: a row of this is a column of B
  TensorView<2, false, 1, 0> exchanged;

  TileC sums = TileC(0.0f);
  for (uint first = 0; first < k; first += GROUP_DEPTH) {
    const TileA aTile = TileA.Load(A, 0, a.Slice(row, GROUP_ROWS, first, GROUP_DEPTH));
    TileB bTile;
    if ((GROUP_FORM & TENSOR_BY_COLUMNS) != 0)
      bTile = TileB.Load(B, 0, b_columns.Slice(column, GROUP_COLUMNS, first, GROUP_DEPTH), exchanged);
    else
      bTile = TileB.Load(B, 0, b.Slice(first, GROUP_DEPTH, column, GROUP_COLUMNS));
    sums = coopMatMulAdd<float, false>(aTile, bTile, sums);
  }
  if ((GROUP_FORM & TENSOR_EPILOGUE) != 0) // a function of each element and of its place in the tile
    sums = sums.MapElement((uint32_t y, uint32_t x, float sum) => finished(sum, (float)B[min(column + x, n - 1)]));
  sums.Store(C, 0, c.Slice(row, GROUP_ROWS, column, GROUP_COLUMNS));
}
