// Fragments of cooperative matrices, as those of wmma in kernels/tensor/fragments.cuh.
#include "tensor_args.h"
using namespace linalg;
#if defined(TENSOR_BYTES) // tensor8_args.h comes first
typedef uint8_t Stored;
#if defined(XB_INT32)
typedef int8_t Element;
typedef int Sum;
#elif defined(TENSOR8_E5M2)
typedef FloatE5M2 Element;
typedef float Sum;
#else
typedef FloatE4M3 Element;
typedef float Sum;
#endif
#else
#if defined(TENSOR_BFLOAT16)
typedef BFloat16 Element;
#else
typedef half Element;
#endif
typedef Element Stored;
typedef float Sum;
#endif
#if !defined(TENSOR_COLUMNS) // of a fragment
#define TENSOR_COLUMNS TENSOR_SIDE
#endif
typedef CoopMat<Element, MemoryScope.Subgroup, TENSOR_SIDE, TENSOR_INNER, CoopMatMatrixUse.MatrixA> FragmentA;
typedef CoopMat<Element, MemoryScope.Subgroup, TENSOR_INNER, TENSOR_COLUMNS, CoopMatMatrixUse.MatrixB> FragmentB;
typedef CoopMat<Sum, MemoryScope.Subgroup, TENSOR_SIDE, TENSOR_COLUMNS, CoopMatMatrixUse.MatrixAccumulator> FragmentC;
#define ROWS CoopMatMatrixLayout.RowMajor
// A tile of B in shared memory: row by row, or column by column as B itself.
#if defined(TENSOR_BYTES)
#define B_LAYOUT CoopMatMatrixLayout.ColumnMajor
#define B_LINE(k, column) (column)
#define B_ALONG(k, column) (k)
#else
#define B_LAYOUT ROWS
#define B_LINE(k, column) (k)
#define B_ALONG(k, column) (column)
#endif
#define ZERO FragmentC((Sum)0)
