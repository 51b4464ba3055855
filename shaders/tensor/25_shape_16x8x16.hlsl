// Tensor cores 25: rung 3 with fragments of 16 x 8 x 16: coopMatMulAdd of rows, columns and inner length.
// Source: ours; none of the documents has it.
#define TENSOR_COLUMNS 8
#define TENSOR_INNER 16
#include "3_two_buffers.hlsl"
