// Tensor cores 11: rung 9 with bfloat16.
// [element]
// Source: ours; none of the documents has it.
#define TENSOR_BFLOAT16 1
#include "9_mma.cu"
