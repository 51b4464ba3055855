// Tensor cores of 8 bits 1: rung 2 of tensor with fragments of 16 x 16 x 32 (coopMatMulAdd), any size. B lies column by
// column. With float32 sums the elements are float8 (e4m3), with int32 sums int8.
// [element]
// Source: ours; none of the documents has it.
#include "tensor8_args.h"
#define TENSOR_ENTRY tensor8
#include "../tensor/2_tiles.hlsl"
