// Tensor cores 17: rung 13 with bfloat16.
// [element]
// machine: sm_90a
#define TENSOR_BFLOAT16 1
#include "13_wgmma.cu"
