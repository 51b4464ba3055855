// Tensor cores 12: rung 10 with bfloat16.
// [element]
// Source: ours; none of the documents has it.
#define TENSOR_BFLOAT16 1
#include "10_async.cu"
