// Tensor cores 17: rung 13 with bfloat16.
// [element]
// machine: sm_90a
// Source: ours; none of the documents has it.
#define TENSOR_BFLOAT16 1
#include "13_wgmma.cu"
