// Tensor cores of 8 bits 2: rung 1 with two buffers, and loads of 16 bytes (coopMatMulAdd): rung 3 of tensor. Whole
// tiles only: at other sizes rung 1 runs.
// [element]
// Source: ours; none of the documents has it.
#include "tensor8_args.h"
#define TENSOR_ENTRY tensor8
#include "../tensor/3_two_buffers.hlsl"
