// Tensor cores 18: rung 14 with bfloat16.
// [element]
// machine: sm_90a
// Source: ours; none of the documents has it.
#define TENSOR_BFLOAT16 1
#include "14_tma.cu"
