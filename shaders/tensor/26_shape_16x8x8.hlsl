// Tensor cores 26: rung 3 with fragments of 16 x 8 x 8: coopMatMulAdd of rows, columns and inner length.
// Source: ours; none of the documents has it.
#define TENSOR_COLUMNS 8
#define TENSOR_INNER 8
#include "3_two_buffers.hlsl"
