// Tensor cores 18: rung 14 with bfloat16.
// [element]
// machine: sm_90a
#define TENSOR_BFLOAT16 1
#include "14_tma.cu"
